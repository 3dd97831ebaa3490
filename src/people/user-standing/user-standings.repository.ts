import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { pagesOf, type Pages } from '../../platform/common/resources/pages.js';
import { readRows } from '../../platform/database/queries/read-rows.js';
import type { StandingFacts } from './user-standing.js';

/** A user with everything that the standing is made of. */
export interface StandingRow extends StandingFacts {
  readonly userId: string;
  readonly userName: string;
  readonly lastLogin: Date | null;
  readonly hasAuthenticatorApp: boolean;
  readonly hasPasskey: boolean;
  readonly visitEnds: Date | null;
  readonly inviteId: string | null;
  readonly invitedAt: Date | null;
  readonly inviteExpiresAt: Date | null;
}

/**
 * End of the last visit of an external user: that of an open session or of a link that was not used yet. A session that is gone ended at
 * its time, or before, when the visitor signed out or was suspended.
 */
const VISIT_ENDS = `
  SELECT max(CASE
    WHEN t.consumed_at IS NULL THEN LEAST(t.expires_at, u.suspended_at)
    WHEN s.id IS NOT NULL THEN s.expires_at
    ELSE LEAST(t.consumed_at + t.session_expiration_minutes * interval '1 minute', t.maker_expires_at, u.suspended_at,
               (SELECT min(e.created_at) FROM security_events e
                WHERE e.user_id = u.id AND e.created_at >= t.consumed_at AND e.kind IN ('SignedOut', 'SessionEnded'))) END) AS at
  FROM logon_tokens t LEFT JOIN sessions s ON s.logon_token_id = t.id AND s.security_stamp = u.security_stamp
  WHERE t.user_id = u.id AND u.account_type = 'ExternalUser'`;

const LIST = `
  SELECT u.id AS "userId", u.user_name AS "userName", u.account_type = 'ExternalUser' AS "isExternal",
         u.email_confirmed AS "emailConfirmed", u.suspended_at AS "suspendedAt", u.lockout_end AS "lockoutEnd", u.last_login AS "lastLogin",
         u.two_factor_enabled AS "hasAuthenticatorApp", EXISTS (SELECT 1 FROM passkeys k WHERE k.user_id = u.id) AS "hasPasskey",
         i.id IS NOT NULL AS "isInvited", i.id AS "inviteId", i.created_at AS "invitedAt", i.expires_at AS "inviteExpiresAt",
         visit.at AS "visitEnds"
  FROM users u
  LEFT JOIN LATERAL (SELECT id, created_at, expires_at FROM invites WHERE user_id = u.id ORDER BY created_at DESC LIMIT 1) i ON TRUE
  LEFT JOIN LATERAL (${VISIT_ENDS}) visit ON TRUE
  WHERE u.tenant_id = $1 AND ($2::uuid IS NULL OR (u.user_name, u.id) > ($3, $2)) ORDER BY u.user_name, u.id LIMIT $4`;

/** Reads the standing of users. */
@Injectable()
export class UserStandingsRepository {
  /** The users of a tenant by name. */
  list(manager: EntityManager, tenantId: string): Pages<StandingRow> {
    return pagesOf<StandingRow>((after, limit) => readRows(manager, LIST, [tenantId, after?.userId, after?.userName, limit]));
  }
}
