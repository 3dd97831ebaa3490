import { createFileRoute } from '@tanstack/react-router';

import { StatisticsPage } from '../features/server-administration/StatisticsPage.js';
import { serverStatsQuery } from '../api/system/server.js';

export const Route = createFileRoute('/_app/server/statistics')({
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(serverStatsQuery),
  component: StatisticsPage,
});
