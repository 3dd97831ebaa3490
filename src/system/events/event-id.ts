/** Largest number of an event: the largest `bigint` of PostgreSQL. */
const MAXIMUM_NUMBER = 9_223_372_036_854_775_807n;
const FORM = /^([1-9]\d{0,18})-([0-9a-f]{8})$/;

/** An id of an event in its parts. */
export interface ParsedEventId {
  /** The place of the event among those of its tenant. */
  readonly number: bigint;
  /** The end of the id of the tenant. */
  readonly mark: string;
}

/** The public id of an event: its number, and a mark of its tenant, so that ids of other tenants are told apart. */
export function eventIdOf(number: bigint, tenantId: string): string {
  return `${number}-${markOf(tenantId)}`;
}

/** The parts of an id; null for a text that is none. */
export function parseEventId(id: string): ParsedEventId | null {
  const [, digits, mark] = FORM.exec(id) ?? [];
  if (digits === undefined) return null;
  const number = BigInt(digits);
  return number > MAXIMUM_NUMBER ? null : { number, mark };
}

/** The mark in the ids of a tenant's events. */
export function markOf(tenantId: string): string {
  return tenantId.slice(-8);
}
