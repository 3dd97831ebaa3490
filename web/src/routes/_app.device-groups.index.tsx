import { createFileRoute } from '@tanstack/react-router';

import { entriesQuery } from '../features/structure/resources.js';
import { StructurePage } from '../features/structure/StructurePage.js';

export const Route = createFileRoute('/_app/device-groups/')({
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(entriesQuery('device-groups')),
  component: () => <StructurePage kind="device-groups" />,
});
