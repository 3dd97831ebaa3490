import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { isGuid } from '../../platform/common/identifiers/guid.js';
import type { AuthorizationChangeLogDto, ChangeLogQueryDto } from './change-log.dto.js';

/** The filters of a search. */
export interface ChangeLogFilter extends Pick<
  ChangeLogQueryDto,
  'actionType' | 'actorType' | 'targetType' | 'searchText' | 'correlationId' | 'from' | 'to'
> {
  /** Null selects the entries that belong to no tenant. */
  readonly tenantId: string | null;
}

interface Condition {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

const COLUMNS = `
  id, action_type AS "actionType", actor_principal_type AS "actorPrincipalType", actor_principal_id AS "actorPrincipalId",
  target_type AS "targetType", target_id AS "targetId", owning_tenant_id AS "owningTenantId", ip_address AS "ipAddress",
  user_correlation_id AS "userCorrelationId", session_correlation_id AS "sessionCorrelationId",
  created_at AS "createdAt", before_json AS "beforeJson", after_json AS "afterJson"`;

/**
 * An entry that is being written may count on a name that this deletes: then searches find it by id only, until the next entry names the
 * subject again.
 */
const REMOVE_UNUSED_NAMES = `
  DELETE FROM change_log_names n
  WHERE NOT EXISTS (SELECT FROM change_log_subjects s WHERE s.log_id = n.log_id AND s.subject_id = n.subject_id)`;

/** The SQL of the change log, except for inserts, which happen with the change itself. */
@Injectable()
export class ChangeLogsRepository {
  /** A range of the matching entries, newest first. */
  page(manager: EntityManager, filter: ChangeLogFilter, offset: number, limit: number): Promise<AuthorizationChangeLogDto[]> {
    const { sql, parameters } = conditionOf(filter);
    const next = parameters.length + 1;
    return manager.query<AuthorizationChangeLogDto[]>(
      // The order starts with the tenant, although it is constant, because the index does. Only then can the index also
      // order the entries without a tenant.
      `SELECT ${COLUMNS} FROM authorization_change_logs WHERE ${sql}
       ORDER BY owning_tenant_id DESC, created_at DESC, id DESC OFFSET $${next} LIMIT $${next + 1}`,
      [...parameters, offset, limit],
    );
  }

  /** The number of matching entries. */
  async count(manager: EntityManager, filter: ChangeLogFilter): Promise<number> {
    const { sql, parameters } = conditionOf(filter);
    const [{ count }] = await manager.query<[{ count: number }]>(
      `SELECT count(*)::integer AS count FROM authorization_change_logs WHERE ${sql}`,
      [...parameters],
    );
    return count;
  }

  /** Checks whether the tenant has any entry. */
  async hasAny(manager: EntityManager, tenantId: string): Promise<boolean> {
    const rows = await manager.query<unknown[]>('SELECT 1 FROM authorization_change_logs WHERE owning_tenant_id = $1 LIMIT 1', [tenantId]);
    return rows.length > 0;
  }

  /** Deletes the names of subjects that no entry names any more. */
  async removeUnusedNames(manager: EntityManager): Promise<void> {
    await manager.query(REMOVE_UNUSED_NAMES);
  }
}

function conditionOf(filter: ChangeLogFilter): Condition {
  const { tenantId, actionType, actorType, targetType, correlationId, from, to, searchText } = filter;
  const parameters: unknown[] = [];
  const place = (value: unknown): string => `$${parameters.push(value)}`;
  const conditions = [tenantId === null ? 'owning_tenant_id IS NULL' : `owning_tenant_id = ${place(tenantId)}`];
  if (actionType !== null) conditions.push(`action_type = ${place(actionType)}`);
  if (actorType !== null) conditions.push(`actor_principal_type = ${place(actorType)}`);
  if (correlationId !== null) {
    const id = place(correlationId);
    conditions.push(`(user_correlation_id = ${id} OR session_correlation_id = ${id})`);
  }
  if (targetType !== null) conditions.push(`target_type = ${place(targetType)}`);
  if (from !== null) conditions.push(`created_at >= ${place(from)}`);
  // Callers give instants in milliseconds, the database stores microseconds. The range includes the whole last millisecond.
  if (to !== null) conditions.push(`created_at < ${place(new Date(to.getTime() + 1))}`);
  if (searchText !== null && searchText !== '') {
    const text = isGuid(searchText) ? place(searchText) : place(`%${literal(searchText)}%`);
    const matches = (column: string): string => (isGuid(searchText) ? `${column} = ${text}` : `${column}::text ILIKE ${text}`);
    conditions.push(`(${matches('actor_principal_id')} OR ${matches('target_id')})`);
  }
  return { sql: conditions.join(' AND '), parameters };
}

/** Escapes the wildcards of LIKE. */
function literal(text: string): string {
  return text.replaceAll(/[\\%_]/g, (character) => `\\${character}`);
}
