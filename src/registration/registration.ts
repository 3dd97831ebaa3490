import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { PasswordHasher } from '../authentication/password-hasher.js';
import { payerAt } from '../authentication/password-payer.js';
import { requireGoodPassword } from '../authentication/password-policy.js';
import type { RequestContext } from '../authentication/request-context.js';
import { FIRST_USER_OF_SERVER, FIRST_USER_OF_TENANT } from '../authorization/permission-presets.js';
import { AfterAnswer } from '../common/after-answer.js';
import { BoundedMap } from '../common/bounded-map.js';
import { Clock } from '../common/clock.js';
import { forbidden, invalidField } from '../common/errors.js';
import { Settings } from '../config/settings.js';
import { AdvisoryLock, lockUntilCommit } from '../database/advisory-locks.js';
import { UnitOfWork, type InTransaction } from '../database/unit-of-work.js';
import { AccountMails } from '../mail/account-mails.js';
import { SecurityLog, type SecurityOrigin } from '../security-log/security-log.js';
import { TenantsService } from '../tenants/tenants.service.js';
import { Accounts, type Account } from '../users/accounts.js';
import { UsersService } from '../users/users.service.js';
import { MAIL_PAUSE_MS } from './account-codes.js';
import { requireEmailAddress } from './email-address.js';
import { EmailAddresses } from './email-addresses.js';

/** Whether visitors may register, and whether the next one is the first user of the server. */
export interface RegistrationOffer {
  readonly isOpen: boolean;
  readonly isFirstUser: boolean;
}

/** A new account, and whether its user is the first of the server. */
interface Registered {
  readonly account: Account;
  readonly isFirstUser: boolean;
}

const CLOSED = 'Registration is closed on this server: ask an administrator for an invitation.';
const TAKEN = 'There is an account with this e-mail address already.';
/** Most owners of accounts who were told lately that their address was given for another one. */
const MAXIMUM_TOLD = 10_000;

/** Lets visitors make an account of their own, in a tenant of their own. The first of the server administers it. */
@Injectable()
export class Registration {
  /** When the owner of an account was last told, by the account's id. */
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

  /** Whether visitors may register now. */
  async offer(manager: EntityManager): Promise<RegistrationOffer> {
    const { enablePublicRegistration, disableFirstUserSelfRegistration } = this.settings.appOptions;
    const isFirstUser = !disableFirstUserSelfRegistration && !(await this.users.exist(manager));
    return { isOpen: enablePublicRegistration || isFirstUser, isFirstUser };
  }

  /**
   * Makes an account. Returns it when its user can sign in at once; null when the address has to be confirmed first, and then also
   * when it is taken, so that the answer tells nobody who has an account: the mail does. 403 while registration is closed.
   */
  async register(context: RequestContext, email: string, password: string, origin: SecurityOrigin): Promise<Account | null> {
    const address = requireEmailAddress('email', email);
    await requireGoodPassword('password', password);
    const offer = await this.offer(context.manager);
    if (!offer.isOpen) throw forbidden(CLOSED);
    const tells = offer.isFirstUser || !this.accounts.mustBeConfirmed;
    if (tells && (await this.users.isTaken(context.manager, address))) throw invalidField('email', TAKEN);
    const passwordHash = await this.hasher.hash(payerAt(origin.visitor.remoteAddress), password);
    if (!tells) {
      this.afterAnswer.add('registration', () => this.makeOrTell(context, address, passwordHash, origin));
      return null;
    }
    const account = await this.make(context, address, passwordHash, origin);
    if (account === null) throw invalidField('email', TAKEN);
    return this.accounts.mustBeConfirmed && !account.emailConfirmed ? null : account;
  }

  /**
   * Makes the first user of the server, who administers it and a new tenant; null when there are users already. Others who register
   * wait until it is done.
   */
  makeFirst(context: RequestContext, address: string, passwordHash: string): Promise<Account | null> {
    return this.unitOfWork.run(context, async (tx) => {
      await lockUntilCommit(tx.manager, AdvisoryLock.Registration);
      return (await this.users.exist(tx.manager)) ? null : this.add(tx, address, passwordHash, true);
    });
  }

  private async makeOrTell(context: RequestContext, address: string, passwordHash: string, origin: SecurityOrigin): Promise<void> {
    if ((await this.make(context, address, passwordHash, origin)) !== null) return;
    const owner = await this.accounts.findByName(context.manager, address);
    const now = this.clock.milliseconds();
    if (owner === null || now < (this.told.get(owner.id) ?? -Infinity) + MAIL_PAUSE_MS) return;
    this.told.set(owner.id, now);
    this.mails.alreadyRegistered(owner, origin);
  }

  /** Makes an account and asks for the confirmation of its address where it is not known yet; null when the address is taken. */
  private async make(context: RequestContext, address: string, passwordHash: string, origin: SecurityOrigin): Promise<Account | null> {
    const made = await this.unitOfWork.run(context, async (tx): Promise<Registered | null> => {
      await lockUntilCommit(tx.manager, AdvisoryLock.Registration);
      const { isOpen, isFirstUser } = await this.offer(tx.manager);
      if (!isOpen) throw forbidden(CLOSED);
      if (await this.users.isTaken(tx.manager, address)) return null;
      const account = await this.add(tx, address, passwordHash, isFirstUser);
      await this.securityLog.write(tx.manager, { user: account, kind: 'Registered' }, origin);
      return { account, isFirstUser };
    });
    if (made === null) return null;
    if (!made.account.emailConfirmed) await this.addresses.askToConfirm(context, made.account.id, origin);
    return made.account;
  }

  private async add(tx: InTransaction<RequestContext>, email: string, passwordHash: string, isFirstUser: boolean): Promise<Account> {
    const { tenantId } = await this.tenants.create(tx, null);
    const presets = isFirstUser ? FIRST_USER_OF_SERVER : FIRST_USER_OF_TENANT;
    const account = await this.users.add({ ...tx, tenantId }, { email, passwordHash, presets, isConfirmed: isFirstUser });
    // Another request took the address after it was looked up, other than by registering.
    if (account === null) throw invalidField('email', TAKEN);
    return account;
  }
}
