import { Injectable } from '@nestjs/common';

import type { RequestContext } from '../authentication/request-context.js';
import { invalid } from '../common/errors.js';
import type { InTransaction } from '../database/unit-of-work.js';
import { AdministratorsRepository } from './administrators.repository.js';
import { Permission, type PermissionDefinition } from './permission.js';

/**
 * Prevents the removal of the last administrator of the server or of a tenant. An administrator can sign in and
 * effectively holds `server.permissions.write` for the server, or `tenant.permissions.write` for the tenant.
 * Unrestricted accounts count for the server only. Deleting a tenant is exempt.
 */
@Injectable()
export class Administrators {
  constructor(private readonly repository: AdministratorsRepository) {}

  /**
   * Runs `work`. When it removes the last administrator of the server or of the tenant, the transaction is rolled back
   * with 400. A null tenant stands for work on server service accounts, which may administer several tenants.
   */
  async keeping<T>({ manager }: InTransaction<RequestContext>, tenantId: string | null, work: () => Promise<T>): Promise<T> {
    await this.repository.lock(manager);
    const tenantIds = tenantId === null ? await this.repository.tenantsOfServerAccounts(manager) : [tenantId];
    const serverHadOne = await this.repository.serverHasOne(manager);
    const tenantsHadOne = await this.repository.tenantsWithOne(manager, tenantIds);
    const result = await work();
    if (serverHadOne && !(await this.repository.serverHasOne(manager)))
      throw withoutAdministrator('server', Permission.ServerPermissionsWrite);
    const tenantsHaveOne = await this.repository.tenantsWithOne(manager, tenantsHadOne);
    if (tenantsHaveOne.length < tenantsHadOne.length) throw withoutAdministrator('tenant', Permission.TenantPermissionsWrite);
    return result;
  }
}

function withoutAdministrator(what: string, { name }: PermissionDefinition): Error {
  return invalid(`This would leave the ${what} without an administrator: give another principal that can sign in ${name} first.`);
}
