import { queryOptions } from '@tanstack/react-query';

import type { Versioned } from '../../state/versioned.js';
import { api, bodyOf, type Schemas } from '../client.js';
import { mutation } from '../mutation.js';
import { FRESH } from '../queries.js';
import { ifMatch, versionOf } from '../versioned.js';

export type Tenant = Schemas['TenantSummaryDto'];
export type StoredTenant = Schemas['GetTenantResponseDto'];

const pathOf = (tenantId: string) => ({ path: { tenantId } });

export const tenantsQuery = queryOptions({
  queryKey: ['tenants', 'list'],
  queryFn: async ({ signal }) => (await bodyOf(api.GET('/api/v1/tenants', { signal }))).items ?? [],
  staleTime: FRESH.list,
});

/** Interval at which running removals are read again, in milliseconds. */
const REMOVALS_EVERY_MS = 5_000;

/** The deleted tenants of which rows are still being removed. */
export const removalsQuery = queryOptions({
  queryKey: ['tenants', 'removals'],
  queryFn: async ({ signal }) => (await bodyOf(api.GET('/api/v1/tenants/removals', { signal }))).items ?? [],
  staleTime: FRESH.list,
  refetchInterval: ({ state }) => (state.data?.length ? REMOVALS_EVERY_MS : false),
});

/** Objects that are deleted together with a tenant, counted when requested. */
export const tenantContentsQuery = (tenantId: string) =>
  queryOptions({
    // Not below 'tenants': that is read again after the deletion, when this tenant is gone.
    queryKey: ['tenant-contents', tenantId],
    queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/tenants/{tenantId}/contents', { params: pathOf(tenantId), signal })),
    staleTime: 0,
  });

/** Reads a tenant as it is stored now. */
export const readTenant = (tenantId: string): Promise<Versioned<StoredTenant>> =>
  versionOf(api.GET('/api/v1/tenants/{tenantId}', { params: pathOf(tenantId) }));

export type AdministratorInvitation = Schemas['AdministratorInvitationDto'];

/** Tenants in which nobody can sign in yet, with the time until which an invitation there can be accepted, or null; by the id. */
export const tenantsWithoutUsersQuery = queryOptions({
  queryKey: ['tenants', 'without-users'],
  queryFn: async ({ signal }) => (await bodyOf(api.GET('/account/tenants/without-users', { signal }))).items,
  select: (items) => new Map(items.map(({ tenantId, invitedUntil }) => [tenantId, invitedUntil])),
  staleTime: FRESH.list,
});

/**
 * Creates a tenant, with an invitation of its administrator unless `email` is null: both, or neither. Returns the invitation, whose link
 * cannot be read again.
 */
export const createTenant = mutation(
  ['tenants', 'session'],
  async (name: string, email: string | null): Promise<AdministratorInvitation | null> =>
    (await bodyOf(api.POST('/account/tenants', { body: { name, administrator: email === null ? null : { email } } }))).invitation,
);

/** Invites the first administrator of a tenant. The link cannot be read again. */
export const inviteAdministrator = mutation(['tenants'], (tenantId: string, email: string): Promise<AdministratorInvitation> =>
  bodyOf(api.POST('/account/tenants/{tenantId}/administrators', { params: pathOf(tenantId), body: { email } })),
);

/** Renames a tenant, if it still has the state with the tag; null is for any. The name of the own tenant is part of the session. */
export const renameTenant = mutation(['tenants', 'session'], (tenantId: string, name: string, tag: string | null) =>
  versionOf(api.PUT('/api/v1/tenants/{tenantId}', { params: pathOf(tenantId), body: { name }, headers: ifMatch(tag) })),
);

/** Reads the tenant of the user as it is stored now. */
export const readOwnTenant = (): Promise<Versioned<StoredTenant>> => versionOf(api.GET('/account/tenant'));

/** Renames the tenant of the user, if it still has the state with the tag; null is for any. Its name is part of the session. */
export const renameOwnTenant = mutation(['tenants', 'session'], (name: string, tag: string | null) =>
  versionOf(api.PUT('/account/tenant', { body: { name }, headers: ifMatch(tag) })),
);

/** Deletes a tenant, if it still has the state with the tag; null is for any. */
export const deleteTenant = mutation(['tenants'], (tenantId: string, tag: string | null) =>
  api.DELETE('/api/v1/tenants/{tenantId}', { params: pathOf(tenantId), headers: ifMatch(tag) }),
);
