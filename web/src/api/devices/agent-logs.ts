import { queryOptions } from '@tanstack/react-query';

import { api, bodyOf, hooks, type Schemas } from '../client.js';
import { FRESH } from '../queries.js';

export type LogGroup = Schemas['DeviceLogFileGroupDto'];
export type LogFile = Schemas['DeviceLogFileEntryDto'];

/** The log files of the agent, in groups. */
export const logGroupsQuery = (deviceId: string) =>
  queryOptions({
    queryKey: ['device-logs', deviceId],
    async queryFn({ signal }): Promise<readonly LogGroup[]> {
      const answer = api.GET('/api/v1/device-file-system/logs/{deviceId}', { params: { path: { deviceId } }, signal });
      const groups = (await bodyOf(answer)).logFileGroups ?? [];
      return groups.filter(({ logFiles }) => (logFiles ?? []).length > 0);
    },
    staleTime: FRESH.list,
  });

/** Reads a log file. Hands over each piece of its text as it arrives. */
export async function readLog(deviceId: string, filePath: string, signal: AbortSignal, onText: (piece: string) => void): Promise<void> {
  const { data } = await api.GET('/api/v1/device-file-system/logs/{deviceId}/contents', {
    params: { path: { deviceId }, query: { filePath } },
    parseAs: 'stream',
    signal,
  });
  const reader = data?.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) onText(part.value);
}

/** Address from which the browser itself downloads a log file. */
export function logAddress(deviceId: string, filePath: string): string {
  const query = new URLSearchParams({ filePath });
  if (hooks.tenantId !== null) query.set('tenantId', hooks.tenantId);
  return `/api/v1/device-file-system/logs/${deviceId}/contents?${query.toString()}`;
}
