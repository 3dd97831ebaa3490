import { Injectable } from '@nestjs/common';

import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import type { SecurityOrigin } from '../../access/security-log/security-log.js';
import type { Registrant } from '../registration/account-creation.js';
import { Registration, type Admission } from '../registration/registration.js';
import { isEmailAddress } from '../users/user-name.js';
import { ExternalLogins } from './external-logins.js';
import { ExternalSignInError, type ExternalIdentity, type ExternalSignInErrorCode } from './external-provider.js';

const REFUSALS = {
  Closed: 'NotConnected',
  ConfirmationRequired: 'EmailNotConfirmed',
  Taken: 'AddressTaken',
} as const satisfies Record<Exclude<Admission['kind'], 'Admitted'>, ExternalSignInErrorCode>;

/** Makes accounts for people who sign in with a provider for the first time, where they could register with a password as well. */
@Injectable()
export class ExternalSignUp {
  constructor(
    private readonly registration: Registration,
    private readonly logins: ExternalLogins,
  ) {}

  /**
   * Makes an account for a person at a provider, with the login connected. It never touches an existing account: a provider that says
   * that an address is verified may be wrong, and the address may have a new owner since.
   * @throws ExternalSignInError when the person cannot sign in now: without an account, or before its address is confirmed
   */
  async run(context: RequestContext, provider: string, identity: ExternalIdentity, origin: SecurityOrigin): Promise<void> {
    if (!(await this.registration.offer(context.manager)).isOpen) throw new ExternalSignInError('NotConnected');
    const address = identity.email?.trim() ?? '';
    if (!isEmailAddress(address)) throw new ExternalSignInError('AddressMissing');
    const registrant: Registrant = {
      address,
      passwordHash: null,
      isVerified: identity.isEmailVerified,
      complete: (tx, account) => this.logins.add(tx, account, provider, identity, origin),
    };
    const { kind } = await this.registration.admit(context, registrant, origin);
    if (kind !== 'Admitted') throw new ExternalSignInError(REFUSALS[kind]);
  }
}
