import { api } from './client.js';

/*
 * Texts that the service keeps for the user, by key. It has no list of keys: what is a list here has a text that names its parts.
 */

/** The text under a key; null where there is none. */
export async function readStored(key: string, signal?: AbortSignal): Promise<string | null> {
  const { data } = await api.GET('/api/v1/user-storage/{key}', { params: { path: { key } }, signal });
  return data?.value ?? null;
}

/** Keeps a text under a key, in place of the one that is there. */
export async function store(key: string, value: string): Promise<void> {
  await api.POST('/api/v1/user-storage', { body: { key, value } });
}

/** Removes a text that is there. */
export async function forget(key: string): Promise<void> {
  await api.DELETE('/api/v1/user-storage/{key}', { params: { path: { key } } });
}
