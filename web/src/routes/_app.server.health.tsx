import { createFileRoute } from '@tanstack/react-router';

import { ServerHealthPage } from '../features/server-health/ServerHealthPage.js';

export const Route = createFileRoute('/_app/server/health')({ component: ServerHealthPage });
