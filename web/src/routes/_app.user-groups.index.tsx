import { createFileRoute } from '@tanstack/react-router';

import { oneOf } from '../search-params.js';
import { Unbuilt } from '../ui/states/Unbuilt.js';

export const Route = createFileRoute('/_app/user-groups/')({
  validateSearch: (search): { q?: string } => ({ q: oneOf(search.q) }),
  component: Unbuilt,
});
