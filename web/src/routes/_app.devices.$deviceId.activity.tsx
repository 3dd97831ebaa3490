import { createFileRoute } from '@tanstack/react-router';

import { ActivityTab } from '../features/device/activity/ActivityTab.js';

export const Route = createFileRoute('/_app/devices/$deviceId/activity')({ component: ActivityTab });
