import { api } from '../client.js';
import { problemOf } from '../../problem/problem.js';

/*
 * Texts that the service keeps for the user, by key. It has no list of keys: a list here has a text that names its parts.
 */

/** The text under a key; null where there is none. */
export async function readStored(key: string, signal?: AbortSignal): Promise<string | null> {
  const { data } = await api.GET('/api/v1/user-storage/{key}', { params: { path: { key } }, signal });
  return data?.value ?? null;
}

/** Stores a text under a key, in place of the former one. */
export async function store(key: string, value: string): Promise<void> {
  await api.POST('/api/v1/user-storage', { body: { key, value, replaces: null } });
}

/** As many other pages may change the same text before this one gives up. */
const MOST_ATTEMPTS = 5;

/**
 * Derives the text under a key from the stored one, and repeats that each time another page has changed it in between. Null changes
 * nothing.
 */
export async function changeStored(key: string, change: (stored: string | null) => string | null): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const stored = await readStored(key);
    const value = change(stored);
    if (value === null || value === stored) return;
    try {
      await api.POST('/api/v1/user-storage', { body: { key, value, replaces: stored ?? '' } });
      return;
    } catch (error) {
      if (problemOf(error).status !== 409 || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}

/** Removes the text under a key, if another page has not done so already. */
export async function forget(key: string): Promise<void> {
  try {
    await api.DELETE('/api/v1/user-storage/{key}', { params: { path: { key } } });
  } catch (error) {
    if (problemOf(error).status !== 404) throw error;
  }
}
