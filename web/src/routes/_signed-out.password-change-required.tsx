import { createFileRoute } from '@tanstack/react-router';

import { ChangePasswordPage } from '../features/sign-in/ChangePasswordPage.js';
import { oneOf } from '../model/search-params.js';

export const Route = createFileRoute('/_signed-out/password-change-required')({
  validateSearch: (search): { next?: string } => ({ next: oneOf(search.next) }),
  component: ChangePasswordPage,
});
