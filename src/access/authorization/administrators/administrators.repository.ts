import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { Clock } from '../../../platform/common/runtime/clock.js';
import { Settings } from '../../../platform/config/settings.js';
import {
  AdvisoryLock,
  lockNamesUntilCommit,
  lockUntilCommit,
  NamedAdvisoryLock,
  shareLockUntilCommit,
} from '../../../platform/database/locks/advisory-locks.js';
import { Permission, type PermissionDefinition } from '../permissions/permission.js';
import { usableWaysOf } from './usable-ways.js';

const USABLE_CREDENTIAL = `EXISTS (SELECT 1 FROM service_account_credentials c
  WHERE c.service_account_id = s.id AND c.revoked_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > $1))`;

/** An enabled, unrestricted server account with a usable credential. */
const UNRESTRICTED_ACCOUNT = `EXISTS (SELECT 1 FROM service_accounts s
  WHERE s.kind = 'Server' AND s.access_mode = 'Unrestricted' AND s.is_enabled AND ${USABLE_CREDENTIAL})`;

/**
 * A principal that can sign in, holds the permission $2 at a scope directly or through a group, and has no Deny of it
 * there or at the server. Users who are not suspended can sign in with a password, a passkey or a login of another provider, as far as the
 * configuration lets them ($3 to $5), or with a token that inherits all their rights; service accounts when they are enabled and have a usable
 * credential. Nobody of a tenant that is being deleted can. `isAt` is the condition for an assignment at the scope.
 * `isOf` is the condition on a principal's tenant column, which is null for server accounts, that makes it eligible.
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
        (u.account_type = 'User' AND u.suspended_at IS NULL AND ${isOf('u.tenant_id')}
          AND (((u.email_confirmed OR NOT $5::boolean) AND (u.password_hash IS NOT NULL
              OR ($4::boolean AND EXISTS (SELECT 1 FROM passkeys k WHERE k.user_id = u.id))
              OR EXISTS (SELECT 1 FROM external_logins l WHERE l.user_id = u.id AND l.provider = ANY($3::text[]))))
            OR EXISTS (SELECT 1 FROM personal_access_tokens t WHERE t.user_id = u.id
              AND t.permission_mode = 'InheritOwner' AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > $1))))
        OR (s.is_enabled AND ${isOf('s.tenant_id')} AND ${USABLE_CREDENTIAL})
      )
      AND NOT EXISTS (SELECT 1 FROM tenants gone WHERE gone.id = COALESCE(u.tenant_id, s.tenant_id) AND gone.deleted_at IS NOT NULL)
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

const SERVER_HAS_USER = `SELECT ${holder(
  (assignment) => `${assignment}.scope_kind = 'Server'`,
  // The row of a service account has no user, so its tenant equals none.
  (tenantColumn) => `${tenantColumn} = u.tenant_id`,
)} AS found`;

/** Those of the tenants $6 that have an administrator. */
const TENANTS_WITH_ONE = `SELECT tenant.id FROM unnest($6::uuid[]) AS tenant(id) WHERE ${holder(
  (assignment) => `${assignment}.scope_kind = 'Tenant' AND ${assignment}.scope_id = tenant.id`,
  (tenantColumn) => `(${tenantColumn} = tenant.id OR ${tenantColumn} IS NULL)`,
)}`;

/** Checks whether a user or account of the tenant $6 is an administrator of the server. */
const SERVER_HAS_ONE_IN_TENANT = `SELECT ${holder(
  (assignment) => `${assignment}.scope_kind = 'Server'`,
  (tenantColumn) => `${tenantColumn} = $6`,
)} AS found`;

/** Checks whether one of the service accounts $1 is the server's. */
const HAS_SERVER_ACCOUNT = `SELECT EXISTS (
  SELECT 1 FROM service_accounts WHERE id = ANY($1::uuid[]) AND tenant_id IS NULL) AS found`;

