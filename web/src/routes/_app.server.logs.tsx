import { createFileRoute } from '@tanstack/react-router';

import { LogsPage } from '../features/server-administration/LogsPage.js';

export const Route = createFileRoute('/_app/server/logs')({ component: LogsPage });
