import { queryOptions } from '@tanstack/react-query';

import { api, bodyOf, hooks, type Schemas } from '../client.js';
import { mutation } from '../mutation.js';
import { FRESH, queryClient } from '../queries.js';
import { ifMatch, versionOf } from '../versioned.js';
import { isOutdated } from '../../problem/problem.js';
import type { Versioned } from '../../state/versioned.js';
import type { PermissionName } from '../../model/permissions/names.js';

/*
 * Service accounts of the tenant and of the server: the same pages show both. Their differences are here.
 */

export type AccountsOf = 'tenant' | 'server';
export type Credential = Schemas['ServiceAccountCredentialDto'];
export type AccessMode = Schemas['ServiceAccountAccessMode'];

export type Account = Schemas['TenantServiceAccountDto'] & {
  /** Only accounts of the server have one; others are always bound by their permissions. */
  readonly accessMode?: AccessMode;
};

/** Form values of a new or changed account. */
export interface AccountValues {
  readonly name: string;
  readonly description: string | null;
}

interface NewCredential {
  readonly name: string;
  readonly expiresAt: string | null;
}

interface Accounts {
  readonly writePermission: PermissionName;
  readonly rotatePermission: PermissionName;
  list(this: void, signal: AbortSignal): Promise<readonly Account[]>;
  get(this: void, id: string, signal?: AbortSignal): Promise<Versioned<Account>>;
  create(this: void, values: AccountValues, accessMode: AccessMode): Promise<Account>;
  /** Changes the account, if it still has the state with the tag; null is for any. */
  update(this: void, id: string, values: Schemas['UpdateServiceAccountRequestDto'], tag: string | null): Promise<Versioned<Account>>;
  remove(this: void, id: string, tag: string | null): Promise<unknown>;
  /** Answers the value of the `x-api-key` header, this once. */
  createCredential(this: void, id: string, credential: NewCredential): Promise<string>;
  revoke(this: void, id: string, credentialId: string): Promise<unknown>;
  purge(this: void, id: string, credentialId: string): Promise<unknown>;
}

/** The routes of a tenant's accounts name the tenant in their path. */
const inTenant = () => ({ tenantId: hooks.tenantId ?? '' });

const CHANGES = ['service-accounts'] as const;

