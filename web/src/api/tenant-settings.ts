import { queryOptions } from '@tanstack/react-query';

import { api, bodyOf, type Schemas } from './client.js';
import { changed } from './queries.js';

export type TenantSettings = Schemas['TenantSettingsDto'];

export const tenantSettingsQuery = queryOptions({
  queryKey: ['tenant-settings'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/tenant-settings', { signal })),
});

/** Sets the settings that are given; null clears one, and the others stay. */
export async function saveSettings(settings: TenantSettings): Promise<void> {
  await api.PUT('/api/v1/tenant-settings', { body: settings });
  await changed('tenant-settings');
}
