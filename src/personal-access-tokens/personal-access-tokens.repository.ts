import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { LIST_LIMIT } from '../common/list-limit.js';
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
}

const LIST = `
  SELECT t.id, t.name, t.created_at, t.last_used, t.permission_mode, t.expires_at, t.revoked_at,
         (SELECT count(DISTINCT a.permission_name)::integer FROM permission_assignments a
          WHERE a.principal_kind = 'PersonalAccessToken' AND a.principal_id = t.id AND a.is_enabled AND a.effect = 'Allow') AS permission_count
  FROM personal_access_tokens t
  WHERE t.user_id = $1 AND ($2::uuid IS NULL OR t.id = $2) ORDER BY t.created_at DESC, t.id DESC LIMIT $3`;

/** Reads tokens as the API shows them. */
@Injectable()
export class PersonalAccessTokensRepository {
  /** A user's tokens, newest first. */
  async list(manager: EntityManager, userId: string, tokenId: string | null = null): Promise<PersonalAccessTokenResponseDto[]> {
    const rows = await manager.query<ListedToken[]>(LIST, [userId, tokenId, LIST_LIMIT]);
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      createdAt: row.created_at,
      lastUsed: row.last_used,
      permissionCount: row.permission_count,
      permissionMode: row.permission_mode,
      expiresAt: row.expires_at,
      revokedAt: row.revoked_at,
    }));
  }

  /** One token of a user. It exists: the transaction made it or holds it. */
  async one(manager: EntityManager, userId: string, tokenId: string): Promise<PersonalAccessTokenResponseDto> {
    const [token] = await this.list(manager, userId, tokenId);
    return token;
  }
}
