import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { SERVER_LOG } from '../../authorization/change-log/server-log.js';
import type { EntrySubjectDto, NamedSubjectDto } from './act.dto.js';
import { type EntryFilter, matching, ofLog, Parameters, placesOf } from './entry-conditions.js';
import type { AuthorizationChangeLogDto } from '../change-log.dto.js';

/** Entries of one act that a page shows. */
const SHOWN_ENTRIES = 30;
/** Subjects of one entry that a page names. */
const SHOWN_SUBJECTS = 20;

/** An entry with its place: the act to which it belongs. */
export interface PlacedEntry extends AuthorizationChangeLogDto {
  readonly requestId: string | null;
  /** The time of the act as the database writes it, which is more precise than a Date. */
  readonly at: string;
  readonly total: number;
}

const COLUMNS = [
  ['id', 'id'],
  ['action_type', 'actionType'],
  ['actor_principal_type', 'actorPrincipalType'],
  ['actor_principal_id', 'actorPrincipalId'],
  ['target_type', 'targetType'],
  ['target_id', 'targetId'],
  ['owning_tenant_id', 'owningTenantId'],
  ['ip_address', 'ipAddress'],
  ['user_correlation_id', 'userCorrelationId'],
  ['session_correlation_id', 'sessionCorrelationId'],
  ['created_at', 'createdAt'],
  ['before_json', 'beforeJson'],
  ['after_json', 'afterJson'],
]
  .map(([column, name]) => `e.${column} AS "${name}"`)
  .join(', ');

/** Tables whose rows the pages of subjects show, by kind. */
const TABLES: readonly (readonly [kind: string, table: string])[] = [
  ['Customer', 'customers'],
  ['Device', 'devices'],
  ['DeviceGroup', 'device_groups'],
  ['InstallerKey', 'installer_keys'],
  ['Tag', 'tags'],
  ['User', 'users'],
  ['UserGroup', 'user_groups'],
];

const EXISTS = `CASE s.kind ${TABLES.map(
  ([kind, table]) => `WHEN '${kind}' THEN EXISTS (SELECT FROM ${table} x WHERE x.id = s.subject_id AND x.tenant_id = s.log_id)`,
).join(' ')}
  WHEN 'ServiceAccount' THEN
    EXISTS (SELECT FROM service_accounts x WHERE x.id = s.subject_id AND coalesce(x.tenant_id, '${SERVER_LOG}') = s.log_id)
  ELSE FALSE END`;

const SUBJECTS = `
  SELECT s.entry_id AS "entryId", s.subject_id AS id, s.kind, s.is_actor AS "isActor", ${EXISTS} AS exists,
         coalesce(s.name, (SELECT n.name FROM change_log_names n WHERE n.log_id = s.log_id AND n.subject_id = s.subject_id
                           ORDER BY n.first_seen_at DESC LIMIT 1)) AS name
  FROM unnest($1::uuid[]) AS wanted (entry_id) CROSS JOIN LATERAL (
    SELECT s.* FROM change_log_subjects s JOIN authorization_change_logs l ON l.id = s.entry_id
    WHERE s.entry_id = wanted.entry_id AND s.log_id = $2
    ORDER BY s.is_actor DESC, s.subject_id = l.target_id DESC NULLS LAST, s.subject_id LIMIT ${SHOWN_SUBJECTS}
  ) s`;

/** The pattern is that of a part, the prefix that of a beginning. */
const MATCHES = `
  SELECT DISTINCT ON (rank, length, subject_id) subject_id AS id, kind, name, login
  FROM (
    SELECT subject_id, kind, name, login, first_seen_at, length(name) AS length,
           CASE WHEN lower(name) = lower($2) OR lower(login) = lower($2) THEN 0 WHEN name ILIKE $4 OR login ILIKE $4 THEN 1 ELSE 2 END AS rank
    FROM change_log_names
    WHERE log_id = $1 AND (name ILIKE $3 OR login ILIKE $3 OR subject_id::text LIKE lower($4))
  ) n
  ORDER BY rank, length, subject_id, first_seen_at DESC LIMIT $5`;

