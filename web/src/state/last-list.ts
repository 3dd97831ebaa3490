import { storeForUser } from './user-data.js';
import type { DeviceSearch } from '../model/devices/device-search.js';

/*
 * The list that a device was opened from. The tab remembers it, so that the page of the device leads back to it and to its neighbours.
 */

export interface LastList {
  readonly search: DeviceSearch;
  /** The page of the list that the last device was found on. */
  readonly page: number;
}

export const rememberList = (userId: string, list: LastList): void => storeForUser('device-list', userId, list);
