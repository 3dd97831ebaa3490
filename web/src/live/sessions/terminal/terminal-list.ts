import { valueForUser } from '../../../state/read-user-data.js';

/** A terminal as the tab remembers it over a reload. Its id is no secret: only who may use terminals of the device can use it. */
export interface RememberedTerminal {
  readonly terminalId: string;
  readonly deviceId: string;
  readonly deviceName: string;
  /** Counts the terminals of a device, from 1. */
  readonly number: number;
  /** True for an interactive shell; null while that is not known. */
  readonly isRaw: boolean | null;
  /** Another window has it. */
  readonly isAway?: boolean;
}

const isGuid = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f-]{36}$/i.test(value);

function isTerminal(value: unknown): value is RememberedTerminal {
  if (typeof value !== 'object' || value === null) return false;
  const { terminalId, deviceId, deviceName, number, isRaw, isAway } = value as Partial<Record<keyof RememberedTerminal, unknown>>;
  return (
    isGuid(terminalId) &&
    isGuid(deviceId) &&
    typeof deviceName === 'string' &&
    Number.isInteger(number) &&
    (isRaw === null || typeof isRaw === 'boolean') &&
    (isAway === undefined || typeof isAway === 'boolean')
  );
}

/** The remembered terminals of this user; none of another user, and none from a text that is not ours. */
export function parseTerminals(text: string | null, userId: string, most: number): RememberedTerminal[] {
  const value = valueForUser(text, userId);
  return Array.isArray(value) ? value.filter(isTerminal).slice(0, most) : [];
}

/** The smallest number that no terminal of the device has. */
export function freeNumber(taken: readonly number[]): number {
  let number = 1;
  while (taken.includes(number)) number += 1;
  return number;
}
