import { createFileRoute } from '@tanstack/react-router';

import { oneOf } from '../search-params.js';
import { Unbuilt } from '../ui/states/Unbuilt.js';

export const Route = createFileRoute('/_app/devices/$deviceId/screen')({
  validateSearch: (search): { port?: string } => ({ port: oneOf(search.port) }),
  component: Unbuilt,
});
