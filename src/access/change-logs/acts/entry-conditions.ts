import { SERVER_LOG } from '../../authorization/change-log/server-log.js';

/** Subjects of which an entry must name one. */
export interface WantedSubjects {
  readonly ids: readonly string[];
  /** True if it must be the actor. */
  readonly asActor: boolean;
}

/** The filters of a search in one log, with names and references as subjects. */
export interface EntryFilter {
  /** Null for the log of the server. */
  readonly tenantId: string | null;
  /** Each set must be met. The first one is looked up, so that the rarest should come first. */
  readonly wanted: readonly WantedSubjects[];
  readonly actions: readonly string[] | null;
  readonly from: Date | null;
  readonly to: Date | null;
  /** The entry after which the page begins. */
  readonly after: string | null;
}

/** Collects the parameters of a statement. */
export class Parameters {
  readonly values: unknown[] = [];

  readonly place = (value: unknown): string => `$${this.values.push(value)}`;
}

type Place = Parameters['place'];

/** The condition on entries `l` of the log. */
export const ofLog = (tenantId: string | null, place: Place): string =>
  tenantId === null ? 'l.owning_tenant_id IS NULL' : `l.owning_tenant_id = ${place(tenantId)}`;

/** The columns that hold the time and the id of an entry. */
interface Columns {
  readonly at: string;
  readonly id: string;
}

const OF_SUBJECTS: Columns = { at: 's.recorded_at', id: 's.entry_id' };
const OF_ENTRIES: Columns = { at: 'l.created_at', id: 'l.id' };

/** Walks an index whose columns are `leads`, which are constant, and the keys: each place once, the newest first. */
function walk(source: string, leads: readonly string[], keys: readonly string[], names: readonly string[], limit: string): string {
  const columns = [...leads, ...keys];
  const named = keys.map((key, index) => `${key} AS ${names[index]}`);
  return `SELECT DISTINCT ON (${columns.join(', ')}) ${named.join(', ')} FROM ${source}
    ORDER BY ${newestFirst(columns)} LIMIT ${limit}`;
}

const newestFirst = (columns: readonly string[]): string => columns.map((column) => `${column} DESC`).join(', ');

/**
 * Statement that finds the places of the matching entries in an index, newest first: their times as `at`, and for `entries` their ids as
 * `id`. Of several subjects or actions, each is walked by itself, so that none is walked farther than a page.
 */
export function placesOf(filter: EntryFilter, unit: 'times' | 'entries', limit: number, place: Place): string {
  const { tenantId, wanted, actions } = filter;
  const [first, ...others] = wanted;
  const top = place(limit);
  const names = unit === 'times' ? ['at'] : ['at', 'id'];
  const keysOf = ({ at, id }: Columns): string[] => (unit === 'times' ? [at] : [at, id]);
  const merged = (wantedRows: string, walked: string): string =>
    `SELECT DISTINCT ${names.join(', ')} FROM ${wantedRows} CROSS JOIN LATERAL (${walked}) found ORDER BY ${newestFirst(names)} LIMIT ${top}`;
  if (first !== undefined) {
    const conditions = [
      `s.log_id = ${place(tenantId ?? SERVER_LOG)}`,
      's.subject_id = wanted.subject_id',
      ...(first.asActor ? ['s.is_actor'] : []),
      ...within(filter, unit, OF_SUBJECTS, place),
      ...naming(others, OF_SUBJECTS.id, place),
    ];
    if (actions !== null) {
      conditions.push(
        `EXISTS (SELECT FROM authorization_change_logs l WHERE l.id = s.entry_id AND l.action_type = ANY (${place(actions)}))`,
      );
    }
    const source = `change_log_subjects s WHERE ${conditions.join(' AND ')}`;
    return merged(`unnest(${place(first.ids)}::uuid[]) AS wanted (subject_id)`, walk(source, [], keysOf(OF_SUBJECTS), names, top));
  }
  const conditions = [ofLog(tenantId, place), ...within(filter, unit, OF_ENTRIES, place)];
  // The orders start with the tenant because the indexes do: only then they also order the entries without one.
  if (actions === null) {
    const source = `authorization_change_logs l WHERE ${conditions.join(' AND ')}`;
    return walk(source, ['l.owning_tenant_id'], keysOf(OF_ENTRIES), names, top);
  }
  const source = `authorization_change_logs l WHERE ${[...conditions, 'l.action_type = wanted.action'].join(' AND ')}`;
  const leads = ['l.owning_tenant_id', 'l.action_type'];
  return merged(`unnest(${place(actions)}::varchar[]) AS wanted (action)`, walk(source, leads, keysOf(OF_ENTRIES), names, top));
}

/** The condition that an entry `l` meets the filters besides those of time. */
export function matching({ wanted, actions }: EntryFilter, place: Place): string {
  const conditions = [...naming(wanted, 'l.id', place), ...(actions === null ? [] : [`l.action_type = ANY (${place(actions)})`])];
  return conditions.length === 0 ? 'TRUE' : conditions.join(' AND ');
}

function naming(wanted: readonly WantedSubjects[], entryId: string, place: Place): string[] {
  return wanted.map(
    ({ ids, asActor }) =>
      `EXISTS (SELECT FROM change_log_subjects o WHERE o.entry_id = ${entryId} AND o.subject_id = ANY (${place(ids)})${asActor ? ' AND o.is_actor' : ''})`,
  );
}

function within({ tenantId, from, to, after }: EntryFilter, unit: 'times' | 'entries', { at, id }: Columns, place: Place): string[] {
  const conditions: string[] = [];
  if (from !== null) conditions.push(`${at} >= ${place(from)}`);
  // Callers give instants in milliseconds, the database stores microseconds. The range includes the whole last millisecond.
  if (to !== null) conditions.push(`${at} < ${place(new Date(to.getTime() + 1))}`);
  if (after === null) return conditions;
  // As scalars, which an index can begin at; a row from a subquery cannot.
  const begin = `(SELECT l.created_at FROM authorization_change_logs l WHERE l.id = ${place(after)} AND ${ofLog(tenantId, place)})`;
  conditions.push(unit === 'times' ? `${at} < ${begin}` : `(${at}, ${id}) < (${begin}, ${place(after)}::uuid)`);
  return conditions;
}
