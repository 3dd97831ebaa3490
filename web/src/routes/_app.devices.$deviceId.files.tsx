import { createFileRoute } from '@tanstack/react-router';

import { oneOf } from '../search-params.js';
import { Unbuilt } from '../ui/states/Unbuilt.js';

export const Route = createFileRoute('/_app/devices/$deviceId/files')({
  validateSearch: (search): { path?: string; sort?: string } => ({ path: oneOf(search.path), sort: oneOf(search.sort) }),
  component: Unbuilt,
});
