import { createFileRoute } from '@tanstack/react-router';

import { AboutPage } from '../features/about/AboutPage.js';
import { agentVersionQuery, releaseNotesQuery } from '../api/system/about.js';

export const Route = createFileRoute('/_app/about')({
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(agentVersionQuery);
    void queryClient.prefetchQuery(releaseNotesQuery);
  },
  component: AboutPage,
});
