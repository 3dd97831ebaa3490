import { createFileRoute } from '@tanstack/react-router';

import { SecurityPage } from '../features/account/security/SecurityPage.js';
import { oneOf } from '../model/search-params.js';

export const Route = createFileRoute('/_app/account/security')({
  // A provider that was to be connected leads back with the reason why it came to nothing.
  validateSearch: (search): { externalError?: string } => ({ externalError: oneOf(search.externalError) }),
  component: SecurityPage,
});
