import type { IncomingMessage } from 'node:http';

import { Injectable } from '@nestjs/common';

import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import { Administrators } from '../../access/authorization/administrators/administrators.js';
import { callbackPathOf } from '../../people/external-sign-in/external-provider.js';
import { MailAvailability } from '../../people/mail/mail-availability.js';
import { MailService } from '../../people/mail/mail.service.js';
import { smtpOptionsOf } from '../../people/mail/smtp-options.js';
import { Registration } from '../../people/registration/registration.js';
import { Accounts } from '../../people/users/accounts.js';
import { Settings } from '../../platform/config/settings.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { PublicUrl } from '../../platform/http/addresses/public-url.js';
import { NightlyBackup } from '../backups/running/nightly-backup.js';
import { whoMayRegister } from '../caller/server-offer.js';
import {
  addressFindings,
  type AppOptionName,
  backupFindings,
  completeProviderFindings,
  type Findings,
  mailFindings,
  providerFindings,
  registrationFindings,
  type SettingsFinding,
  SettingsState,
  stateOfAll,
} from './findings.js';
import { appOptionStates, backupOptionStates, nextProviderOptionStates, providerOptionStates } from './option-states.js';
import {
  type AddressSettingsDto,
  type BackupSettingsDto,
  MailEncryption,
  type MailSettingsDto,
  type ProviderSettingsDto,
  type RegistrationSettingsDto,
  type ServerSettingsResponseDto,
} from './server-settings.dto.js';

const MAIL: readonly AppOptionName[] = [
  'smtpHost',
  'smtpPort',
  'smtpEmail',
  'smtpDisplayName',
  'smtpUserName',
  'smtpPassword',
  'smtpLocalDomain',
  'disableEmailSending',
];
const REGISTRATION: readonly AppOptionName[] = [
  'enablePublicRegistration',
  'disableFirstUserSelfRegistration',
  'requireUserEmailConfirmation',
];

/** Providers with options of their own. */
const KNOWN_PROVIDERS = [
  { name: 'github', displayName: 'GitHub', id: 'gitHubClientId', secret: 'gitHubClientSecret', more: ['gitHubUrl'] },
  { name: 'microsoft', displayName: 'Microsoft', id: 'microsoftClientId', secret: 'microsoftClientSecret', more: [] },
] as const;

/** The configuration as administrators of the server see it. */
@Injectable()
export class ServerSettingsService {
  constructor(
    private readonly settings: Settings,
    private readonly mail: MailService,
    private readonly mailAvailability: MailAvailability,
    private readonly registration: Registration,
    private readonly accounts: Accounts,
    private readonly administrators: Administrators,
    private readonly publicUrl: PublicUrl,
    private readonly nightlyBackup: NightlyBackup,
    private readonly clock: Clock,
  ) {}

  /** The options that are set or missing. Callback addresses follow the caller's where there is no public address. */
  async get(context: RequestContext, request: IncomingMessage): Promise<ServerSettingsResponseDto> {
    const providers = this.providerSettings(this.publicUrl.ofCaller(request));
    return {
      mail: await this.mailSettings(),
      address: this.addressSettings(),
      registration: await this.registrationSettings(context),
      providersState: stateOfAll(providers.map(({ state }) => state)),
      providers,
      backups: await this.backupSettings(),
    };
  }

  private async mailSettings(): Promise<MailSettingsDto> {
    const lastDelivery = await this.mail.lastDelivery();
    const { missing, ...found } = mailFindings(this.settings, typeof lastDelivery?.failure === 'string');
    return {
      ...answerOf(found),
      options: appOptionStates(this.settings, MAIL, missing),
      encryption: this.encryption(),
      lastDelivery,
    };
  }

  private encryption(): MailEncryption | null {
    const options = smtpOptionsOf(this.settings.appOptions);
    if (options === null) return null;
    if (options.secure === true) return MailEncryption.Always;
    return options.requireTLS === true ? MailEncryption.Required : MailEncryption.IfOffered;
  }

  private addressSettings(): AddressSettingsDto {
    const { missing, ...found } = addressFindings(this.settings);
    const { publicUrl } = this.settings.appOptions;
    return {
      ...answerOf(found),
      options: appOptionStates(this.settings, ['publicUrl'], missing),
      address: publicUrl === '' ? null : publicUrl,
    };
  }

  private async registrationSettings({ manager }: RequestContext): Promise<RegistrationSettingsDto> {
    const offer = await this.registration.offer(manager);
    const found = registrationFindings(this.settings, {
      isFirstUser: offer.isFirstUser,
      isAdministered: await this.administrators.serverHasUser(manager),
      mustBeConfirmed: this.accounts.mustBeConfirmed,
      isMailSent: this.mailAvailability.obstacle === null,
    });
    return {
      ...answerOf(found),
      options: appOptionStates(this.settings, REGISTRATION),
      registration: whoMayRegister(offer),
    };
  }

  private async backupSettings(): Promise<BackupSettingsDto> {
    const last = await this.nightlyBackup.last();
    return {
      ...answerOf(backupFindings(this.settings, last, this.clock.now())),
      options: backupOptionStates(this.settings),
      lastSuccessAt: last.successAt,
      failure: last.failure,
    };
  }

  private providerSettings(origin: string): ProviderSettingsDto[] {
    const { openIdConnect } = this.settings;
    const known = KNOWN_PROVIDERS.map(({ name, displayName, id, secret, more }) => {
      const { missing, ...found } = providerFindings(this.settings, id, secret);
      const options = appOptionStates(this.settings, [id, secret, ...more], found.state === SettingsState.NotSetUp ? [] : missing);
      return { ...answerOf(found), options, displayName, callbackAddress: origin + callbackPathOf(name) };
    });
    const configured = openIdConnect.map((provider) => ({
      ...answerOf(completeProviderFindings(this.settings)),
      options: providerOptionStates(provider),
      displayName: provider.displayName,
      callbackAddress: origin + callbackPathOf(provider.name),
    }));
    const next = {
      ...answerOf({ state: SettingsState.NotSetUp, findings: [] }),
      options: nextProviderOptionStates(openIdConnect),
      displayName: null,
      callbackAddress: origin + callbackPathOf('<name>'),
    };
    return [...known, ...configured, next];
  }
}

function answerOf({ state, findings }: Findings): { state: SettingsState; findings: { kind: SettingsFinding }[] } {
  return { state, findings: findings.map((kind) => ({ kind })) };
}
