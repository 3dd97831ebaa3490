import { v7 } from 'uuid';

const TEXT = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const HEX = /^[0-9a-f]{32}$/i;

/** The all-zero GUID. It counts as missing wherever a GUID is required. */
export const EMPTY_GUID = '00000000-0000-0000-0000-000000000000';

/** A new time-ordered identifier (UUID version 7), so that index pages fill in order. */
export function newGuid(): string {
  return v7();
}

/** Checks whether the value is a hyphenated GUID, with letters in any case. */
export function isGuid(value: unknown): value is string {
  return typeof value === 'string' && TEXT.test(value);
}

/**
 * The 32 upper-case hexadecimal characters of a GUID as keys contain it. The first three groups are little-endian
 * (`docs/api.md`).
 */
export function guidToHex(guid: string): string {
  const [a, b, c, d, e] = guid.split('-');
  return `${swapBytes(a)}${swapBytes(b)}${swapBytes(c)}${d}${e}`.toUpperCase();
}

/** The inverse of {@link guidToHex}: the hyphenated lower-case GUID, or null when the value is not 32 hexadecimal characters. */
export function hexToGuid(hex: string): string | null {
  if (!HEX.test(hex)) return null;
  const groups = [swapBytes(hex.slice(0, 8)), swapBytes(hex.slice(8, 12)), swapBytes(hex.slice(12, 16)), hex.slice(16, 20), hex.slice(20)];
  return groups.join('-').toLowerCase();
}

function swapBytes(group: string): string {
  let swapped = '';
  for (let at = group.length - 2; at >= 0; at -= 2) swapped += group.slice(at, at + 2);
  return swapped;
}
