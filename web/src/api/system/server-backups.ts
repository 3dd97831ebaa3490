import { queryOptions } from '@tanstack/react-query';

import { api, bodyOf, type Schemas } from '../client.js';
import { mutation } from '../mutation.js';

export type ServerBackups = Schemas['ServerBackupsResponseDto'];
export type BackupFile = Schemas['BackupFileDto'];
export type BackupRun = Schemas['BackupRunDto'];

/** Interval at which the list is read while a backup or a verification runs, in milliseconds. */
const WHILE_RUNNING_MS = 2_000;

/** The backups of the server. */
export const serverBackupsQuery = queryOptions({
  queryKey: ['server-backups'],
  queryFn: ({ signal }) => bodyOf(api.GET('/account/server-backups', { signal })),
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data !== undefined && state.data.running !== null ? WHILE_RUNNING_MS : false),
});

/** Begins a backup. */
export const backUpNow = mutation(['server-backups', 'server-settings'], () => bodyOf(api.POST('/account/server-backups')));

/** Begins to verify a backup. */
export const verifyBackup = mutation(['server-backups'], (name: string) =>
  bodyOf(api.POST('/account/server-backups/{name}/verification', { params: { path: { name } } })),
);
