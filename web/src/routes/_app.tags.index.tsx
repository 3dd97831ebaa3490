import { createFileRoute } from '@tanstack/react-router';

import { entriesQuery } from '../features/structure/resources.js';
import { StructurePage } from '../features/structure/StructurePage.js';

export const Route = createFileRoute('/_app/tags/')({
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(entriesQuery('tags')),
  component: () => <StructurePage kind="tags" />,
});
