import { STORED, type StoredData, type StoredName } from './user-data.js';

/** The text that is stored under a name. */
export const storedText = (name: StoredName): string | null => window[STORED[name]].getItem(name);

/** The value of a text that was stored for this user; null for one of another user, and for a text that is not ours. */
export function valueForUser(text: string | null, userId: string): unknown {
  try {
    const stored = JSON.parse(text ?? 'null') as Partial<StoredData> | null;
    return stored?.userId === userId ? (stored.value ?? null) : null;
  } catch {
    return null;
  }
}

/** Removes everything that this browser, or this tab of it, still stores for other users. */
export function clearDataOfOthers(userId: string): void {
  for (const storage of [localStorage, sessionStorage])
    for (const key of Object.keys(storage)) {
      const owner = ownerOf(storage.getItem(key));
      if (owner !== null && owner !== userId) storage.removeItem(key);
    }
}

/** The user for whom a text was stored; null for one that is stored for all who use the browser, and for a text that is not ours. */
function ownerOf(text: string | null): string | null {
  try {
    const stored = JSON.parse(text ?? 'null') as Partial<StoredData> | null;
    return typeof stored?.userId === 'string' ? stored.userId : null;
  } catch {
    return null;
  }
}

/** Removes everything that is stored for a user. */
export function clearUserData(): void {
  for (const name of Object.keys(STORED) as StoredName[]) window[STORED[name]].removeItem(name);
}
