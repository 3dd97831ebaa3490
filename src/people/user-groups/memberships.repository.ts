import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { pagesOf, type Pages } from '../../platform/common/resources/pages.js';
import type { UserMembershipDto, UserMembershipsDto } from './membership.dto.js';

/** The users of the tenant $1 after $2 that are in a group, each with the first names. */
const BY_USER = `
  SELECT m.user_id AS "userId", count(*)::integer AS "groupCount",
         (array_agg(g.name::text ORDER BY lower(g.name), g.id))[1:3] AS "groupNames"
  FROM user_group_members m JOIN user_groups g ON g.id = m.user_group_id
  WHERE g.tenant_id = $1 AND ($2::uuid IS NULL OR m.user_id > $2) GROUP BY m.user_id ORDER BY m.user_id LIMIT $3`;

/** The groups of the tenant $1 with the user $2, after ($3, $4) by name. */
const OF_USER = `
  SELECT g.id, g.name, g.description FROM user_group_members m JOIN user_groups g ON g.id = m.user_group_id
  WHERE m.user_id = $2 AND g.tenant_id = $1 AND ($3::text IS NULL OR (lower(g.name), g.id) > (lower($3), $4::uuid))
  ORDER BY lower(g.name), g.id LIMIT $5`;

const HAS_USER = 'SELECT 1 FROM users WHERE tenant_id = $1 AND id = $2';

/** Reads who is in which group, within one tenant. */
@Injectable()
export class MembershipsRepository {
  /** The users that are in a group, by id, each with the number of its groups and the first names. */
  byUser(manager: EntityManager, tenantId: string): Pages<UserMembershipsDto> {
    return pagesOf<UserMembershipsDto>((after, limit) => manager.query(BY_USER, [tenantId, after?.userId ?? null, limit]));
  }

  /** The groups that a user is in, by name. */
  ofUser(manager: EntityManager, tenantId: string, userId: string): Pages<UserMembershipDto> {
    return pagesOf<UserMembershipDto>((after, limit) =>
      manager.query(OF_USER, [tenantId, userId, after?.name ?? null, after?.id ?? null, limit]),
    );
  }

  /** Checks that the tenant has the user. */
  async hasUser(manager: EntityManager, tenantId: string, userId: string): Promise<boolean> {
    return (await manager.query<object[]>(HAS_USER, [tenantId, userId])).length > 0;
  }
}
