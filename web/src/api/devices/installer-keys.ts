import { mutationOptions, queryOptions } from '@tanstack/react-query';

import { api, bodyOf, type Schemas } from '../client.js';
import { mutation } from '../mutation.js';
import { FRESH, queryClient } from '../queries.js';

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

/** The customer that new devices get when they register with a key; null for none. */
export const keyCustomerQuery = (keyId: string) =>
  queryOptions({
    queryKey: ['installer-keys', 'customer', keyId],
    queryFn: async ({ signal }) =>
      (await bodyOf(api.GET('/api/inventory/installer-keys/{keyId}/customer', { params: { path: { keyId } }, signal }))).customerId,
  });

/** A new key, with the limit of its validity. */
export type NewKey =
  | { readonly keyType: 'UsageBased'; readonly allowedUses: number }
  | { readonly keyType: 'TimeBased'; readonly expiration: string }
  | { readonly keyType: 'Persistent' };

/** Makes a key; the answer holds its secret, this once. */
export const createKey = mutation(['installer-keys'], (key: NewKey, friendlyName: string, tenantId: string): Promise<CreatedKey> => {
  const body = { allowedUses: null, expiration: null, ...key, friendlyName: friendlyName === '' ? null : friendlyName, tenantId };
  return bodyOf(api.POST('/api/v1/installer-keys', { body }));
});

export const renameKey = mutation(['installer-keys'], (keyId: string, friendlyName: string) =>
  api.PUT('/api/v1/installer-keys/{keyId}', { params: { path: { keyId } }, body: { friendlyName } }),
);

export const deleteKey = mutation(['installer-keys'], (keyId: string) =>
  api.DELETE('/api/v1/installer-keys/{keyId}', { params: { path: { keyId } } }),
);

interface KeyCustomerChange {
  readonly keyId: string;
  /** The customer that new devices get when they register with the key; null for none. */
  readonly customerId: string | null;
}

const changeKeyCustomer = mutation(['installer-keys'], async ({ keyId, customerId }: KeyCustomerChange) => {
  await api.PUT('/api/inventory/installer-keys/{keyId}/customer', { params: { path: { keyId } }, body: { customerId } });
  queryClient.setQueryData(keyCustomerQuery(keyId).queryKey, customerId);
});

/** Changes of the customers of keys. The last choice is the one that counts: they go one after the other. */
export const keyCustomerChange = mutationOptions({
  mutationFn: changeKeyCustomer,
  scope: { id: 'key-customer' },
});
