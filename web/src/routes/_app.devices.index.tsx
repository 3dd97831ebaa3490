import { createFileRoute } from '@tanstack/react-router';

import { DevicesPage } from '../features/devices/DevicesPage.js';

export const Route = createFileRoute('/_app/devices/')({ component: DevicesPage });
