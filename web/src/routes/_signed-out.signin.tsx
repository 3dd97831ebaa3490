import { createFileRoute, redirect } from '@tanstack/react-router';

import { localPath } from '../access/guards.js';
import { sessionQuery } from '../access/session.js';
import { registrationQuery } from '../api/people/registration.js';
import { SignInPage } from '../features/sign-in/SignInPage.js';
import { oneOf } from '../model/search-params.js';

export const Route = createFileRoute('/_signed-out/signin')({
  validateSearch: (search): { next?: string; externalError?: string } => ({
    next: oneOf(search.next),
    externalError: oneOf(search.externalError),
  }),
  async beforeLoad({ context: { queryClient }, search }) {
    const session = await queryClient.ensureQueryData(sessionQuery);
    if (session !== null) throw redirect({ href: localPath(search.next), replace: true });
    const registration = await queryClient.ensureQueryData(registrationQuery);
    if (registration.isFirstUser && registration.isOpen) throw redirect({ to: '/register', replace: true });
  },
  component: SignInPage,
});
