import { createFileRoute } from '@tanstack/react-router';

import { tenantSettingsQuery } from '../api/tenants/tenant-settings.js';
import { SettingsPage } from '../features/settings/SettingsPage.js';

export const Route = createFileRoute('/_app/settings')({
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(tenantSettingsQuery),
  component: SettingsPage,
});
