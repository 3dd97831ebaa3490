import { isGuid } from '../../common/identifiers/guid.js';
import { hasControlCharacter, hasDeceptiveCharacter, trimmedName } from '../../common/identifiers/name-text.js';

/** Returns a check that a text has at most `max` characters. The length rules of class-validator skip characters that PostgreSQL counts. */
export function hasAtMost(max: number): (value: unknown) => boolean {
  return (value) => typeof value === 'string' && value.length <= 2 * max && codePointsOf(value) <= max;
}

/** Returns a check that a text has at least `min` characters, counted like {@link hasAtMost} does. */
export function hasAtLeast(min: number): (value: unknown) => boolean {
  return (value) => typeof value === 'string' && codePointsOf(value) >= min;
}

/** Counts code points, because JavaScript's length counts some characters twice. */
function codePointsOf(text: string): number {
  return Array.from(text).length;
}

/** Checks that a text has no NUL character, which PostgreSQL cannot store. */
export function hasNoNul(value: unknown): boolean {
  return typeof value !== 'string' || !value.includes('\0');
}

/** Checks that a text has no line break, tab or other control character. */
export function hasNoControlCharacter(value: unknown): boolean {
  return typeof value !== 'string' || !hasControlCharacter(value);
}

/** Checks that a text has no control character of writing direction and no half of a surrogate pair. */
export function hasNoDeceptiveCharacter(value: unknown): boolean {
  return typeof value !== 'string' || !hasDeceptiveCharacter(value);
}

/** Checks whether a JSON value is an object. */
export function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A GUID in lower case. Like the functions below, it returns other values unchanged; a validation rule refuses them. */
export function lowerCaseGuid(value: unknown): unknown {
  return isGuid(value) ? value.toLowerCase() : value;
}

/** A text, or a list of texts, with replaced halves of surrogate pairs. JSON can escape them, but the database cannot store them. */
export function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  return Array.isArray(value) ? value.map(wellFormed) : value;
}

/** A name in its stored form ({@link trimmedName}); null for a blank name that may be null. */
export function nameFromText(value: unknown, { nullable }: { readonly nullable?: boolean }): unknown {
  if (typeof value !== 'string') return value;
  const name = trimmedName(value);
  return nullable && name === '' ? null : name;
}

/** The number that a query value contains. */
export function numberFromText(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(value.trim()) ? Number(value) : value;
}

/** The truth value that a query value contains, in any case. */
export function booleanFromText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = value.trim().toLowerCase();
  return text === 'true' ? true : text === 'false' ? false : value;
}

const ISO_INSTANT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/i;

/** The years with four digits in ISO 8601. An offset can lead out of them, and clients cannot read such instants. */
const FIRST_YEAR = 1;
const LAST_YEAR = 9999;

/** Checks whether the month has the day. JavaScript would read 31 February as 3 March. */
function isCalendarDay(day: string): boolean {
  const midnight = new Date(day);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}

/** The instant of an ISO 8601 text. A text without an offset is in UTC. */
export function instantFromText(value: unknown): unknown {
  if (typeof value !== 'string' || !ISO_INSTANT.test(value) || !isCalendarDay(value.slice(0, 10))) return value;
  const zoned = /(Z|[+-]\d{2}:\d{2})$/i.test(value) || !value.includes('T') ? value : `${value}Z`;
  const instant = new Date(zoned);
  const year = instant.getUTCFullYear();
  return year >= FIRST_YEAR && year <= LAST_YEAR ? instant : value;
}
