import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { isGuid } from '../common/guid.js';
import type { AuthorizationChangeLogDto, ChangeLogQueryDto } from './change-log.dto.js';

/** What of a list is asked for. */
export interface ChangeLogFilter extends Pick<ChangeLogQueryDto, 'actionType' | 'actorType' | 'targetType' | 'searchText' | 'from' | 'to'> {
  /** Null: the entries that belong to no tenant. */
  readonly tenantId: string | null;
}

interface Condition {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

const COLUMNS = `
  id, action_type AS "actionType", actor_principal_type AS "actorPrincipalType", actor_principal_id AS "actorPrincipalId",
  target_type AS "targetType", target_id AS "targetId", owning_tenant_id AS "owningTenantId", ip_address AS "ipAddress",
  created_at AS "createdAt", before_json AS "beforeJson", after_json AS "afterJson"`;

/** By their places, which are at hand: entries never move. */
const REMOVE_OLDER = `
  DELETE FROM authorization_change_logs
  WHERE ctid = ANY (ARRAY(SELECT ctid FROM authorization_change_logs WHERE created_at < $1 LIMIT $2))`;

/** Reads the change log, and ends the life of its oldest entries; entries are written with what they tell of. */
@Injectable()
export class ChangeLogsRepository {
  /** A stretch of the matching entries, the newest first. */
  page(manager: EntityManager, filter: ChangeLogFilter, offset: number, limit: number): Promise<AuthorizationChangeLogDto[]> {
    const { sql, parameters } = conditionOf(filter);
    const next = parameters.length + 1;
    return manager.query<AuthorizationChangeLogDto[]>(
      // The tenant leads the order, though it is one, because it leads the index: then "none" is found in order, too.
      `SELECT ${COLUMNS} FROM authorization_change_logs WHERE ${sql}
       ORDER BY owning_tenant_id DESC, created_at DESC, id DESC OFFSET $${next} LIMIT $${next + 1}`,
      [...parameters, offset, limit],
    );
  }

  /** How many entries match. */
  async count(manager: EntityManager, filter: ChangeLogFilter): Promise<number> {
    const { sql, parameters } = conditionOf(filter);
    const [{ count }] = await manager.query<[{ count: number }]>(
      `SELECT count(*)::integer AS count FROM authorization_change_logs WHERE ${sql}`,
      [...parameters],
    );
    return count;
  }

  /** Whether there is any entry of the tenant. */
  async hasAny(manager: EntityManager, tenantId: string): Promise<boolean> {
    const rows = await manager.query<unknown[]>('SELECT 1 FROM authorization_change_logs WHERE owning_tenant_id = $1 LIMIT 1', [tenantId]);
    return rows.length > 0;
  }

  /** Removes entries from before an instant, at most so many, and says how many. */
  async removeOlder(manager: EntityManager, before: Date, limit: number): Promise<number> {
    const [, count] = await manager.query<[unknown[], number]>(REMOVE_OLDER, [before, limit]);
    return count;
  }
}

function conditionOf({ tenantId, actionType, actorType, targetType, from, to, searchText }: ChangeLogFilter): Condition {
  const parameters: unknown[] = [];
  const place = (value: unknown): string => `$${parameters.push(value)}`;
  const conditions = [tenantId === null ? 'owning_tenant_id IS NULL' : `owning_tenant_id = ${place(tenantId)}`];
  if (actionType !== null) conditions.push(`action_type = ${place(actionType)}`);
  if (actorType !== null) conditions.push(`actor_principal_type = ${place(actorType)}`);
  if (targetType !== null) conditions.push(`target_type = ${place(targetType)}`);
  if (from !== null) conditions.push(`created_at >= ${place(from)}`);
  // Callers know instants to the millisecond, the database to the microsecond: the whole millisecond is meant.
  if (to !== null) conditions.push(`created_at < ${place(new Date(to.getTime() + 1))}`);
  if (searchText !== null && searchText !== '') {
    const text = isGuid(searchText) ? place(searchText) : place(`%${literal(searchText)}%`);
    const matches = (column: string): string => (isGuid(searchText) ? `${column} = ${text}` : `${column}::text ILIKE ${text}`);
    conditions.push(`(${matches('actor_principal_id')} OR ${matches('target_id')})`);
  }
  return { sql: conditions.join(' AND '), parameters };
}

/** The text with the wildcards of LIKE taken literally. */
function literal(text: string): string {
  return text.replaceAll(/[\\%_]/g, (character) => `\\${character}`);
}
