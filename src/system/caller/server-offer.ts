import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { ExternalProviders } from '../../people/external-sign-in/external-providers.js';
import { INVITE_LIFETIME_MS } from '../../people/invites/activation-code.js';
import { MailAvailability } from '../../people/mail/mail-availability.js';
import { RelyingParties } from '../../people/passkeys/relying-party.js';
import type { RegistrationOffer } from '../../people/registration/account-creation.js';
import { Registration } from '../../people/registration/registration.js';
import { Accounts } from '../../people/users/accounts.js';
import { Settings } from '../../platform/config/settings.js';
import { ServerVersion } from '../../platform/node/server-version.js';
import { OpenRegistration, type ServerOfferDto } from './server-offer.dto.js';

const DAY_MS = 86_400_000;

/** The server's offer to all visitors, signed in or not. */
@Injectable()
export class ServerOffer {
  constructor(
    private readonly registration: Registration,
    private readonly providers: ExternalProviders,
    private readonly parties: RelyingParties,
    private readonly mail: MailAvailability,
    private readonly accounts: Accounts,
    private readonly version: ServerVersion,
    private readonly settings: Settings,
    private readonly dataSource: DataSource,
  ) {}

  async current(): Promise<ServerOfferDto> {
    return {
      productName: this.settings.appOptions.authenticatorIssuerName,
      serverVersion: this.version.text,
      registration: whoMayRegister(await this.registration.offer(this.dataSource.manager)),
      externalProviders: [...this.providers.names],
      arePasskeysPossible: this.parties.arePossible,
      isMailSent: this.mail.obstacle === null,
      mustConfirmEmail: this.accounts.mustBeConfirmed,
      invitationDays: INVITE_LIFETIME_MS / DAY_MS,
    };
  }
}

/** People who may register, from the state of registration. */
export function whoMayRegister({ isOpen, isFirstUser }: RegistrationOffer): OpenRegistration {
  if (!isOpen) return OpenRegistration.Closed;
  return isFirstUser ? OpenRegistration.FirstUser : OpenRegistration.Public;
}
