import { queryOptions } from '@tanstack/react-query';

import { api, bodyOf, type Schemas } from './client.js';
import { changed, FRESH } from './queries.js';

export type InstallerKey = NonNullable<Schemas['InstallerKeysResponseDto']['items']>[number];
export type CreatedKey = Schemas['CreateInstallerKeyResponseDto'];

/** Display name of a key: its name, else its id. */
export const nameOf = ({ friendlyName, id }: InstallerKey): string => (friendlyName === null || friendlyName === '' ? id : friendlyName);

export const installerKeysQuery = queryOptions({
  queryKey: ['installer-keys', 'list'],
  queryFn: async ({ signal }) => (await bodyOf(api.GET('/api/v1/installer-keys', { signal }))).items ?? [],
  staleTime: FRESH.list,
});

/** The registrations with a key, the latest first. */
export const keyUsagesQuery = (keyId: string) =>
  queryOptions({
    queryKey: ['installer-keys', 'usages', keyId],
    queryFn: async ({ signal }) =>
      (await bodyOf(api.GET('/api/v1/installer-keys/{keyId}/usages', { params: { path: { keyId } }, signal }))).items ?? [],
  });

/** A new key, with the limit of its validity. */
export type NewKey =
  | { readonly keyType: 'UsageBased'; readonly allowedUses: number }
  | { readonly keyType: 'TimeBased'; readonly expiration: string }
  | { readonly keyType: 'Persistent' };

/** Makes a key; the answer holds its secret, this once. */
export async function createKey(key: NewKey, friendlyName: string, tenantId: string): Promise<CreatedKey> {
  const body = { allowedUses: null, expiration: null, ...key, friendlyName: friendlyName === '' ? null : friendlyName, tenantId };
  const created = await bodyOf(api.POST('/api/v1/installer-keys', { body }));
  await changed('installer-keys');
  return created;
}
