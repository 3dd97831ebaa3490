import { isGuid } from '../../../platform/common/identifiers/guid.js';
import { SERVER_LOG } from '../../authorization/change-log/server-log.js';

/** A head that a chain had, or only its hash. */
export interface KeptHead {
  readonly hash: Buffer;
  /** Null when only the hash was kept. */
  readonly place: { readonly logId: string; readonly position: number } | null;
}

const HASH = /^[0-9a-f]{64}$/i;

/** Reads a hash; null when the text is none. */
export function hashIn(text: string): Buffer | null {
  return HASH.test(text) ? Buffer.from(text, 'hex') : null;
}

/**
 * Reads heads from JSON as the API answers it and as `audit:verify --json` prints it: one head, or a list as `items` or `heads`. A head has
 * `tenantId` (null for the server), `position` and `hash`. Returns null when the text has none.
 */
export function headsIn(text: string): readonly KeptHead[] | null {
  const heads = listIn(valueIn(text)).map(headOf);
  return heads.length === 0 || heads.includes(null) ? null : heads.flatMap((head) => head ?? []);
}

/** Reads the head of a tenant's log from JSON with its position and hash; null when the text has none. */
export function headOfTenant(tenantId: string, text: string): KeptHead | null {
  const value = valueIn(text);
  return typeof value === 'object' ? headOf({ ...value, tenantId }) : null;
}

/** The value in JSON; undefined for any other text. */
function valueIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function listIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null) return [];
  if ('items' in value && Array.isArray(value.items)) return value.items;
  if ('heads' in value && Array.isArray(value.heads)) return value.heads;
  return [value];
}

/** Reads a head; null when the value is none. Hashes of empty chains are empty. */
function headOf(value: unknown): KeptHead | null {
  if (typeof value !== 'object' || value === null || !('tenantId' in value) || !('position' in value) || !('hash' in value)) return null;
  const { tenantId, position, hash } = value;
  const logId = tenantId === null ? SERVER_LOG : tenantId;
  if (typeof logId !== 'string' || !isGuid(logId)) return null;
  if (typeof position !== 'number' || !Number.isSafeInteger(position) || position < 0 || typeof hash !== 'string') return null;
  if (position === 0) return hash === '' ? { hash: Buffer.alloc(0), place: { logId, position } } : null;
  return HASH.test(hash) ? { hash: Buffer.from(hash, 'hex'), place: { logId: logId.toLowerCase(), position } } : null;
}
