import type { DeviceSearch } from './device-search.js';

/*
 * The list that a device was opened from. The tab remembers it, so that the page of the device leads back to it and to its neighbours.
 */

export interface LastList {
  readonly search: DeviceSearch;
  /** The page of the list that the last device was found on. */
  readonly page: number;
}

const KEY = 'device-list';

/** Reads what was stored: what the list's address allows of it. Null before the first list, and for a text that is not ours. */
export function parseLastList(text: string | null, readSearch: (search: Record<string, unknown>) => DeviceSearch): LastList | null {
  try {
    const { search, page } = JSON.parse(text ?? 'null') as { readonly search: Record<string, unknown>; readonly page: unknown };
    return { search: readSearch(search), page: typeof page === 'number' && page >= 0 ? Math.floor(page) : 0 };
  } catch {
    return null;
  }
}

export const storedList = (): string | null => sessionStorage.getItem(KEY);

export function rememberList(list: LastList): void {
  sessionStorage.setItem(KEY, JSON.stringify(list));
}
