import { queryOptions } from '@tanstack/react-query';

import { api, bodyOf, type Schemas } from '../client.js';

export type HealthFinding = Schemas['HealthFindingDto'];
export type HealthReport = Schemas['HealthReportDto'];
export type HealthArea = Schemas['HealthArea'];
export type HealthSeverity = Schemas['HealthSeverity'];

/** The last report on the health of the server. */
export const serverHealthQuery = queryOptions({
  queryKey: ['server-health'],
  queryFn: ({ signal }) => bodyOf(api.GET('/account/server-health', { signal })),
  staleTime: 0,
});

/** Examines the server, which changes nothing, and returns the report. */
export const examineServer = (): Promise<Schemas['ServerHealthResponseDto']> => bodyOf(api.POST('/account/server-health'));
