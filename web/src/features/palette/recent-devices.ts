/*
 * The devices that a user visited last, in this browser.
 */

export interface RecentDevice {
  readonly id: string;
  readonly name: string;
}

interface Stored {
  readonly userId: string;
  readonly devices: readonly RecentDevice[];
}

const KEY = 'recent-devices';
const MOST = 6;

/** The list with a device at its start. */
export const withDevice = (devices: readonly RecentDevice[], visited: RecentDevice): RecentDevice[] =>
  [visited, ...devices.filter(({ id }) => id !== visited.id)].slice(0, MOST);

/** Reads what was stored; nothing of what another user visited, and nothing of a text that is not ours. */
export function parseRecent(text: string | null, userId: string): readonly RecentDevice[] {
  try {
    const stored = JSON.parse(text ?? 'null') as Partial<Stored> | null;
    if (stored?.userId !== userId || !Array.isArray(stored.devices)) return [];
    return stored.devices.filter(({ id, name }) => typeof id === 'string' && typeof name === 'string').slice(0, MOST);
  } catch {
    return [];
  }
}

export const recentDevices = (userId: string): readonly RecentDevice[] => parseRecent(localStorage.getItem(KEY), userId);

/** Remembers a visit. */
export function rememberDevice(userId: string, visited: RecentDevice): void {
  const stored: Stored = { userId, devices: withDevice(recentDevices(userId), visited) };
  localStorage.setItem(KEY, JSON.stringify(stored));
}

/** Forgets all visits: at the sign-out. */
export function forgetDevices(): void {
  localStorage.removeItem(KEY);
}
