import { createFileRoute } from '@tanstack/react-router';

import { ServerSettingsPage } from '../features/server-settings/ServerSettingsPage.js';

export const Route = createFileRoute('/_app/server/settings')({ component: ServerSettingsPage });
