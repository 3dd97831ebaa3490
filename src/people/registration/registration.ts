import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { PasswordHasher } from '../../access/authentication/passwords/password-hasher.js';
import { requireGoodPassword } from '../../access/authentication/passwords/password-policy.js';
import { passwordSourceAt } from '../../access/authentication/passwords/password-source.js';
import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import { FIRST_USER_OF_SERVER, FIRST_USER_OF_TENANT } from '../../access/authorization/permissions/permission-presets.js';
import { SecurityLog, type SecurityOrigin } from '../../access/security-log/security-log.js';
import { BoundedMap } from '../../platform/common/collections/bounded-map.js';
import { AfterAnswer } from '../../platform/common/concurrency/after-answer.js';
import { forbidden, invalidField } from '../../platform/common/errors/errors.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { Settings } from '../../platform/config/settings.js';
import { AdvisoryLock, lockUntilCommit } from '../../platform/database/locks/advisory-locks.js';
import { UnitOfWork, type InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { TenantsService } from '../../tenants/tenants/tenants.service.js';
import { AccountMails } from '../mail/account-mails.js';
import { Accounts, type Account } from '../users/accounts.js';
import { UsersService } from '../users/users.service.js';
import { MAIL_PAUSE_MS } from './account-codes.js';
import { requireEmailAddress } from './email-address.js';
import { EmailAddresses } from './email-addresses.js';

/** The present state of registration: open or closed, and for the first user of the server or a later one. */
export interface RegistrationOffer {
  readonly isOpen: boolean;
  readonly isFirstUser: boolean;
}

/** A person who makes an account. */
export interface Newcomer {
  readonly address: string;
  /** Null for those who sign in in another way. */
  readonly passwordHash: string | null;
  /** True if the address is known to be theirs. */
  readonly isVerified: boolean;
  /** Adds the account's other initial rows, in the transaction that makes it. */
  readonly complete?: (tx: InTransaction<RequestContext>, account: Account) => Promise<void>;
}

/** Outcome of a registration. Where addresses have to be confirmed, it does not tell that the address is taken: the mail does. */
export type Admission =
  | { readonly kind: 'Admitted'; readonly account: Account }
  | { readonly kind: 'ConfirmationRequired' }
  /** Another account has the address. */
  | { readonly kind: 'Taken' }
  | { readonly kind: 'Closed' };

const CLOSED = 'Registration is closed on this server: ask an administrator for an invitation.';
const TAKEN = 'There is an account with this e-mail address already.';
/** Most remembered owners of accounts who were recently told that their address was given for another account. */
const MAXIMUM_TOLD = 10_000;

/** Another request took the address after it was looked up, other than by registering. The new account is rolled back. */
class AddressTaken extends Error {
  override readonly name = 'AddressTaken';
}

/** Lets visitors make an account of their own, in a tenant of their own. The first of the server administers it. */
@Injectable()
export class Registration {
  /** Time at which the owner of an account was last told, by the account's id. */
  private readonly told = new BoundedMap<string, number>(MAXIMUM_TOLD);

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly users: UsersService,
    private readonly accounts: Accounts,
    private readonly tenants: TenantsService,
    private readonly addresses: EmailAddresses,
    private readonly hasher: PasswordHasher,
    private readonly mails: AccountMails,
    private readonly securityLog: SecurityLog,
    private readonly afterAnswer: AfterAnswer,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** Returns the present state of registration. */
  async offer(manager: EntityManager): Promise<RegistrationOffer> {
    const { enablePublicRegistration, disableFirstUserSelfRegistration } = this.settings.appOptions;
    const isFirstUser = !disableFirstUserSelfRegistration && !(await this.users.exist(manager));
    return { isOpen: enablePublicRegistration || isFirstUser, isFirstUser };
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
    // Asked again when the account is made: this saves hashing for nothing.
    if (this.tells(false, offer) && (await this.users.isTaken(context.manager, address))) throw invalidField('email', TAKEN);
    const passwordHash = await this.hasher.hash(passwordSourceAt(origin.visitor.remoteAddress), password);
    const admission = await this.admit(context, { address, passwordHash, isVerified: false }, origin);
    if (admission.kind === 'Closed') throw forbidden(CLOSED);
    if (admission.kind === 'Taken') throw invalidField('email', TAKEN);
    return admission.kind === 'Admitted' ? admission.account : null;
  }

  /** Makes an account for a new user, and asks for the confirmation of an address that is not known yet. */
  async admit(context: RequestContext, newcomer: Newcomer, origin: SecurityOrigin): Promise<Admission> {
    const offer = await this.offer(context.manager);
    if (!offer.isOpen) return { kind: 'Closed' };
    if (!this.tells(newcomer.isVerified, offer)) {
      this.afterAnswer.add('registration', () => this.makeOrTell(context, newcomer, origin));
      return { kind: 'ConfirmationRequired' };
    }
    const made = await this.make(context, newcomer, origin);
    if (made.kind !== 'Admitted') return made;
    return this.accounts.mustBeConfirmed && !made.account.emailConfirmed ? { kind: 'ConfirmationRequired' } : made;
  }

  /**
   * Makes the first user of the server, who administers it and a new tenant; null when there are users already. Others who register
   * wait until it is done.
   */
  makeFirst(context: RequestContext, address: string, passwordHash: string): Promise<Account | null> {
    const making = this.unitOfWork.run(context, async (tx) => {
      await lockUntilCommit(tx.manager, AdvisoryLock.Registration);
      if (await this.users.exist(tx.manager)) return null;
      return this.add(tx, { address, passwordHash, isVerified: true }, true);
    });
    return making.catch(nullIfTaken);
  }

  /** Checks that an answer may tell that an address is taken: to its owner, and where nothing would keep it secret anyway. */
  private tells(isVerified: boolean, { isFirstUser }: RegistrationOffer): boolean {
    return isVerified || isFirstUser || !this.accounts.mustBeConfirmed;
  }

  private async makeOrTell(context: RequestContext, newcomer: Newcomer, origin: SecurityOrigin): Promise<void> {
    if ((await this.make(context, newcomer, origin)).kind !== 'Taken') return;
    const owner = await this.accounts.findByName(context.manager, newcomer.address);
    const now = this.clock.milliseconds();
    if (owner === null || now < (this.told.get(owner.id) ?? -Infinity) + MAIL_PAUSE_MS) return;
    this.told.set(owner.id, now);
    this.mails.alreadyRegistered(owner);
  }

  /** Makes an account, and asks for the confirmation of its address where it is not known yet. */
  private async make(
    context: RequestContext,
    newcomer: Newcomer,
    origin: SecurityOrigin,
  ): Promise<Exclude<Admission, { kind: 'ConfirmationRequired' }>> {
    const making = this.unitOfWork.run(context, async (tx) => {
      await lockUntilCommit(tx.manager, AdvisoryLock.Registration);
      const { isOpen, isFirstUser } = await this.offer(tx.manager);
      if (!isOpen) return 'Closed';
      if (await this.users.isTaken(tx.manager, newcomer.address)) return null;
      const added = await this.add(tx, newcomer, isFirstUser);
      await this.securityLog.write(tx.manager, { user: added, kind: 'Registered' }, origin);
      await newcomer.complete?.(tx, added);
      return added;
    });
    const account = await making.catch(nullIfTaken);
    if (account === 'Closed') return { kind: 'Closed' };
    if (account === null) return { kind: 'Taken' };
    if (!account.emailConfirmed) await this.addresses.askToConfirm(context, account.id);
    return { kind: 'Admitted', account };
  }

  private async add(tx: InTransaction<RequestContext>, newcomer: Newcomer, isFirstUser: boolean): Promise<Account> {
    const { address: email, passwordHash, isVerified } = newcomer;
    const { tenantId } = await this.tenants.create(tx, null);
    const presets = isFirstUser ? FIRST_USER_OF_SERVER : FIRST_USER_OF_TENANT;
    const account = await this.users.add({ ...tx, tenantId }, { email, passwordHash, presets, isConfirmed: isVerified || isFirstUser });
    if (account === null) throw new AddressTaken();
    return account;
  }
}

function nullIfTaken(error: unknown): null {
  if (error instanceof AddressTaken) return null;
  throw error;
}
