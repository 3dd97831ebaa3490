import { createFileRoute } from '@tanstack/react-router';

import { oneOf } from '../search-params.js';
import { Unbuilt } from '../ui/states/Unbuilt.js';

export const Route = createFileRoute('/_app/devices/$deviceId/logs')({
  validateSearch: (search): { file?: string; q?: string } => ({ file: oneOf(search.file), q: oneOf(search.q) }),
  component: Unbuilt,
});
