import { queryOptions } from '@tanstack/react-query';

import { api, bodyOf, type Schemas } from '../client.js';
import { FRESH } from '../queries.js';

export type Desktop = Schemas['DesktopSessionResponseDto'];

/** The desktops of a device. The route asks for less than the hub's method, which only those may call who control desktops. */
export const desktopsQuery = (deviceId: string) =>
  queryOptions({
    queryKey: ['desktops', deviceId],
    queryFn: async ({ signal }): Promise<readonly Desktop[]> =>
      (await bodyOf(api.GET('/api/v1/devices/{deviceId}/desktop-sessions', { params: { path: { deviceId } }, signal }))).items ?? [],
    staleTime: FRESH.usual,
  });

/** A picture of a desktop, as it is now. */
export const pictureQuery = (deviceId: string, targetProcessId: number) =>
  queryOptions({
    queryKey: ['desktop-preview', deviceId, targetProcessId],
    async queryFn({ signal }): Promise<Blob> {
      const params = { path: { deviceId, targetProcessId } };
      const answer = await api.GET('/api/v1/desktop-preview/{deviceId}/{targetProcessId}', { params, parseAs: 'blob', signal });
      return answer.data as unknown as Blob;
    },
    staleTime: 0,
    // Pictures of other people's desktops do not stay in memory.
    gcTime: 0,
  });
