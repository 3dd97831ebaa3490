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
 * A principal that holds the permission $2 at the scope ($3, $4), directly or through a group, is not denied it there or
 * at the server, and can sign in: a user with a password or a token that carries all its rights, an enabled account with a
 * usable credential.
 */
const HOLDER = `EXISTS (
  SELECT 1 FROM (
    SELECT a.principal_kind AS kind, a.principal_id AS id, a.effect FROM permission_assignments a
    WHERE a.permission_name = $2 AND a.is_enabled AND a.scope_kind = $3 AND a.scope_id IS NOT DISTINCT FROM $4::uuid
      AND a.effect = 'Allow' AND a.principal_kind IN ('User', 'ServiceAccount')
    UNION
    SELECT 'User', m.user_id, a.effect FROM permission_assignments a JOIN user_group_members m ON m.user_group_id = a.principal_id
    WHERE a.permission_name = $2 AND a.is_enabled AND a.scope_kind = $3 AND a.scope_id IS NOT DISTINCT FROM $4::uuid
      AND a.effect = 'Allow' AND a.principal_kind = 'UserGroup'
  ) h
  LEFT JOIN users u ON h.kind = 'User' AND u.id = h.id
  LEFT JOIN service_accounts s ON h.kind = 'ServiceAccount' AND s.id = h.id
  WHERE (
      (u.account_type = 'User' AND ($4::uuid IS NULL OR u.tenant_id = $4::uuid)
        AND (u.password_hash IS NOT NULL OR EXISTS (SELECT 1 FROM personal_access_tokens t WHERE t.user_id = u.id
          AND t.permission_mode = 'InheritOwner' AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > $1))))
      OR (s.is_enabled AND ($4::uuid IS NULL OR s.tenant_id IS NULL OR s.tenant_id = $4::uuid) AND ${USABLE_CREDENTIAL})
    )
    AND NOT EXISTS (
      SELECT 1 FROM permission_assignments d
      WHERE d.permission_name = $2 AND d.is_enabled AND d.effect = 'Deny'
        AND (d.scope_kind = 'Server' OR (d.scope_kind = $3 AND d.scope_id IS NOT DISTINCT FROM $4::uuid))
        AND ((d.principal_kind = h.kind AND d.principal_id = h.id)
          OR (d.principal_kind = 'UserGroup' AND h.kind = 'User'
            AND EXISTS (SELECT 1 FROM user_group_members g WHERE g.user_group_id = d.principal_id AND g.user_id = h.id)))
    ))`;

/**
 * Keeps the last administrator: a principal that can sign in and effectively holds `server.permissions.write` for the
 * server, `tenant.permissions.write` for a tenant (ruling on administrators; Unrestricted accounts count for the server).
 * Whatever path takes it away is undone with 400. Deleting a tenant is exempt.
 */
@Injectable()
export class Administrators {
  constructor(private readonly clock: Clock) {}

  /** Runs a change; when it leaves the server, or the tenant, that had an administrator without one, everything is undone. */
  async keeping<T>(tx: InTransaction<RequestContext>, tenantId: string | null, work: () => Promise<T>): Promise<T> {
    await tx.manager.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    const hadServer = await this.serverHasOne(tx.manager);
    const hadTenant = tenantId !== null && (await this.tenantHasOne(tx.manager, tenantId));
    const result = await work();
    if (hadServer && !(await this.serverHasOne(tx.manager))) {
      throw invalid(
        'This would leave the server without an administrator: give another principal that can sign in server.permissions.write first.',
      );
    }
    if (hadTenant && !(await this.tenantHasOne(tx.manager, tenantId))) {
      throw invalid(
        'This would leave the tenant without an administrator: give another principal that can sign in tenant.permissions.write first.',
      );
    }
    return result;
  }

  private async serverHasOne(manager: EntityManager): Promise<boolean> {
    const parameters = [this.clock.now(), Permission.ServerPermissionsWrite.name, 'Server', null];
    return this.exists(manager, `${UNRESTRICTED_ACCOUNT} OR ${HOLDER}`, parameters);
  }

  private async tenantHasOne(manager: EntityManager, tenantId: string): Promise<boolean> {
    return this.exists(manager, HOLDER, [this.clock.now(), Permission.TenantPermissionsWrite.name, 'Tenant', tenantId]);
  }

  private async exists(manager: EntityManager, condition: string, parameters: readonly unknown[]): Promise<boolean> {
    const [row] = await manager.query<{ found: boolean }[]>(`SELECT ${condition} AS found`, [...parameters]);
    return row?.found ?? false;
  }
}
