import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { pagesOf, type Pages } from '../../platform/common/resources/pages.js';
import { readRows } from '../../platform/database/queries/read-rows.js';
import type { Invite } from './invite.entity.js';

/** An invite with the fields of a list. */
export type ListedInvite = Pick<Invite, 'id' | 'createdAt' | 'inviteeEmail'>;

interface InviteRow extends ListedInvite {
  /** The creation time as PostgreSQL writes it, which is more precise than a Date. */
  readonly listKey: string;
}

const LIST = `
  SELECT i.id, i.created_at AS "createdAt", i.created_at::text AS "listKey", i.invitee_email AS "inviteeEmail"
  FROM invites i WHERE i.tenant_id = $1 AND ($2::uuid IS NULL OR (i.created_at, i.id) < ($3::timestamptz, $2))
  ORDER BY i.created_at DESC, i.id DESC LIMIT $4`;

/** Lists invites. */
@Injectable()
export class InvitesRepository {
  /** The invites of a tenant, newest first. */
  list(manager: EntityManager, tenantId: string): Pages<ListedInvite> {
    return pagesOf<InviteRow>((after, limit) => readRows(manager, LIST, [tenantId, after?.id, after?.listKey, limit]));
  }
}
