import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import { FIRST_USER_OF_SERVER, FIRST_USER_OF_TENANT } from '../../access/authorization/permissions/permission-presets.js';
import { SecurityLog, type SecurityOrigin } from '../../access/security-log/security-log.js';
import { Settings } from '../../platform/config/settings.js';
import { AdvisoryLock, lockUntilCommit } from '../../platform/database/locks/advisory-locks.js';
import { UnitOfWork, type InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { TenantsService } from '../../tenants/tenants/tenants.service.js';
import type { Account } from '../users/accounts.js';
import { UsersService } from '../users/users.service.js';
import { EmailAddresses } from './email-addresses.js';

/** The present state of registration: open or closed, and for the first user of the server or a later one. */
export interface RegistrationOffer {
  readonly isOpen: boolean;
  readonly isFirstUser: boolean;
  readonly hasUsers: boolean;
}

/** A person who registers. */
export interface Registrant {
  readonly address: string;
  /** Null for those who sign in in another way. */
  readonly passwordHash: string | null;
  /** True if the address is known to be theirs. */
  readonly isVerified: boolean;
  /** Adds the account's other initial rows, in the transaction that creates it. */
  readonly complete?: (tx: InTransaction<RequestContext>, account: Account) => Promise<void>;
}

/** Outcome of the creation of an account. */
export type Creation =
  | { readonly kind: 'Admitted'; readonly account: Account }
  /** Another account has the address. */
  | { readonly kind: 'Taken' }
  | { readonly kind: 'Closed' };

/** Another request took the address after it was looked up, other than by registering. The new account is rolled back. */
class AddressTaken extends Error {
  override readonly name = 'AddressTaken';
}

/** Creates the accounts of people who register, each in a tenant of its own. The first of the server administers it. */
@Injectable()
export class AccountCreation {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly users: UsersService,
    private readonly tenants: TenantsService,
    private readonly addresses: EmailAddresses,
    private readonly securityLog: SecurityLog,
    private readonly settings: Settings,
  ) {}

  /** Returns the present state of registration. */
  async offer(manager: EntityManager): Promise<RegistrationOffer> {
    const { enablePublicRegistration, disableFirstUserSelfRegistration } = this.settings.appOptions;
    const hasUsers = await this.users.exist(manager);
    const isFirstUser = !disableFirstUserSelfRegistration && !hasUsers;
    return { isOpen: enablePublicRegistration || isFirstUser, isFirstUser, hasUsers };
  }

  /** Creates an account while registration is open, and asks for the confirmation of its address where it is not known yet. */
  async create(context: RequestContext, registrant: Registrant, origin: SecurityOrigin): Promise<Creation> {
    const creating = this.unitOfWork.run(context, async (tx) => {
      await lockUntilCommit(tx.manager, AdvisoryLock.Registration);
      const { isOpen, isFirstUser } = await this.offer(tx.manager);
      if (!isOpen) return 'Closed';
      if (await this.users.isTaken(tx.manager, registrant.address)) return null;
      const added = await this.add(tx, registrant, isFirstUser);
      await this.securityLog.write(tx.manager, { user: added, kind: 'Registered' }, origin);
      await registrant.complete?.(tx, added);
      return added;
    });
    const account = await creating.catch(nullIfTaken);
    if (account === 'Closed') return { kind: 'Closed' };
    if (account === null) return { kind: 'Taken' };
    if (!account.emailConfirmed) await this.addresses.askToConfirm(context, account.id);
    return { kind: 'Admitted', account };
  }

  /**
   * Creates the first user of the server, who administers it and a new tenant; null when there are users already. Others who register
   * wait until it is done.
   */
  createFirst(context: RequestContext, address: string, passwordHash: string): Promise<Account | null> {
    const creating = this.unitOfWork.run(context, async (tx) => {
      await lockUntilCommit(tx.manager, AdvisoryLock.Registration);
      if (await this.users.exist(tx.manager)) return null;
      return this.add(tx, { address, passwordHash, isVerified: true }, true);
    });
    return creating.catch(nullIfTaken);
  }

  private async add(tx: InTransaction<RequestContext>, registrant: Registrant, isFirstUser: boolean): Promise<Account> {
    const { address: email, passwordHash, isVerified } = registrant;
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
