import { queryOptions } from '@tanstack/react-query';

import { api, bodyOf, type Schemas } from '../client.js';

export type ServerSettings = Schemas['ServerSettingsResponseDto'];
export type ServerOption = Schemas['ServerOptionDto'];
export type SettingsState = Schemas['SettingsState'];
export type SettingsFinding = Schemas['SettingsFinding'];

/** The options of the server that are set or missing. */
export const serverSettingsQuery = queryOptions({
  queryKey: ['server-settings'],
  queryFn: ({ signal }) => bodyOf(api.GET('/account/server-settings', { signal })),
  staleTime: 0,
});