export const ACCOUNTS: Readonly<Record<AccountsOf, Accounts>> = {
  tenant: {
    writePermission: 'service-account.write',
    rotatePermission: 'service-account.rotate-credentials',
    list: async (signal) =>
      (await bodyOf(api.GET('/api/v1/tenant-service-accounts/{tenantId}', { params: { path: inTenant() }, signal }))).items ?? [],
    get: (serviceAccountId, signal) =>
      versionOf(
        api.GET('/api/v1/tenant-service-accounts/{tenantId}/{serviceAccountId}', {
          params: { path: { ...inTenant(), serviceAccountId } },
          signal,
        }),
      ),
    create: mutation(CHANGES, (body) =>
      bodyOf(api.POST('/api/v1/tenant-service-accounts/{tenantId}', { params: { path: inTenant() }, body })),
    ),
    update: mutation(CHANGES, (serviceAccountId, body, tag) =>
      versionOf(
        api.PUT('/api/v1/tenant-service-accounts/{tenantId}/{serviceAccountId}', {
          params: { path: { ...inTenant(), serviceAccountId } },
          body,
          headers: ifMatch(tag),
        }),
      ),
    ),
    remove: mutation(CHANGES, (serviceAccountId, tag) =>
      api.DELETE('/api/v1/tenant-service-accounts/{tenantId}/{serviceAccountId}', {
        params: { path: { ...inTenant(), serviceAccountId } },
        headers: ifMatch(tag),
      }),
    ),
    createCredential: mutation(CHANGES, async (serviceAccountId, body) => {
      const path = { ...inTenant(), serviceAccountId };
      const answer = api.POST('/api/v1/tenant-service-accounts/{tenantId}/{serviceAccountId}/credentials', { params: { path }, body });
      return (await bodyOf(answer)).plainTextSecretKey;
    }),
    revoke: mutation(CHANGES, (serviceAccountId, credentialId) =>
      api.DELETE('/api/v1/tenant-service-accounts/{tenantId}/{serviceAccountId}/credentials/{credentialId}', {
        params: { path: { ...inTenant(), serviceAccountId, credentialId } },
      }),
    ),
    purge: mutation(CHANGES, (serviceAccountId, credentialId) =>
      api.DELETE('/api/v1/tenant-service-accounts/{tenantId}/{serviceAccountId}/credentials/{credentialId}/purge', {
        params: { path: { ...inTenant(), serviceAccountId, credentialId } },
      }),
    ),
  },
  server: {
    writePermission: 'server.service-accounts.write',
    rotatePermission: 'server.service-accounts.rotate-credentials',
    list: async (signal) => (await bodyOf(api.GET('/api/v1/server-service-accounts', { signal }))).items ?? [],
    get: (serviceAccountId, signal) =>
      versionOf(api.GET('/api/v1/server-service-accounts/{serviceAccountId}', { params: { path: { serviceAccountId } }, signal })),
    create: mutation(CHANGES, (values, accessMode) =>
      bodyOf(api.POST('/api/v1/server-service-accounts', { body: { ...values, accessMode } })),
    ),
    update: mutation(CHANGES, (serviceAccountId, body, tag) =>
      versionOf(
        api.PUT('/api/v1/server-service-accounts/{serviceAccountId}', {
          params: { path: { serviceAccountId } },
          body,
          headers: ifMatch(tag),
        }),
      ),
    ),
    remove: mutation(CHANGES, (serviceAccountId, tag) =>
      api.DELETE('/api/v1/server-service-accounts/{serviceAccountId}', { params: { path: { serviceAccountId } }, headers: ifMatch(tag) }),
    ),
    createCredential: mutation(CHANGES, async (serviceAccountId, body) => {
      const path = { serviceAccountId };
      const answer = api.POST('/api/v1/server-service-accounts/{serviceAccountId}/credentials', { params: { path }, body });
      return (await bodyOf(answer)).plainTextSecretKey;
    }),
    revoke: mutation(CHANGES, (serviceAccountId, credentialId) =>
      api.DELETE('/api/v1/server-service-accounts/{serviceAccountId}/credentials/{credentialId}', {
        params: { path: { serviceAccountId, credentialId } },
      }),
    ),
    purge: mutation(CHANGES, (serviceAccountId, credentialId) =>
      api.DELETE('/api/v1/server-service-accounts/{serviceAccountId}/credentials/{credentialId}/purge', {
        params: { path: { serviceAccountId, credentialId } },
      }),
    ),
  },
};

export const accountsQuery = (of: AccountsOf) =>
  queryOptions({
    queryKey: ['service-accounts', of, 'list'],
    queryFn: ({ signal }) => ACCOUNTS[of].list(signal),
    staleTime: FRESH.list,
  });

/** One account with the tag of its state. */
export const accountQuery = (of: AccountsOf, id: string) =>
  queryOptions({
    queryKey: ['service-accounts', of, id],
    queryFn: ({ signal }) => ACCOUNTS[of].get(id, signal),
  });

/** Enables or disables an account, which is shown at once; other changes by another editor stay. */
export async function setEnabled(of: AccountsOf, known: Versioned<Account>, isEnabled: boolean): Promise<void> {
  const { update, get } = ACCOUNTS[of];
  const { id } = known.value;
  // Leaving out the description keeps it.
  const send = ({ value: { name }, tag }: Versioned<Account>): Promise<Versioned<Account>> => update(id, { name, isEnabled }, tag);
  const saved = await send(known).catch(async (error: unknown) => {
    if (!isOutdated(error)) throw error;
    return send(await get(id));
  });
  queryClient.setQueryData(accountQuery(of, id).queryKey, saved);
}
