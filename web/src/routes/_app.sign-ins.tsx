import { createFileRoute } from '@tanstack/react-router';

import { SignInsPage } from '../features/users/sign-ins/SignInsPage.js';
import { oneOf } from '../model/search-params.js';

export const Route = createFileRoute('/_app/sign-ins')({
  validateSearch: (search): { show?: string } => ({ show: oneOf(search.show) }),
  component: SignInsPage,
});
