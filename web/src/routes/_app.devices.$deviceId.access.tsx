import { createFileRoute } from '@tanstack/react-router';

import { AccessTab } from '../features/device/access/AccessTab.js';

export const Route = createFileRoute('/_app/devices/$deviceId/access')({ component: AccessTab });
