import { createFileRoute } from '@tanstack/react-router';

import { oneOf } from '../search-params.js';
import { Unbuilt } from '../ui/states/Unbuilt.js';

export const Route = createFileRoute('/_app/change-log')({
  validateSearch: (
    search,
  ): { action?: string; target?: string; actor?: string; text?: string; from?: string; to?: string; page?: string; entry?: string } => ({
    action: oneOf(search.action),
    target: oneOf(search.target),
    actor: oneOf(search.actor),
    text: oneOf(search.text),
    from: oneOf(search.from),
    to: oneOf(search.to),
    page: oneOf(search.page),
    entry: oneOf(search.entry),
  }),
  component: Unbuilt,
});
