import { queryOptions } from '@tanstack/react-query';

import { api, bodyOf, type Schemas } from '../client.js';
import { mutation } from '../mutation.js';
import { isBackingUp } from './backing-up.js';

export type ServerBackups = Schemas['ServerBackupsResponseDto'];
export type BackupFile = Schemas['BackupFileDto'];
export type BackupRun = Schemas['BackupRunDto'];

/** Interval at which the list is read while a backup or a verification runs, in milliseconds. */
const WHILE_RUNNING_MS = 2_000;

/** A node by its id or address; undefined for the one that answers, as in an installation of one node. */
export type AskedNode = string | undefined;

/** The backups of the server in the folder of a node. */
export const serverBackupsQuery = (node: AskedNode) =>
  queryOptions({
    queryKey: ['server-backups', node],
    queryFn: ({ signal }) => bodyOf(api.GET('/account/server-backups', { signal, params: { query: { node } } })),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && (data.running !== null || isBackingUp(data)) ? WHILE_RUNNING_MS : false,
  });

/** Begins a backup at a node. */
export const backUpNow = mutation(['server-backups', 'server-settings'], (node: AskedNode) =>
  bodyOf(api.POST('/account/server-backups', { params: { query: { node } } })),
);

/** Begins to verify a backup in the folder of a node. */
export const verifyBackup = mutation(['server-backups'], (name: string, node: AskedNode) =>
  bodyOf(api.POST('/account/server-backups/{name}/verification', { params: { path: { name }, query: { node } } })),
);
