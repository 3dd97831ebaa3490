import { Injectable } from '@nestjs/common';
import { IsNull, MoreThan, Not, type EntityManager } from 'typeorm';

import { AccessDataSource } from '../../../platform/database/connection/reserved-data-source.js';
import type { TokenMaker, UserCredential, UserPrincipal } from '../principals/principal.js';
import { FormerToken } from './former-token.entity.js';
import { Session } from './session.entity.js';

/** Access tokens of a session that count beside the last one. A program that refreshes more often loses the oldest. */
const MAXIMUM_FORMER_ACCESS = 100;

/** A session as requests are checked against it. */
export interface StoredSession {
  readonly id: string;
  readonly hashedSecret: Buffer;
  /** Times in milliseconds since 1970. */
  readonly expiresAt: number;
  /** Expiry of a program's access token; null for browsers. */
  readonly accessExpiresAt: number | null;
  /** Access tokens of a program that were given out before the last one and have not expired. */
  readonly formerAccess: readonly { readonly hashedSecret: Buffer; readonly expiresAt: number }[];
  lastUsedAt: number;
  readonly principal: UserPrincipal;
}

/** The session of a program as it gets new tokens. */
export interface RefreshableSession {
  readonly userId: string;
  readonly hashedLineage: Buffer;
  readonly hashedRefresh: Buffer;
  readonly refreshExpiresAt: Date;
}

interface SessionRow {
  readonly hashed_secret: Buffer;
  readonly expires_at: Date;
  readonly access_expires_at: Date | null;
  readonly last_used_at: Date;
  readonly proven_at: Date;
  readonly user_id: string;
  readonly tenant_id: string;
  readonly user_name: string;
  readonly require_password_change: boolean;
  readonly token_id: string | null;
  readonly device_id: string;
  readonly allowed_desktop_session_ids: number[] | null;
  readonly user_correlation_id: string | null;
  readonly session_correlation_id: string | null;
  readonly maker_kind: TokenMaker['kind'] | null;
  readonly maker_id: string;
  readonly maker_tenant_id: string | null;
  readonly is_maker_unrestricted: boolean;
  readonly restricted_token_id: string | null;
}

/**
 * Finds a session, which counts only while its user has the stamp that it began with. Neither its user nor the maker of the logon token
 * that opened it may be suspended or disabled.
 */
const FIND = `
  SELECT s.hashed_secret, s.expires_at, s.access_expires_at, s.last_used_at, s.proven_at, u.id AS user_id, u.tenant_id, u.user_name, u.require_password_change,
         t.id AS token_id, t.device_id, t.allowed_desktop_session_ids, t.user_correlation_id, t.session_correlation_id,
         t.maker_kind, t.maker_id, COALESCE(mu.tenant_id, ma.tenant_id) AS maker_tenant_id,
         COALESCE(ma.access_mode = 'Unrestricted' AND ma.tenant_id IS NULL, FALSE) AS is_maker_unrestricted, mt.id AS restricted_token_id
  FROM sessions s JOIN users u ON u.id = s.user_id AND u.security_stamp = s.security_stamp
  JOIN tenants ON tenants.id = u.tenant_id AND tenants.deleted_at IS NULL
  LEFT JOIN logon_tokens t ON t.id = s.logon_token_id
  LEFT JOIN users mu ON mu.id = t.maker_id AND t.maker_kind = 'User'
  LEFT JOIN service_accounts ma ON ma.id = t.maker_id AND t.maker_kind = 'ServiceAccount'
  LEFT JOIN personal_access_tokens mt ON mt.id = t.made_with_credential_id AND mt.permission_mode = 'Restricted'
  WHERE s.id = $1 AND u.suspended_at IS NULL AND mu.suspended_at IS NULL AND ma.is_enabled IS NOT FALSE`;

const FORMER_ACCESS = `SELECT hashed_secret, counts_until FROM former_tokens WHERE session_id = $1 AND kind = 'Access'`;

/** Locks a session: of several programs that refresh it at the same time, each waits for the one before. */
const LOCK_REFRESHABLE = `
  SELECT s.user_id AS "userId", s.hashed_lineage AS "hashedLineage", s.hashed_refresh AS "hashedRefresh",
         s.refresh_expires_at AS "refreshExpiresAt"
  FROM sessions s JOIN users u ON u.id = s.user_id AND u.security_stamp = s.security_stamp
  JOIN tenants ON tenants.id = u.tenant_id AND tenants.deleted_at IS NULL
  WHERE s.id = $1 AND u.suspended_at IS NULL AND s.hashed_refresh IS NOT NULL FOR UPDATE OF s`;

/** Keeps the access token of the session $1, and its refresh token $2 until $3, and removes former tokens that are over at $4. */
const KEEP_FORMER = `
  WITH over AS (DELETE FROM former_tokens WHERE session_id = $1 AND counts_until <= $4),
  kept AS (
    SELECT id, hashed_secret, 'Access' AS kind, access_expires_at AS counts_until FROM sessions WHERE id = $1 AND access_expires_at > $4
    UNION ALL SELECT $1, $2, 'Refresh', $3)
  INSERT INTO former_tokens (session_id, hashed_secret, kind, counts_until) SELECT * FROM kept
  ON CONFLICT (session_id, hashed_secret) DO NOTHING`;

/** Forgets the oldest access tokens of the session $1 but for $2, for a program that refreshes without end. */
const FORGET_OLDEST = `
  DELETE FROM former_tokens WHERE session_id = $1 AND hashed_secret IN (
    SELECT hashed_secret FROM former_tokens WHERE session_id = $1 AND kind = 'Access' ORDER BY counts_until DESC OFFSET $2)`;