/** The SQL of the change log by acts. An act is what one transaction wrote: its entries have the same time and request. */
@Injectable()
export class ActsRepository {
  /** The entries of the newest acts of which an entry matches: of each act the matching ones, in the order in which they were written. */
  acts(manager: EntityManager, filter: EntryFilter, limit: number): Promise<PlacedEntry[]> {
    const { values, place } = new Parameters();
    const places = placesOf(filter, 'times', limit, place);
    return manager.query<PlacedEntry[]>(
      `SELECT ${COLUMNS}, e.correlation_id AS "requestId", e.total, e.at::text
       FROM (${places}) p CROSS JOIN LATERAL (
         SELECT m.*, p.at, count(*) OVER act::integer AS total, bool_or(m.matches) OVER act AS is_found,
                row_number() OVER (PARTITION BY m.correlation_id ORDER BY m.matches DESC, m.target_type = 'PermissionAssignment', m.id) AS position
         FROM (SELECT l.*, ${matching(filter, place)} AS matches FROM authorization_change_logs l
               WHERE ${ofLog(filter.tenantId, place)} AND l.created_at = p.at) m
         WINDOW act AS (PARTITION BY m.correlation_id)
       ) e
       WHERE e.is_found AND e.matches AND e.position <= ${SHOWN_ENTRIES}
       ORDER BY e.at DESC, e.correlation_id, e.id`,
      values,
    );
  }

  /** The matching entries, newest first; with `act` only those of the act to which that entry belongs. */
  entries(manager: EntityManager, filter: EntryFilter, act: string | null, limit: number): Promise<AuthorizationChangeLogDto[]> {
    const { values, place } = new Parameters();
    if (act === null) {
      const places = placesOf(filter, 'entries', limit, place);
      return manager.query<AuthorizationChangeLogDto[]>(
        `SELECT ${COLUMNS} FROM (${places}) p JOIN authorization_change_logs e ON e.id = p.id ORDER BY p.at DESC, p.id DESC`,
        values,
      );
    }
    const [log, id] = [ofLog(filter.tenantId, place), place(act)];
    const after = filter.after === null ? '' : `AND l.id < ${place(filter.after)}`;
    return manager.query<AuthorizationChangeLogDto[]>(
      `SELECT ${COLUMNS} FROM authorization_change_logs e JOIN (
         SELECT l.id FROM authorization_change_logs l
         WHERE ${log} AND l.created_at = (SELECT l.created_at FROM authorization_change_logs l WHERE ${log} AND l.id = ${id})
           AND l.correlation_id IS NOT DISTINCT FROM (SELECT l.correlation_id FROM authorization_change_logs l WHERE ${log} AND l.id = ${id})
           AND ${matching(filter, place)} ${after}
         ORDER BY l.id DESC LIMIT ${place(limit)}
       ) p ON p.id = e.id ORDER BY e.id DESC`,
      values,
    );
  }

  /** The subjects of entries of a log, actors and targets first, by the id of the entry. */
  async subjectsOf(
    manager: EntityManager,
    tenantId: string | null,
    entryIds: readonly string[],
  ): Promise<ReadonlyMap<string, EntrySubjectDto[]>> {
    const rows = await manager.query<(EntrySubjectDto & { readonly entryId: string })[]>(SUBJECTS, [entryIds, tenantId ?? SERVER_LOG]);
    const byEntry = new Map<string, EntrySubjectDto[]>();
    for (const { entryId, ...subject } of rows) {
      const known = byEntry.get(entryId);
      if (known === undefined) byEntry.set(entryId, [subject]);
      else known.push(subject);
    }
    return byEntry;
  }

  /** Subjects of a log that have or had a name with the text in it, the closest first. */
  matches(manager: EntityManager, tenantId: string | null, text: string, limit: number): Promise<NamedSubjectDto[]> {
    const literal = text.replaceAll(/[\\%_]/g, (character) => `\\${character}`);
    return manager.query<NamedSubjectDto[]>(MATCHES, [tenantId ?? SERVER_LOG, text, `%${literal}%`, `${literal}%`, limit]);
  }

  /** Checks whether entries from before an upgrade still wait to be indexed. */
  async isIncomplete(manager: EntityManager): Promise<boolean> {
    return (await manager.query<unknown[]>('SELECT 1 FROM change_log_backfill LIMIT 1')).length > 0;
  }
}
