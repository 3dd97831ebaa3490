import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';

import { api, bodyOf, type Schemas } from '../client.js';

export type DeviceActivity = Schemas['DeviceActivityDto'];

const PAGE_SIZE = 50;

/** People who have worked on a device. */
export const peopleQuery = (deviceId: string) =>
  queryOptions({
    queryKey: ['device-activity', deviceId, 'people'],
    queryFn: async ({ signal }): Promise<readonly Schemas['DeviceActivityPersonDto'][]> =>
      (await bodyOf(api.GET('/account/device-activity/{deviceId}/people', { params: { path: { deviceId } }, signal }))).items ?? [],
    staleTime: 0,
  });

/** Activity of a device, newest first, page by page: all of it, of one kind, or of one person. */
export const activityQuery = (deviceId: string, { kind, person }: { readonly kind?: DeviceActivity['kind']; readonly person?: string }) =>
  infiniteQueryOptions({
    queryKey: ['device-activity', deviceId, { kind, person }],
    queryFn: async ({ pageParam, signal }): Promise<readonly DeviceActivity[]> => {
      const query = { pageSize: PAGE_SIZE, kind, principalId: person, ...(pageParam !== null && { after: pageParam }) };
      const answer = api.GET('/account/device-activity/{deviceId}', { params: { path: { deviceId }, query }, signal });
      return (await bodyOf(answer)).items ?? [];
    },
    initialPageParam: null as string | null,
    // A page that is not full is the last.
    getNextPageParam: (page) => (page.length < PAGE_SIZE ? undefined : page.at(-1)?.id),
    // Another user may be working on the device right now.
    staleTime: 0,
  });
