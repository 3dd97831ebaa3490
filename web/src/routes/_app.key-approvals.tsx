import { createFileRoute } from '@tanstack/react-router';

import { keyApprovalsQuery } from '../api/devices/key-approvals.js';
import { KeyApprovalsPage } from '../features/key-approvals/KeyApprovalsPage.js';

export const Route = createFileRoute('/_app/key-approvals')({
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(keyApprovalsQuery),
  component: KeyApprovalsPage,
});
