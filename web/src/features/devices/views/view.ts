import { LONGEST_TEXT } from '../../../model/user-storage-limit.js';
import { parseSearch, stringifySearch } from '../../../model/search-params.js';
import { type DeviceSearch, readDeviceSearch } from '../../../model/devices/device-search.js';

/*
 * A view is a search of devices with a name. Its columns and its order belong to it, as they belong to the address.
 */

/** A view of the user's own. */
export interface View {
  readonly id: string;
  readonly name: string;
  readonly search: DeviceSearch;
}

/** Own views of one user: each is a line of the navigation and a search every minute. */
export const MOST_VIEWS = 20;
/** Longest name, in characters: it has one line in the navigation. */
export const LONGEST_NAME = 50;

/** The views that everybody has. */
export const BUILT_IN = [
  { id: 'all', search: {} },
  { id: 'online', search: { state: 'online' } },
  { id: 'away', search: { state: 'offline', f: ['lastSeen.before.7d'] } },
  { id: 'disk', search: { f: ['usedStoragePercent.gt.0.9'] } },
  { id: 'ungrouped', search: { ungrouped: 'yes' } },
  { id: 'untagged', search: { untagged: 'yes' } },
] as const satisfies readonly { readonly id: string; readonly search: DeviceSearch }[];

/** A search as the text of its address, without the view that it came from: the same devices, order and columns give the same text. */
const textOf = (search: DeviceSearch): string => stringifySearch({ ...readDeviceSearch({ ...search }), view: undefined });

/** True if two searches show the same devices, in the same order and columns. */
export const isSame = (one: DeviceSearch, other: DeviceSearch): boolean => textOf(one) === textOf(other);

/** A view as it is stored; null where its search is too long for that. */
export function writeView({ name, search }: Omit<View, 'id'>): string | null {
  const text = JSON.stringify({ name, search: textOf(search) });
  return text.length > LONGEST_TEXT ? null : text;
}

/** A view as it was stored; null for another text. */
export function readView(id: string, text: string | null): View | null {
  const stored = jsonOf(text);
  if (typeof stored !== 'object' || stored === null || !('name' in stored) || !('search' in stored)) return null;
  const { name, search } = stored;
  if (typeof name !== 'string' || typeof search !== 'string') return null;
  return { id, name, search: withoutGaps(readDeviceSearch(parseSearch(search))) };
}

/** The ids of the views in their order, as they are stored. */
export const writeIndex = (ids: readonly string[]): string => JSON.stringify(ids);

export function readIndex(text: string | null): string[] {
  const stored = jsonOf(text);
  return Array.isArray(stored) ? stored.filter((id): id is string => typeof id === 'string').slice(0, MOST_VIEWS) : [];
}

/** The ids with one more at its place; one that is there stays where it is. */
export const withId = (ids: readonly string[], id: string, place = ids.length): string[] =>
  ids.includes(id) ? [...ids] : ids.toSpliced(place, 0, id);

function jsonOf(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

/** Without the parameters that the address does not have: an absent customer is left to the scope, an undefined one would end it. */
const withoutGaps = (search: DeviceSearch): DeviceSearch =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
