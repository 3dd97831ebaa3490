import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { AccessDataSource } from '../../database/reserved-data-source.js';
import type { UserPrincipal } from '../principal.js';

/** A session as requests are checked against it. */
export interface StoredBearerSession {
  readonly hashedAccess: Buffer;
  /** Milliseconds since 1970. */
  readonly accessExpiresAt: number;
  readonly principal: UserPrincipal;
}

/** A session as it is refreshed. */
export interface RefreshableSession {
  readonly userId: string;
  readonly hashedLineage: Buffer;
  readonly hashedRefresh: Buffer;
  readonly refreshExpiresAt: Date;
}

interface SessionRow {
  readonly hashed_access: Buffer;
  readonly access_expires_at: Date;
  readonly user_id: string;
  readonly tenant_id: string;
  readonly user_name: string;
  readonly require_password_change: boolean;
}

/** A session counts only while its user has the stamp that it began with. */
const COUNTS = `
  FROM bearer_sessions s JOIN users u ON u.id = s.user_id AND u.security_stamp = s.security_stamp
  JOIN tenants ON tenants.id = u.tenant_id AND tenants.deleted_at IS NULL
  WHERE s.id = $1`;

const FIND = `
  SELECT s.hashed_access, s.access_expires_at, u.id AS user_id, u.tenant_id, u.user_name, u.require_password_change ${COUNTS}`;

/** Of several who refresh a session at the same time, each waits for the one before. */
const LOCK = `
  SELECT s.user_id AS "userId", s.hashed_lineage AS "hashedLineage", s.hashed_refresh AS "hashedRefresh",
         s.refresh_expires_at AS "refreshExpiresAt" ${COUNTS} FOR UPDATE OF s`;

/** Sessions that cannot be refreshed any more, and those whose user has another stamp. */
const REMOVE_ENDED = `
  DELETE FROM bearer_sessions WHERE ctid = ANY (ARRAY(
    SELECT s.ctid FROM bearer_sessions s JOIN users u ON u.id = s.user_id
    WHERE (s.refresh_expires_at < $1 AND s.access_expires_at < $1) OR s.security_stamp <> u.security_stamp LIMIT $2))`;

/** The SQL of bearer sessions. */
@Injectable()
export class BearerSessionsRepository {
  constructor(private readonly dataSource: AccessDataSource) {}

  /** The session of that id, or null when it, its user, or the user's tenant is gone. */
  async find(id: string, manager: EntityManager = this.dataSource.manager): Promise<StoredBearerSession | null> {
    const [row] = await manager.query<SessionRow[]>(FIND, [id]);
    if (row === undefined) return null;
    return {
      hashedAccess: row.hashed_access,
      accessExpiresAt: row.access_expires_at.getTime(),
      principal: {
        type: 'User',
        id: row.user_id,
        tenantId: row.tenant_id,
        name: row.user_name,
        mustChangePassword: row.require_password_change,
        credential: { type: 'Bearer', id },
      },
    };
  }

  /** The same with what refreshing needs, locked until the transaction ends. */
  async lock(manager: EntityManager, id: string): Promise<RefreshableSession | null> {
    const [row] = await manager.query<RefreshableSession[]>(LOCK, [id]);
    return row ?? null;
  }

  /** Deletes sessions that are over, at most so many, and returns how many. */
  async removeEnded(manager: EntityManager, now: Date, limit: number): Promise<number> {
    const [, count] = await manager.query<[unknown[], number]>(REMOVE_ENDED, [now, limit]);
    return count;
  }
}
