import { createFileRoute } from '@tanstack/react-router';

import { oneOf } from '../search-params.js';
import { Unbuilt } from '../ui/states/Unbuilt.js';

export const Route = createFileRoute('/_app/effective-permissions')({
  validateSearch: (search): { who?: string; what?: string; on?: string } => ({
    who: oneOf(search.who),
    what: oneOf(search.what),
    on: oneOf(search.on),
  }),
  component: Unbuilt,
});
