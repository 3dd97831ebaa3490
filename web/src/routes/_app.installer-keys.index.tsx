import { createFileRoute } from '@tanstack/react-router';

import { InstallerKeysPage } from '../features/installer-keys/InstallerKeysPage.js';
import { installerKeysQuery } from '../features/installer-keys/queries.js';

export const Route = createFileRoute('/_app/installer-keys/')({
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(installerKeysQuery),
  component: InstallerKeysPage,
});
