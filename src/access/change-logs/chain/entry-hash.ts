import { createHash } from 'node:crypto';

/*
 * The form in which the hash of an entry covers it, version 1. `src/platform/database/triggers/change-log-chain.ts` has the same in SQL.
 *
 * It is SHA-256 over the UTF-8 of a JSON array of strings and nulls: the name of the form; the id of the log (the tenant, or the all-zero
 * GUID for the server); the position from 1; the hash before, in hexadecimal, empty for the first entry; then the columns of the entry in
 * the order of `COVERED`. A comma and a space are between the elements, and only that is escaped in strings which JSON requires.
 */

const FORM = 'change-log/1';

/** The columns that the hash covers, as SQL that reads them as texts of an entry `e`. */
export const COVERED: readonly string[] = [
  'e.id::text',
  // Microseconds since 1970, which no setting of the session changes.
  '(extract(epoch FROM e.created_at) * 1000000)::bigint::text',
  'e.action_type',
  'e.actor_principal_type',
  'e.actor_principal_id::text',
  'e.target_type',
  'e.target_id::text',
  'e.owning_tenant_id::text',
  'e.ip_address',
  'e.correlation_id',
  'e.user_correlation_id',
  'e.session_correlation_id',
  'e.before_json',
  'e.after_json',
];

/** The place of an entry: its log, its position there, and the hash of the entry before it. */
export interface EntryPlace {
  readonly logId: string;
  readonly position: number;
  readonly previous: Buffer;
}

/** Returns the hash of an entry at a place. `covered` has its texts in the order of {@link COVERED}. */
export function entryHash({ logId, position, previous }: EntryPlace, covered: readonly (string | null)[]): Buffer {
  const texts = [FORM, logId, String(position), previous.toString('hex'), ...covered];
  return createHash('sha256')
    .update(`[${texts.map((text) => JSON.stringify(text)).join(', ')}]`)
    .digest();
}
