import { keptText } from './kept.js';
import type { DeviceSearch } from '../model/devices/device-search.js';

/*
 * The list that a device was opened from. The tab remembers it, so that the page of the device leads back to it and to its neighbours.
 */

export interface LastList {
  readonly search: DeviceSearch;
  /** The page of the list that the last device was found on. */
  readonly page: number;
}

const KEY = 'device-list';

export const storedList = (): string | null => sessionStorage.getItem(KEY);

export function rememberList(userId: string, list: LastList): void {
  sessionStorage.setItem(KEY, keptText(userId, list));
}

/** Forgets the list: at the sign-out. */
export function forgetList(): void {
  sessionStorage.removeItem(KEY);
}
