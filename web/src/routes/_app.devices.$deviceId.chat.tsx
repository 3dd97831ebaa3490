import { createFileRoute } from '@tanstack/react-router';

import { oneOf } from '../search-params.js';
import { Unbuilt } from '../ui/states/Unbuilt.js';

export const Route = createFileRoute('/_app/devices/$deviceId/chat')({
  validateSearch: (search): { process?: string } => ({ process: oneOf(search.process) }),
  component: Unbuilt,
});