/** The tenants in which server service accounts hold the permission $1. */
const TENANTS_OF_SERVER_ACCOUNTS = `
  SELECT DISTINCT a.scope_id AS id
  FROM service_accounts s JOIN permission_assignments a ON a.principal_kind = 'ServiceAccount' AND a.principal_id = s.id
  WHERE s.kind = 'Server' AND a.permission_name = $1 AND a.scope_kind = 'Tenant' AND a.effect = 'Allow' AND a.is_enabled`;

/** Finds administrators within a transaction. */
@Injectable()
export class AdministratorsRepository {
  constructor(
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  /** Makes the transaction the only one, in all tenants, that may take an administrator away until it ends; waits for others. */
  async lockAll(manager: EntityManager): Promise<void> {
    await lockUntilCommit(manager, AdvisoryLock.Administrators);
  }

  /** Makes the transaction the only one that may take an administrator of the tenant away until it ends; waits for others. */
  async lockTenant(manager: EntityManager, tenantId: string): Promise<void> {
    await shareLockUntilCommit(manager, AdvisoryLock.Administrators);
    await lockNamesUntilCommit(manager, NamedAdvisoryLock.TenantAdministrators, [tenantId]);
  }

  /** Makes the transaction the only one that may take an administrator of the server away, too. It comes after {@link lockTenant}. */
  async lockServer(manager: EntityManager): Promise<void> {
    await lockUntilCommit(manager, AdvisoryLock.ServerAdministrators);
  }

  /** Checks whether one of the service accounts belongs to the server. That never changes. */
  async hasServerAccount(manager: EntityManager, accountIds: readonly string[]): Promise<boolean> {
    return accountIds.length > 0 && isFound(await manager.query<Found[]>(HAS_SERVER_ACCOUNT, [accountIds]));
  }

  /** Checks whether the server has an administrator. */
  async serverHasOne(manager: EntityManager): Promise<boolean> {
    return isFound(await manager.query<Found[]>(SERVER_HAS_ONE, this.about(Permission.ServerPermissionsWrite)));
  }

  /** Checks whether a user administers the server. */
  async serverHasUser(manager: EntityManager): Promise<boolean> {
    return isFound(await manager.query<Found[]>(SERVER_HAS_USER, this.about(Permission.ServerPermissionsWrite)));
  }

  /** Checks whether an administrator of the server is a user or account of the tenant. */
  async serverHasOneIn(manager: EntityManager, tenantId: string): Promise<boolean> {
    const parameters = [...this.about(Permission.ServerPermissionsWrite), tenantId];
    return isFound(await manager.query<Found[]>(SERVER_HAS_ONE_IN_TENANT, parameters));
  }

  /** Those of the tenants that have an administrator. */
  async tenantsWithOne(manager: EntityManager, tenantIds: readonly string[]): Promise<string[]> {
    if (tenantIds.length === 0) return [];
    const parameters = [...this.about(Permission.TenantPermissionsWrite), tenantIds];
    return idsOf(await manager.query<{ id: string }[]>(TENANTS_WITH_ONE, parameters));
  }

  /** The tenants that server service accounts may administer. */
  async tenantsOfServerAccounts(manager: EntityManager): Promise<string[]> {
    return idsOf(await manager.query<{ id: string }[]>(TENANTS_OF_SERVER_ACCOUNTS, [Permission.TenantPermissionsWrite.name]));
  }

  /** The values of $1 to $5 in {@link holder}. */
  private about({ name }: PermissionDefinition): unknown[] {
    const { providers, passkeys, needsConfirmation } = usableWaysOf(this.settings);
    return [this.clock.now(), name, providers, passkeys, needsConfirmation];
  }
}

type Found = { readonly found: boolean };

function isFound([row]: readonly Found[]): boolean {
  return row.found;
}

function idsOf(rows: readonly { readonly id: string }[]): string[] {
  return rows.map(({ id }) => id);
}
