import { queryOptions } from '@tanstack/react-query';

import { api, type Schemas } from '../client.js';
import { mutation } from '../mutation.js';
import { queryClient } from '../queries.js';
import { ifMatch, versionOf } from '../versioned.js';
import { isOutdated } from '../../problem/problem.js';
import type { Versioned } from '../../state/versioned.js';

export type TenantSettings = Schemas['TenantSettingsDto'];

/** Reads the settings with the tag of their state. */
export const readTenantSettings = (signal?: AbortSignal): Promise<Versioned<TenantSettings>> =>
  versionOf(api.GET('/api/v1/tenant-settings', { signal }));

/** The settings with the tag of their state. */
export const tenantSettingsQuery = queryOptions({
  queryKey: ['tenant-settings'],
  queryFn: ({ signal }) => readTenantSettings(signal),
});

/** Sets the settings that are given; null clears one, and the others stay. */
export const saveTenantSettings = mutation(['tenant-settings'], async (settings: TenantSettings, tag: string | null) => {
  const saved = await versionOf(api.PUT('/api/v1/tenant-settings', { body: settings, headers: ifMatch(tag) }));
  queryClient.setQueryData(tenantSettingsQuery.queryKey, saved);
  return saved;
});

export interface SettingChange {
  readonly before: TenantSettings;
  readonly after: TenantSettings;
}

/** Sets one setting. If another editor has changed the same one, it fails with status 412, and the settings are shown as they are now. */
export async function saveSetting({ before, after }: SettingChange): Promise<void> {
  const known = queryClient.getQueryData(tenantSettingsQuery.queryKey);
  try {
    await saveTenantSettings(after, known?.tag ?? null);
  } catch (error) {
    if (!isOutdated(error)) throw error;
    const now = await queryClient.fetchQuery({ ...tenantSettingsQuery, staleTime: 0 });
    if (!hasAll(now.value, before) && !hasAll(now.value, after)) throw error;
    await saveTenantSettings(after, now.tag);
  }
}

const hasAll = (settings: TenantSettings, some: TenantSettings): boolean =>
  Object.entries(some).every(([name, value]) => (settings[name as keyof TenantSettings] ?? null) === value);
