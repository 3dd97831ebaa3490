import { storeForUser } from './user-data.js';
import { valueForUser, storedText } from './read-user-data.js';

/*
 * The devices that a user visited last, in this browser.
 */

export interface RecentDevice {
  readonly id: string;
  readonly name: string;
}

const MOST = 6;

/** The list with a device at its start. */
export const withDevice = (devices: readonly RecentDevice[], visited: RecentDevice): RecentDevice[] =>
  [visited, ...devices.filter(({ id }) => id !== visited.id)].slice(0, MOST);

/** Reads the stored devices; none of another user's visits, and none from a text that is not ours. */
export function parseRecent(text: string | null, userId: string): readonly RecentDevice[] {
  const stored = valueForUser(text, userId);
  return Array.isArray(stored) ? stored.filter(isDevice).slice(0, MOST) : [];
}

function isDevice(value: unknown): value is RecentDevice {
  const { id, name } = (value ?? {}) as Partial<Record<keyof RecentDevice, unknown>>;
  return typeof id === 'string' && typeof name === 'string';
}

export const recentDevices = (userId: string): readonly RecentDevice[] => parseRecent(storedText('recent-devices'), userId);

/** Remembers a visit. */
export function rememberDevice(userId: string, visited: RecentDevice): void {
  storeForUser('recent-devices', userId, withDevice(recentDevices(userId), visited));
}
