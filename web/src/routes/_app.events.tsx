import { createFileRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { EventsPage } from '../features/events/EventsPage.js';
import { oneOf } from '../model/search-params.js';

export const Route = createFileRoute('/_app/events')({
  validateSearch: (search): { kind?: string; device?: string } => ({ kind: oneOf(search.kind), device: oneOf(search.device) }),
  component: Events,
});

function Events(): ReactNode {
  const navigate = Route.useNavigate();
  return <EventsPage search={Route.useSearch()} onSearch={(search) => void navigate({ search, replace: true })} />;
}
