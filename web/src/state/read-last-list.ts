import { valueForUser } from './read-user-data.js';
import type { DeviceSearch } from '../model/devices/device-search.js';
import type { LastList } from './last-list.js';

/** Reads the stored list, as far as the list's address allows it. Null before the first list, and for that of another user. */
export function parseLastList(
  text: string | null,
  userId: string,
  readSearch: (search: Record<string, unknown>) => DeviceSearch,
): LastList | null {
  const stored = valueForUser(text, userId) as Partial<Record<keyof LastList, unknown>> | null;
  return (
    stored && { search: readSearch({ ...(stored.search as object | undefined) }), page: Math.max(0, Math.trunc(Number(stored.page)) || 0) }
  );
}
