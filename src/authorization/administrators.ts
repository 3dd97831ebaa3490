import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import type { RequestContext } from '../authentication/request-context.js';
import { Clock } from '../common/clock.js';
import { invalid } from '../common/errors.js';
import type { InTransaction } from '../database/unit-of-work.js';
import { Permission } from './permission.js';

/** Advisory lock under which changes that could take an administrator away run one after another. */
const LOCK = 7_201_846_303;

const USABLE_CREDENTIAL = `EXISTS (SELECT 1 FROM service_account_credentials c
  WHERE c.service_account_id = s.id AND c.revoked_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > $1))`;

/** An enabled server account that bypasses every check and can sign in. */
const UNRESTRICTED_ACCOUNT = `EXISTS (SELECT 1 FROM service_accounts s
  WHERE s.kind = 'Server' AND s.access_mode = 'Unrestricted' AND s.is_enabled AND ${USABLE_CREDENTIAL})`;

/**
 * A principal that holds the permission $2 at a scope, directly or through a group, is not denied it there or at the
 * server, and can sign in: a user with a password or a token that carries all its rights, an enabled account with a usable
 * credential. `isAt` is the condition that an assignment is at the scope, `isOf` that the tenant column of a principal
 * allows it to be an administrator there.
 */
function holder(isAt: (assignment: string) => string, isOf: (tenantColumn: string) => string): string {
  return `EXISTS (
    SELECT 1 FROM (
      SELECT a.principal_kind AS kind, a.principal_id AS id FROM permission_assignments a
      WHERE a.permission_name = $2 AND a.is_enabled AND ${isAt('a')} AND a.effect = 'Allow' AND a.principal_kind IN ('User', 'ServiceAccount')
      UNION
      SELECT 'User', m.user_id FROM permission_assignments a JOIN user_group_members m ON m.user_group_id = a.principal_id
      WHERE a.permission_name = $2 AND a.is_enabled AND ${isAt('a')} AND a.effect = 'Allow' AND a.principal_kind = 'UserGroup'
    ) h
    LEFT JOIN users u ON h.kind = 'User' AND u.id = h.id
    LEFT JOIN service_accounts s ON h.kind = 'ServiceAccount' AND s.id = h.id
    WHERE (
        (u.account_type = 'User' AND ${isOf('u.tenant_id')}
          AND (u.password_hash IS NOT NULL OR EXISTS (SELECT 1 FROM personal_access_tokens t WHERE t.user_id = u.id
            AND t.permission_mode = 'InheritOwner' AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > $1))))
        OR (s.is_enabled AND (s.tenant_id IS NULL OR ${isOf('s.tenant_id')}) AND ${USABLE_CREDENTIAL})
      )
      AND NOT EXISTS (
        SELECT 1 FROM permission_assignments d
        WHERE d.permission_name = $2 AND d.is_enabled AND d.effect = 'Deny' AND (d.scope_kind = 'Server' OR (${isAt('d')}))
          AND ((d.principal_kind = h.kind AND d.principal_id = h.id)
            OR (d.principal_kind = 'UserGroup' AND h.kind = 'User'
              AND EXISTS (SELECT 1 FROM user_group_members g WHERE g.user_group_id = d.principal_id AND g.user_id = h.id)))
      ))`;
}

const SERVER_HAS_ONE = `SELECT ${UNRESTRICTED_ACCOUNT} OR ${holder(
  (assignment) => `${assignment}.scope_kind = 'Server'`,
  () => 'TRUE',
)} AS found`;

/** Those of the tenants $3 that have an administrator. */
const TENANTS_WITH_ONE = `SELECT tenant.id FROM unnest($3::uuid[]) AS tenant(id) WHERE ${holder(
  (assignment) => `${assignment}.scope_kind = 'Tenant' AND ${assignment}.scope_id = tenant.id`,
  (tenantColumn) => `${tenantColumn} = tenant.id`,
)}`;

/** The tenants in which service accounts of the server hold the permission $1. */
const TENANTS_OF_SERVER_ACCOUNTS = `
  SELECT DISTINCT a.scope_id AS id
  FROM service_accounts s JOIN permission_assignments a ON a.principal_kind = 'ServiceAccount' AND a.principal_id = s.id
  WHERE s.kind = 'Server' AND a.permission_name = $1 AND a.scope_kind = 'Tenant' AND a.effect = 'Allow' AND a.is_enabled`;

/**
 * Keeps the last administrator: a principal that can sign in and effectively holds `server.permissions.write` for the
 * server, `tenant.permissions.write` for a tenant. Unrestricted accounts count for the server.
 * Whatever path takes it away is undone with 400. Deleting a tenant is exempt.
 */
@Injectable()
export class Administrators {
  constructor(private readonly clock: Clock) {}

  /**
   * Runs a change; when it leaves the server, or a tenant that had an administrator, without one, everything is undone. The
   * tenant is the one that the change is about; null is a change of service accounts of the server, which may administer
   * several.
   */
  async keeping<T>(tx: InTransaction<RequestContext>, tenantId: string | null, work: () => Promise<T>): Promise<T> {
    await tx.manager.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    const tenantIds = tenantId === null ? await this.tenantsOfServerAccounts(tx.manager) : [tenantId];
    const hadServer = await this.serverHasOne(tx.manager);
    const had = await this.tenantsWithOne(tx.manager, tenantIds);
    const result = await work();
    if (hadServer && !(await this.serverHasOne(tx.manager))) {
      throw invalid(
        'This would leave the server without an administrator: give another principal that can sign in server.permissions.write first.',
      );
    }
    if ((await this.tenantsWithOne(tx.manager, had)).length < had.length) {
      throw invalid(
        'This would leave the tenant without an administrator: give another principal that can sign in tenant.permissions.write first.',
      );
    }
    return result;
  }

  private async serverHasOne(manager: EntityManager): Promise<boolean> {
    const parameters = [this.clock.now(), Permission.ServerPermissionsWrite.name];
    const [row] = await manager.query<{ found: boolean }[]>(SERVER_HAS_ONE, parameters);
    return row.found;
  }

  private async tenantsWithOne(manager: EntityManager, tenantIds: readonly string[]): Promise<string[]> {
    if (tenantIds.length === 0) return [];
    const parameters = [this.clock.now(), Permission.TenantPermissionsWrite.name, tenantIds];
    return idsOf(await manager.query<{ id: string }[]>(TENANTS_WITH_ONE, parameters));
  }

  private async tenantsOfServerAccounts(manager: EntityManager): Promise<string[]> {
    return idsOf(await manager.query<{ id: string }[]>(TENANTS_OF_SERVER_ACCOUNTS, [Permission.TenantPermissionsWrite.name]));
  }
}

function idsOf(rows: readonly { readonly id: string }[]): string[] {
  return rows.map(({ id }) => id);
}
