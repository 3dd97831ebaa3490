import { createFileRoute } from '@tanstack/react-router';

import { InstallerKeysPage } from '../features/installer-keys/InstallerKeysPage.js';
import { installerKeysQuery } from '../api/devices/installer-keys.js';
import { oneOf } from '../model/search-params.js';

export const Route = createFileRoute('/_app/installer-keys')({
  validateSearch: (search): { q?: string } => ({ q: oneOf(search.q) }),
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(installerKeysQuery),
  component: InstallerKeysPage,
});
