import { createFileRoute } from '@tanstack/react-router';

import { BackupsPage } from '../features/server-backups/BackupsPage.js';

export const Route = createFileRoute('/_app/server/backups')({ component: BackupsPage });
