import { Injectable } from '@nestjs/common';
import { IsNull, MoreThan, type EntityManager } from 'typeorm';

import { LogonToken } from './logon-token.entity.js';

/** A logon token that can no longer be used, with the number of its assignments. */
export interface SpentToken {
  readonly id: string;
  readonly tenantId: string | null;
  readonly scopeCount: number;
}

interface SpentRow {
  readonly id: string;
  readonly tenant_id: string | null;
  readonly scope_count: number;
}

/** Longest time from the creation of a token to the end of its session: one day each. */
const LONGEST_LIFE = `interval '2 days'`;

/** Tokens whose last possible use is before $1: expired without use, or used and the session has ended. */
const EXPIRED = `
  SELECT t.id, t.tenant_id, (SELECT count(*)::integer FROM permission_assignments a
                             WHERE a.principal_kind = 'LogonToken' AND a.principal_id = t.id) AS scope_count
  FROM logon_tokens t
  WHERE t.expires_at < $1
    AND (t.consumed_at IS NULL OR t.consumed_at + t.session_expiration_minutes * interval '1 minute' < $1)
  ORDER BY t.id LIMIT $2 FOR UPDATE SKIP LOCKED`;

/** Deleted tokens that left assignments behind. */
const ORPHANED = `
  SELECT a.principal_id AS id, min(a.owning_tenant_id::text)::uuid AS tenant_id, count(*)::integer AS scope_count
  FROM permission_assignments a
  WHERE a.principal_kind = 'LogonToken' AND NOT EXISTS (SELECT 1 FROM logon_tokens t WHERE t.id = a.principal_id)
  GROUP BY a.principal_id HAVING max(a.created_at) < $1::timestamptz - ${LONGEST_LIFE}
  ORDER BY a.principal_id LIMIT $2`;

/** A row if the tenant $1 exists, and neither the user $2 nor the maker $3 of a token is suspended or disabled. */
const IS_OPEN = `
  SELECT 1 FROM tenants WHERE id = $1 AND deleted_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM users u WHERE u.id IN ($2, $3) AND u.suspended_at IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM service_accounts a WHERE a.id = $3 AND NOT a.is_enabled)`;

/** The SQL of logon tokens. */
@Injectable()
export class LogonTokensRepository {
  /** Checks that the tenant has the device. If so, locks both until the transaction ends: the tenant first, as everywhere. */
  async holdDevice(manager: EntityManager, tenantId: string, deviceId: string): Promise<boolean> {
    const tenants = await manager.query<object[]>('SELECT 1 FROM tenants WHERE id = $1 AND deleted_at IS NULL FOR KEY SHARE', [tenantId]);
    if (tenants.length === 0) return false;
    const devices = await manager.query<object[]>('SELECT 1 FROM devices WHERE id = $1 AND tenant_id = $2 FOR KEY SHARE', [
      deviceId,
      tenantId,
    ]);
    return devices.length > 0;
  }

  /** Checks that the tenant has the user. If so, the user is locked until the transaction ends. */
  async holdUser(manager: EntityManager, tenantId: string, userId: string): Promise<boolean> {
    const users = await manager.query<object[]>('SELECT 1 FROM users WHERE id = $1 AND tenant_id = $2 FOR KEY SHARE', [userId, tenantId]);
    return users.length > 0;
  }

  /** The token, locked until the transaction ends, if it still opens a session on that device; null otherwise. */
  async lockUsable(manager: EntityManager, id: string, deviceId: string, now: Date): Promise<LogonToken | null> {
    const token = await manager.findOne(LogonToken, {
      where: { id, deviceId, consumedAt: IsNull(), expiresAt: MoreThan(now) },
      lock: { mode: 'pessimistic_write' },
    });
    if (token === null) return null;
    const open = await manager.query<object[]>(IS_OPEN, [token.tenantId, token.userId, token.makerId]);
    return open.length > 0 ? token : null;
  }

  /** Tokens whose last possible use is before an instant, locked for deletion. */
  async lockExpired(manager: EntityManager, before: Date, limit: number): Promise<SpentToken[]> {
    return (await manager.query<SpentRow[]>(EXPIRED, [before, limit])).map(fromRow);
  }

  /** Deleted tokens whose last possible use is before an instant and whose assignments still exist. */
  async orphaned(manager: EntityManager, before: Date, limit: number): Promise<SpentToken[]> {
    return (await manager.query<SpentRow[]>(ORPHANED, [before, limit])).map(fromRow);
  }

  /** Deletes tokens and their assignments. */
  async remove(manager: EntityManager, ids: readonly string[]): Promise<void> {
    await manager.query(`DELETE FROM permission_assignments WHERE principal_kind = 'LogonToken' AND principal_id = ANY($1::uuid[])`, [ids]);
    await manager.query('DELETE FROM logon_tokens WHERE id = ANY($1::uuid[])', [ids]);
  }
}

function fromRow({ id, tenant_id, scope_count }: SpentRow): SpentToken {
  return { id, tenantId: tenant_id, scopeCount: scope_count };
}
