import { Injectable } from '@nestjs/common';

import type { RequestContext } from '../authentication/request-context.js';
import { invalid } from '../common/errors.js';
import type { InTransaction } from '../database/unit-of-work.js';
import { AdministratorsRepository } from './administrators.repository.js';
import { Permission, type PermissionDefinition } from './permission.js';

/**
 * Keeps the last administrator of the server and of each tenant: a principal that can sign in and effectively holds
 * `server.permissions.write` for the server, or `tenant.permissions.write` for the tenant. Unrestricted accounts count for the server
 * only. Deleting a tenant is exempt.
 */
@Injectable()
export class Administrators {
  constructor(private readonly repository: AdministratorsRepository) {}

  /**
   * Runs `work`. 400, and the transaction is undone, when it takes the last administrator from the server or from the tenant that it
   * concerns. Null concerns service accounts of the server, which may administer several tenants.
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
