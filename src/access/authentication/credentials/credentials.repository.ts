import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { AccessDataSource } from '../../../platform/database/connection/reserved-data-source.js';
import type { ServerServiceAccountPrincipal, TenantServiceAccountPrincipal, UserPrincipal } from '../principals/principal.js';

/** A stored machine credential with the principal that it authenticates. */
export interface StoredCredential<P> {
  readonly hashedSecret: Buffer;
  /** Milliseconds since 1970; null when it never expires. */
  readonly expiresAt: number | null;
  readonly isRevoked: boolean;
  /** True if the account or user behind it may authenticate at all. */
  readonly isOwnerActive: boolean;
  /** End of the user's lock-out, in milliseconds since 1970; null when the user is not locked out. */
  readonly lockedUntil: number | null;
  readonly principal: P;
}

export type ServiceAccountPrincipal = TenantServiceAccountPrincipal | ServerServiceAccountPrincipal;

interface ServiceAccountRow {
  readonly hashed_secret: Buffer;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly account_id: string;
  readonly kind: string;
  readonly tenant_id: string | null;
  readonly name: string;
  readonly is_enabled: boolean;
  readonly access_mode: 'Restricted' | 'Unrestricted';
}

interface PersonalAccessTokenRow {
  readonly hashed_secret: Buffer;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly permission_mode: 'Restricted' | 'InheritOwner';
  readonly user_id: string;
  readonly tenant_id: string;
  readonly user_name: string;
  readonly lockout_end: Date | null;
  readonly is_suspended: boolean;
  readonly require_password_change: boolean;
}

/** Locks the credential $1, of whatever kind: nobody ends it before the transaction does. */
const HOLD = `
  WITH account_key AS (SELECT 1 FROM service_account_credentials WHERE id = $1 FOR SHARE),
       personal_token AS (SELECT 1 FROM personal_access_tokens WHERE id = $1 FOR SHARE),
       logon_token AS (SELECT 1 FROM logon_tokens WHERE id = $1 FOR SHARE)
  SELECT FROM account_key UNION ALL SELECT FROM personal_token UNION ALL SELECT FROM logon_token`;

/** Reads machine credentials by their id. */
@Injectable()
export class CredentialsRepository {
  constructor(private readonly dataSource: AccessDataSource) {}

  /** The service account credential of that id, or null. */
  async serviceAccountCredential(
    id: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<StoredCredential<ServiceAccountPrincipal> | null> {
    const [row] = await manager.query<ServiceAccountRow[]>(
      `SELECT c.hashed_secret, c.expires_at, c.revoked_at,
              a.id AS account_id, a.kind, a.tenant_id, a.name, a.is_enabled, a.access_mode
       FROM service_account_credentials c JOIN service_accounts a ON a.id = c.service_account_id
       LEFT JOIN tenants ON tenants.id = a.tenant_id
       WHERE c.id = $1 AND tenants.deleted_at IS NULL`,
      [id],
    );
    if (row === undefined) return null;
    const common = { id: row.account_id, name: row.name, credentialId: id };
    return {
      hashedSecret: row.hashed_secret,
      expiresAt: row.expires_at?.getTime() ?? null,
      isRevoked: row.revoked_at !== null,
      isOwnerActive: row.is_enabled,
      lockedUntil: null,
      principal:
        row.tenant_id === null
          ? { type: 'ServerServiceAccount', ...common, accessMode: row.access_mode }
          : { type: 'TenantServiceAccount', ...common, tenantId: row.tenant_id },
    };
  }

  /** The personal access token of that id, or null. */
  async personalAccessToken(id: string, manager: EntityManager = this.dataSource.manager): Promise<StoredCredential<UserPrincipal> | null> {
    const [row] = await manager.query<PersonalAccessTokenRow[]>(
      `SELECT t.hashed_secret, t.expires_at, t.revoked_at, t.permission_mode,
              u.id AS user_id, u.tenant_id, u.user_name, u.lockout_end, u.require_password_change,
              u.suspended_at IS NOT NULL AS is_suspended
       FROM personal_access_tokens t JOIN users u ON u.id = t.user_id JOIN tenants ON tenants.id = u.tenant_id
       WHERE t.id = $1 AND tenants.deleted_at IS NULL`,
      [id],
    );
    if (row === undefined) return null;
    return {
      hashedSecret: row.hashed_secret,
      expiresAt: row.expires_at?.getTime() ?? null,
      isRevoked: row.revoked_at !== null,
      isOwnerActive: !row.is_suspended,
      lockedUntil: row.lockout_end?.getTime() ?? null,
      principal: {
        type: 'User',
        id: row.user_id,
        tenantId: row.tenant_id,
        name: row.user_name,
        credential: { type: 'PersonalAccessToken', id, mode: row.permission_mode },
        mustChangePassword: row.require_password_change,
      },
    };
  }

  /** Keeps a credential from being revoked or deleted until the transaction ends. */
  async hold(manager: EntityManager, id: string): Promise<void> {
    await manager.query(HOLD, [id]);
  }

  /** Stores the times of last use. Ids that no longer exist are ignored. */
  async recordUse(table: UsedCredentialTable, uses: ReadonlyMap<string, Date>): Promise<void> {
    const column = LAST_USE[table];
    await this.dataSource.query(
      `UPDATE ${table} c SET ${column} = GREATEST(c.${column}, u.used_at)
       FROM unnest($1::uuid[], $2::timestamptz[]) AS u(id, used_at) WHERE c.id = u.id`,
      [[...uses.keys()], [...uses.values()]],
    );
  }
}

/** Tables of credentials whose last use is stored, with the column that stores it. */
const LAST_USE = {
  service_account_credentials: 'last_used_at',
  personal_access_tokens: 'last_used',
  sessions: 'last_used_at',
} as const;

export type UsedCredentialTable = keyof typeof LAST_USE;
