import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { PasswordHasher } from '../../access/authentication/passwords/password-hasher.js';
import { requireGoodPassword } from '../../access/authentication/passwords/password-policy.js';
import { passwordSourceAt } from '../../access/authentication/passwords/password-source.js';
import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import type { SecurityOrigin } from '../../access/security-log/security-log.js';
import { BoundedMap } from '../../platform/common/collections/bounded-map.js';
import { AfterAnswer } from '../../platform/common/concurrency/after-answer.js';
import { forbidden, invalidField } from '../../platform/common/errors/errors.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { AccountMails } from '../mail/account-mails.js';
import { Accounts, type Account } from '../users/accounts.js';
import { UsersService } from '../users/users.service.js';
import { MAIL_PAUSE_MS } from './account-codes.js';
import { AccountCreation, type Creation, type Registrant, type RegistrationOffer } from './account-creation.js';
import { requireEmailAddress } from './email-address.js';

/** Outcome of a registration. Where addresses have to be confirmed, it does not tell that the address is taken: the mail does. */
export type Admission = Creation | { readonly kind: 'ConfirmationRequired' };

const CLOSED = 'Registration is closed on this server: ask an administrator for an invitation.';
const TAKEN = 'An account with this e-mail address already exists.';
/** Most remembered owners of accounts who were recently told that their address was given for another account. */
const MAXIMUM_TOLD = 10_000;

/** Lets visitors register, and decides how much the answer tells of other accounts. */
@Injectable()
export class Registration {
  /** Time at which the owner of an account was last told, by the account's id. */
  private readonly told = new BoundedMap<string, number>(MAXIMUM_TOLD);

  constructor(
    private readonly creation: AccountCreation,
    private readonly users: UsersService,
    private readonly accounts: Accounts,
    private readonly hasher: PasswordHasher,
    private readonly mails: AccountMails,
    private readonly afterAnswer: AfterAnswer,
    private readonly clock: Clock,
  ) {}

  /** Returns the present state of registration. */
  async offer(manager: EntityManager): Promise<RegistrationOffer & { readonly isMailNeeded: boolean }> {
    const offer = await this.creation.offer(manager);
    return { ...offer, isMailNeeded: this.accounts.mustBeConfirmed && !offer.isFirstUser };
  }

  /**
   * Makes an account with a password. Returns it when its user can sign in at once; null when the address has to be confirmed first, and
   * then also when it is taken, so that the answer does not reveal accounts. 403 while registration is closed.
   */
  async register(context: RequestContext, email: string, password: string, origin: SecurityOrigin): Promise<Account | null> {
    const address = requireEmailAddress('email', email);
    await requireGoodPassword('password', password);
    const offer = await this.offer(context.manager);
    if (!offer.isOpen) throw forbidden(CLOSED);
    // Asked again when the account is created: this saves hashing for nothing.
    if (this.tells(false, offer) && (await this.users.isTaken(context.manager, address))) throw invalidField('email', TAKEN);
    const passwordHash = await this.hasher.hash(passwordSourceAt(origin.visitor.remoteAddress), password);
    const admission = await this.admit(context, { address, passwordHash, isVerified: false }, origin);
    if (admission.kind === 'Closed') throw forbidden(CLOSED);
    if (admission.kind === 'Taken') throw invalidField('email', TAKEN);
    return admission.kind === 'Admitted' ? admission.account : null;
  }

  /** Creates an account for a new user, and asks for the confirmation of an address that is not known yet. */
  async admit(context: RequestContext, registrant: Registrant, origin: SecurityOrigin): Promise<Admission> {
    const offer = await this.offer(context.manager);
    if (!offer.isOpen) return { kind: 'Closed' };
    if (!this.tells(registrant.isVerified, offer)) {
      this.afterAnswer.add('registration', () => this.createOrTell(context, registrant, origin));
      return { kind: 'ConfirmationRequired' };
    }
    const created = await this.creation.create(context, registrant, origin);
    if (created.kind !== 'Admitted') return created;
    return this.accounts.mustBeConfirmed && !created.account.emailConfirmed ? { kind: 'ConfirmationRequired' } : created;
  }

  /** Checks that an answer may tell that an address is taken: to its owner, and where nothing would keep it secret anyway. */
  private tells(isVerified: boolean, { isFirstUser }: RegistrationOffer): boolean {
    return isVerified || isFirstUser || !this.accounts.mustBeConfirmed;
  }

  private async createOrTell(context: RequestContext, registrant: Registrant, origin: SecurityOrigin): Promise<void> {
    if ((await this.creation.create(context, registrant, origin)).kind !== 'Taken') return;
    const owner = await this.accounts.findByName(context.manager, registrant.address);
    const now = this.clock.milliseconds();
    if (owner === null || now < (this.told.get(owner.id) ?? -Infinity) + MAIL_PAUSE_MS) return;
    this.told.set(owner.id, now);
    this.mails.alreadyRegistered(owner);
  }
}
