import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { mapPages, pagesOf, type Pages } from '../../platform/common/resources/pages.js';
import { readRows } from '../../platform/database/queries/read-rows.js';
import type { PersonalAccessTokenResponseDto } from './personal-access-token.dto.js';
import type { PersonalAccessTokenPermissionMode } from './personal-access-token.entity.js';

interface ListedToken {
  readonly id: string;
  readonly name: string;
  readonly created_at: Date;
  readonly last_used: Date | null;
  readonly permission_count: number;
  readonly permission_mode: PersonalAccessTokenPermissionMode;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  /** The creation time as PostgreSQL writes it, which is more precise than a Date. */
  readonly list_key: string;
}

const SELECT = `
  SELECT t.id, t.name, t.created_at, t.last_used, t.permission_mode, t.expires_at, t.revoked_at, t.created_at::text AS list_key,
         (SELECT count(DISTINCT a.permission_name)::integer FROM permission_assignments a
          WHERE a.principal_kind = 'PersonalAccessToken' AND a.principal_id = t.id AND a.is_enabled AND a.effect = 'Allow') AS permission_count
  FROM personal_access_tokens t`;

const LIST = `${SELECT} WHERE t.user_id = $1 AND ($2::uuid IS NULL OR (t.created_at, t.id) < ($3::timestamptz, $2))
  ORDER BY t.created_at DESC, t.id DESC LIMIT $4`;

const ONE = `${SELECT} WHERE t.user_id = $1 AND t.id = $2`;

/** Reads tokens in the form of the API. */
@Injectable()
export class PersonalAccessTokensRepository {
  /** The tokens of a user, newest first. */
  list(manager: EntityManager, userId: string): Pages<PersonalAccessTokenResponseDto> {
    const pages = pagesOf<ListedToken>((after, limit) => readRows(manager, LIST, [userId, after?.id, after?.list_key, limit]));
    return mapPages(pages, describe);
  }

  /** One token of a user. It must exist: the transaction created or locked it. */
  async one(manager: EntityManager, userId: string, tokenId: string): Promise<PersonalAccessTokenResponseDto> {
    const [token] = await manager.query<[ListedToken]>(ONE, [userId, tokenId]);
    return describe(token);
  }
}

function describe(row: ListedToken): PersonalAccessTokenResponseDto {
  return {
    id: row.id,
    name: row.name,
    createdAt: row.created_at,
    lastUsed: row.last_used,
    permissionCount: row.permission_count,
    permissionMode: row.permission_mode,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  };
}
