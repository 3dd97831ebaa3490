import { createFileRoute } from '@tanstack/react-router';

import { AlertPage } from '../features/server-administration/AlertPage.js';
import { serverAlertQuery } from '../api/system/server.js';

export const Route = createFileRoute('/_app/server/alert')({
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(serverAlertQuery),
  component: AlertPage,
});
