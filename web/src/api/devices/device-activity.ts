import { infiniteQueryOptions } from '@tanstack/react-query';

import { api, bodyOf, type Schemas } from '../client.js';

export type DeviceActivity = Schemas['DeviceActivityDto'];

const PAGE_SIZE = 50;

/** Activity of a device, newest first, page by page. */
export const activityQuery = (deviceId: string) =>
  infiniteQueryOptions({
    queryKey: ['device-activity', deviceId],
    queryFn: async ({ pageParam, signal }): Promise<readonly DeviceActivity[]> => {
      const query = { pageSize: PAGE_SIZE, ...(pageParam !== null && { after: pageParam }) };
      const answer = api.GET('/account/device-activity/{deviceId}', { params: { path: { deviceId }, query }, signal });
      return (await bodyOf(answer)).items ?? [];
    },
    initialPageParam: null as string | null,
    // A page that is not full is the last.
    getNextPageParam: (page) => (page.length < PAGE_SIZE ? undefined : page.at(-1)?.id),
    // Another user may be working on the device right now.
    staleTime: 0,
  });
