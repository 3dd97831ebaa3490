import { queryOptions } from '@tanstack/react-query';

import { api, bodyOf } from '../client.js';
import { FRESH } from '../queries.js';

/** The tenant's options for the installation of agents. */
export const deploymentOptionsQuery = queryOptions({
  queryKey: ['tenant-settings', 'deployment'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/deployment-options', { signal })),
  staleTime: FRESH.list,
});

/** True if the user may choose the tags of a new device for a customer, or for none. */
export const mayTagQuery = (customerId: string | null) =>
  queryOptions({
    queryKey: ['tag-capability', customerId],
    async queryFn({ signal }) {
      const body = { deviceId: null, customerId };
      return (await bodyOf(api.POST('/api/v1/deployment-options/tag-capability', { body, signal }))).allowed;
    },
    staleTime: FRESH.list,
  });
