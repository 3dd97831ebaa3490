import { createFileRoute } from '@tanstack/react-router';

import { oneOf } from '../search-params.js';
import { Unbuilt } from '../ui/states/Unbuilt.js';

export const Route = createFileRoute('/device-access')({
  validateSearch: (search): { deviceId?: string } => ({ deviceId: oneOf(search.deviceId) }),
  component: Unbuilt,
});
