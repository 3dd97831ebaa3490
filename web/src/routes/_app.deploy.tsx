import { createFileRoute } from '@tanstack/react-router';

import { oneOf } from '../search-params.js';
import { Unbuilt } from '../ui/states/Unbuilt.js';

export const Route = createFileRoute('/_app/deploy')({
  validateSearch: (search): { key?: string; os?: string } => ({ key: oneOf(search.key), os: oneOf(search.os) }),
  component: Unbuilt,
});
