import { createFileRoute } from '@tanstack/react-router';

import { OverviewTab } from '../features/device/overview/OverviewTab.js';

export const Route = createFileRoute('/_app/devices/$deviceId/')({ component: OverviewTab });
