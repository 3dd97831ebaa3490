import { createFileRoute } from '@tanstack/react-router';

import { SecurityPage } from '../features/account/security/SecurityPage.js';
import { oneOf } from '../model/search-params.js';

export const Route = createFileRoute('/_app/account/security')({
  // A provider whose connection failed leads back with the reason.
  validateSearch: (search): { externalError?: string } => ({ externalError: oneOf(search.externalError) }),
  component: SecurityPage,
});
