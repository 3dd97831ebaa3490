import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { pagesOf, type Pages } from '../../platform/common/resources/pages.js';
import { readRows } from '../../platform/database/queries/read-rows.js';
import { INVITE_LIFETIME_MS } from './activation-code.js';
import type { UnattendedTenantDto } from './first-administrators.dto.js';

/** Holds for the tenant t if no person has an account there, other than those who were invited and have not accepted. */
const IS_UNATTENDED = `
  t.deleted_at IS NULL AND NOT EXISTS (
    SELECT 1 FROM users u WHERE u.tenant_id = t.id AND u.account_type = 'User'
      AND NOT EXISTS (SELECT 1 FROM invites i WHERE i.user_id = u.id))`;

/** $1 is the lifetime of invites without a time of their own, in milliseconds. */
const LIST = `
  SELECT t.id AS "tenantId",
    (SELECT max(COALESCE(i.expires_at, i.created_at + $1 * interval '1 millisecond')) FROM invites i WHERE i.tenant_id = t.id) AS "invitedUntil"
  FROM tenants t WHERE ${IS_UNATTENDED} AND ($2::uuid IS NULL OR t.id > $2) ORDER BY t.id LIMIT $3`;

const IS_ONE = `SELECT 1 FROM tenants t WHERE t.id = $1 AND ${IS_UNATTENDED}`;

/** Finds tenants in which nobody can sign in yet. */
@Injectable()
export class FirstAdministratorsRepository {
  /** All such tenants. */
  list(manager: EntityManager): Pages<UnattendedTenantDto> {
    return pagesOf<UnattendedTenantDto>((after, limit) => readRows(manager, LIST, [INVITE_LIFETIME_MS, after?.tenantId, limit]));
  }

  /** Checks that a tenant is one of them. */
  async isUnattended(manager: EntityManager, tenantId: string): Promise<boolean> {
    return (await readRows(manager, IS_ONE, [tenantId])).length > 0;
  }
}