/** Removes sessions that ended by themselves, and those whose user has another stamp. */
const REMOVE_ENDED = `
  DELETE FROM sessions WHERE ctid = ANY (ARRAY(
    SELECT s.ctid FROM sessions s JOIN users u ON u.id = s.user_id
    WHERE s.expires_at < $1 OR (s.last_used_at < $2 AND s.access_expires_at IS NULL) OR s.security_stamp <> u.security_stamp LIMIT $3))`;

const REMOVE_OTHERS = 'DELETE FROM sessions WHERE user_id = $1 AND id IS DISTINCT FROM $2::uuid RETURNING id';

/** The SQL of sessions. */
@Injectable()
export class SessionsRepository {
  constructor(private readonly dataSource: AccessDataSource) {}

  /** The session of that id, or null when it, its user, or the user's tenant is gone. */
  async find(id: string, manager: EntityManager = this.dataSource.manager): Promise<StoredSession | null> {
    const [row] = await manager.query<SessionRow[]>(FIND, [id]);
    if (row === undefined) return null;
    return {
      id,
      formerAccess: row.access_expires_at === null ? [] : await this.formerAccess(manager, id),
      hashedSecret: row.hashed_secret,
      expiresAt: row.expires_at.getTime(),
      accessExpiresAt: row.access_expires_at?.getTime() ?? null,
      lastUsedAt: row.last_used_at.getTime(),
      principal: {
        type: 'User',
        id: row.user_id,
        tenantId: row.tenant_id,
        name: row.user_name,
        // An administrator's reset of the password does not concern a user who was signed in by a link.
        mustChangePassword: row.token_id === null && row.require_password_change,
        credential: credentialOf(id, row),
      },
    };
  }

  /** The sessions of a user that began with the user's present stamp and are not over, the last used first. */
  async list(
    manager: EntityManager,
    userId: string,
    { now, idleSince }: { readonly now: Date; readonly idleSince: Date },
    limit: number,
  ): Promise<Session[]> {
    const [user] = await manager.query<{ security_stamp: string }[]>('SELECT security_stamp FROM users WHERE id = $1', [userId]);
    if (user === undefined) return [];
    const open = { userId, securityStamp: user.security_stamp, expiresAt: MoreThan(now) };
    return manager.find(Session, {
      where: [
        { ...open, accessExpiresAt: IsNull(), lastUsedAt: MoreThan(idleSince) },
        { ...open, accessExpiresAt: Not(IsNull()) },
      ],
      order: { lastUsedAt: 'DESC', id: 'ASC' },
      take: limit,
    });
  }

  /**
   * The session of a program with the values that new tokens need, locked until the transaction ends; null as {@link find}, and for
   * browsers.
   */
  async lockRefreshable(manager: EntityManager, id: string): Promise<RefreshableSession | null> {
    const [row] = await manager.query<RefreshableSession[]>(LOCK_REFRESHABLE, [id]);
    return row ?? null;
  }

  /** End of the time in which a former refresh token of a session may be used again; null when it may not be used. */
  async formerRefreshUntil(manager: EntityManager, sessionId: string, hashedSecret: Buffer): Promise<Date | null> {
    const token = await manager.findOneBy(FormerToken, { sessionId, hashedSecret, kind: 'Refresh' });
    return token?.countsUntil ?? null;
  }

  /** Keeps the access token of a session and, for a while, the refresh token for which new ones are given out. */
  async keepFormer(manager: EntityManager, sessionId: string, hashedRefresh: Buffer, refreshUntil: Date, now: Date): Promise<void> {
    await manager.query(KEEP_FORMER, [sessionId, hashedRefresh, refreshUntil, now]);
    await manager.query(FORGET_OLDEST, [sessionId, MAXIMUM_FORMER_ACCESS]);
  }

  /** Deletes the sessions of a user but one, and returns their ids. */
  async removeOthers(manager: EntityManager, userId: string, exceptId: string | null): Promise<string[]> {
    const [removed] = await manager.query<[{ id: string }[], number]>(REMOVE_OTHERS, [userId, exceptId]);
    return removed.map(({ id }) => id);
  }

  /** Deletes sessions that are over, at most so many, and returns how many. */
  async removeEnded(manager: EntityManager, now: Date, idleSince: Date, limit: number): Promise<number> {
    const [, count] = await manager.query<[unknown[], number]>(REMOVE_ENDED, [now, idleSince, limit]);
    return count;
  }

  private async formerAccess(manager: EntityManager, sessionId: string): Promise<StoredSession['formerAccess']> {
    const rows = await manager.query<{ hashed_secret: Buffer; counts_until: Date }[]>(FORMER_ACCESS, [sessionId]);
    return rows.map((row) => ({ hashedSecret: row.hashed_secret, expiresAt: row.counts_until.getTime() }));
  }
}

function credentialOf(sessionId: string, row: SessionRow): UserCredential {
  const provenAt = row.proven_at.getTime();
  if (row.access_expires_at !== null) return { type: 'Bearer', id: sessionId, provenAt };
  if (row.token_id === null) return { type: 'Session', id: sessionId, provenAt };
  return {
    type: 'LogonToken',
    id: row.token_id,
    sessionId,
    deviceId: row.device_id,
    allowedDesktopSessionIds: row.allowed_desktop_session_ids,
    userCorrelationId: row.user_correlation_id,
    sessionCorrelationId: row.session_correlation_id,
    maker: makerOf(row),
  };
}

function makerOf({ maker_kind: kind, maker_id: id, ...row }: SessionRow): TokenMaker | null {
  if (kind === null) return null;
  const { maker_tenant_id: tenantId, is_maker_unrestricted: isUnrestricted, restricted_token_id: restrictedTokenId } = row;
  return { kind, id, tenantId, isUnrestricted, restrictedTokenId };
}
