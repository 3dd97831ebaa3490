import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { KeyedBulkhead } from '../../../platform/common/concurrency/bulkhead.js';
import { invalid } from '../../../platform/common/errors/errors.js';
import { UnitOfWork, type InTransaction, type UniqueRules } from '../../../platform/database/queries/unit-of-work.js';
import type { RequestContext } from '../../authentication/principals/request-context.js';
import { Permission, type PermissionDefinition } from '../permissions/permission.js';
import { AdministratorsRepository } from './administrators.repository.js';

/** The principals that a change concerns: those of a tenant, or accounts of the server. */
export interface ConcernedPrincipals {
  /** Null concerns service accounts of the server, which may administer several tenants. */
  readonly tenantId: string | null;
  /** Service accounts that the change names, which may belong to the server. */
  readonly accountIds?: readonly string[];
}

/**
 * Limits on changes of one tenant. They run one at a time, because they need the same lock: the others would hold database connections
 * while they wait for it. A change takes some 10 ms, so that the last one that may wait does so for about a second.
 */
const TURNS = { running: 1, waiting: 100, what: 'changes of permissions, users and groups in this tenant' };
/** The turns of changes that concern accounts of the server. */
const SERVER_TURNS = 'server';

/**
 * Prevents the removal of the last administrator of the server or of a tenant. An administrator can sign in and
 * effectively holds `server.permissions.write` for the server, or `tenant.permissions.write` for the tenant.
 * Unrestricted accounts count for the server only. Deleting a tenant is exempt.
 */
@Injectable()
export class Administrators {
  private readonly turns = new KeyedBulkhead(TURNS);

  constructor(
    private readonly repository: AdministratorsRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Runs `work` in a transaction, when the tenant's turn comes. When it removes the last administrator of the server or of the
   * tenant, the transaction is rolled back with 400. 503 when too many changes of the tenant wait.
   */
  keeping<C extends RequestContext, T>(
    context: C,
    concerned: ConcernedPrincipals,
    work: (tx: InTransaction<C>) => Promise<T>,
    unique: UniqueRules = {},
  ): Promise<T> {
    return this.turns.run(concerned.tenantId ?? SERVER_TURNS, () =>
      this.unitOfWork.run(context, (tx) => this.keepingIn(tx, concerned, () => work(tx)), unique),
    );
  }

  /** Checks whether a user administers the server, rather than service accounts only. */
  serverHasUser(manager: EntityManager): Promise<boolean> {
    return this.repository.serverHasUser(manager);
  }

  private async keepingIn<T>(
    { manager }: InTransaction<RequestContext>,
    concerned: ConcernedPrincipals,
    work: () => Promise<T>,
  ): Promise<T> {
    const keepsServer = await this.lock(manager, concerned);
    const tenantIds = concerned.tenantId === null ? await this.repository.tenantsOfServerAccounts(manager) : [concerned.tenantId];
    const serverHadOne = keepsServer && (await this.repository.serverHasOne(manager));
    const tenantsHadOne = await this.repository.tenantsWithOne(manager, tenantIds);
    const result = await work();
    if (serverHadOne && !(await this.repository.serverHasOne(manager)))
      throw withoutAdministrator('server', Permission.ServerPermissionsWrite);
    const tenantsHaveOne = await this.repository.tenantsWithOne(manager, tenantsHadOne);
    if (tenantsHaveOne.length < tenantsHadOne.length) throw withoutAdministrator('tenant', Permission.TenantPermissionsWrite);
    return result;
  }

  /**
   * Takes the locks, always in the same order: all, tenant, server. Returns true if the server could lose an administrator. A tenant
   * without administrators of the server cannot take one away, so that its changes never wait for those of other tenants.
   */
  private async lock(manager: EntityManager, { tenantId, accountIds = [] }: ConcernedPrincipals): Promise<boolean> {
    if (tenantId === null || (await this.repository.hasServerAccount(manager, accountIds))) {
      await this.repository.lockAll(manager);
      return true;
    }
    await this.repository.lockTenant(manager, tenantId);
    const keepsServer = await this.repository.serverHasOneIn(manager, tenantId);
    if (keepsServer) await this.repository.lockServer(manager);
    return keepsServer;
  }
}

function withoutAdministrator(what: string, { name }: PermissionDefinition): Error {
  return invalid(
    `This would leave the ${what} without an administrator. Make someone else a ${what} administrator first: the permission is ${name}.`,
  );
}
