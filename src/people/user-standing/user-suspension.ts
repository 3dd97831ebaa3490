import { Injectable } from '@nestjs/common';

import type { TenantContext } from '../../access/authentication/principals/request-context.js';
import { Administrators } from '../../access/authorization/administrators/administrators.js';
import { conflict, invalid } from '../../platform/common/errors/errors.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { UnitOfWork, type InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { InvitesService } from '../invites/invites.service.js';
import { Accounts, type Account } from '../users/accounts.js';
import { UsersService } from '../users/users.service.js';

const OWN = 'You cannot suspend your own account: ask another administrator.';
const INVITED = 'The user has not accepted the invite yet: withdraw the invite instead.';

/**
 * Suspends users and lets them back in. Sessions of a suspended user end, with their hub connections. Personal access tokens, links that
 * the user made and every way to sign in do not work until the suspension is lifted. What the user owns stays.
 */
@Injectable()
export class UserSuspension {
  constructor(
    private readonly users: UsersService,
    private readonly accounts: Accounts,
    private readonly invites: InvitesService,
    private readonly administrators: Administrators,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Suspends a user; nothing changes for one who is suspended already. 400 for the caller's own account and for the last administrator,
   * 404 unless the tenant has the user, 409 for a user who has not accepted the invite yet.
   */
  async suspend(context: TenantContext, id: string): Promise<void> {
    await this.administrators.keeping(context, { tenantId: context.tenantId }, async (tx) => {
      const account = await this.lock(tx, id);
      if (tx.principal.type === 'User' && tx.principal.id === id) throw invalid(OWN);
      if (account.suspendedAt !== null) return;
      if (await this.invites.isInvited(tx.manager, id)) throw conflict(INVITED);
      await this.accounts.setSuspended(tx, account, this.clock.now());
    });
  }

  /** Lets a user sign in again; nothing changes for one who is not suspended. 404 unless the tenant has the user. */
  async lift(context: TenantContext, id: string): Promise<void> {
    await this.unitOfWork.run(context, async (tx) => {
      const account = await this.lock(tx, id);
      if (account.suspendedAt !== null) await this.accounts.setSuspended(tx, account, null);
    });
  }

  private async lock(tx: InTransaction<TenantContext>, id: string): Promise<Account> {
    await this.users.requireExisting(tx, id);
    return this.accounts.lock(tx, id);
  }
}
