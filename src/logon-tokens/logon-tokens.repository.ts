import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** A logon token that nobody can use any more, with the number of rows that it carried. */
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

/** Longest time between the creation of a token and the end of the session that it opened: a day each. */
const LONGEST_LIFE = `interval '2 days'`;

/** Those whose last possible use lies before $1: never used and expired, or used and the session ended. */
const EXPIRED = `
  SELECT t.id, t.tenant_id, (SELECT count(*)::integer FROM permission_assignments a
                             WHERE a.principal_kind = 'LogonToken' AND a.principal_id = t.id) AS scope_count
  FROM logon_tokens t
  WHERE t.expires_at < $1
    AND (t.consumed_at IS NULL OR t.consumed_at + t.session_expiration_minutes * interval '1 minute' < $1)
  ORDER BY t.id LIMIT $2 FOR UPDATE SKIP LOCKED`;

/** Tokens that are gone and left rows behind. */
const ORPHANED = `
  SELECT a.principal_id AS id, min(a.owning_tenant_id::text)::uuid AS tenant_id, count(*)::integer AS scope_count
  FROM permission_assignments a
  WHERE a.principal_kind = 'LogonToken' AND NOT EXISTS (SELECT 1 FROM logon_tokens t WHERE t.id = a.principal_id)
  GROUP BY a.principal_id HAVING max(a.created_at) < $1::timestamptz - ${LONGEST_LIFE}
  ORDER BY a.principal_id LIMIT $2`;

/** The SQL of logon tokens. */
@Injectable()
export class LogonTokensRepository {
  /** Whether the tenant has the device; if so, both are there until the transaction ends. The tenant is locked first, as everywhere. */
  async holdDevice(manager: EntityManager, tenantId: string, deviceId: string): Promise<boolean> {
    const tenants = await manager.query<object[]>('SELECT 1 FROM tenants WHERE id = $1 FOR KEY SHARE', [tenantId]);
    if (tenants.length === 0) return false;
    const devices = await manager.query<object[]>('SELECT 1 FROM devices WHERE id = $1 AND tenant_id = $2 FOR KEY SHARE', [
      deviceId,
      tenantId,
    ]);
    return devices.length > 0;
  }

  /** Whether the tenant has the user; if so, it is there until the transaction ends. */
  async holdUser(manager: EntityManager, tenantId: string, userId: string): Promise<boolean> {
    const users = await manager.query<object[]>('SELECT 1 FROM users WHERE id = $1 AND tenant_id = $2 FOR KEY SHARE', [userId, tenantId]);
    return users.length > 0;
  }

  /** Tokens whose last possible use lies before an instant, locked for removal. */
  async lockExpired(manager: EntityManager, before: Date, limit: number): Promise<SpentToken[]> {
    return (await manager.query<SpentRow[]>(EXPIRED, [before, limit])).map(fromRow);
  }

  /** Tokens whose row is gone and whose last possible use lies before an instant, but whose assignments are still there. */
  async orphaned(manager: EntityManager, before: Date, limit: number): Promise<SpentToken[]> {
    return (await manager.query<SpentRow[]>(ORPHANED, [before, limit])).map(fromRow);
  }

  /** Deletes tokens and what they carry. */
  async remove(manager: EntityManager, ids: readonly string[]): Promise<void> {
    await manager.query(`DELETE FROM permission_assignments WHERE principal_kind = 'LogonToken' AND principal_id = ANY($1::uuid[])`, [ids]);
    await manager.query('DELETE FROM logon_tokens WHERE id = ANY($1::uuid[])', [ids]);
  }
}

function fromRow({ id, tenant_id, scope_count }: SpentRow): SpentToken {
  return { id, tenantId: tenant_id, scopeCount: scope_count };
}
