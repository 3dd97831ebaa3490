import { createFileRoute } from '@tanstack/react-router';

import { SignInsTab } from '../features/users/sign-ins/SignInsTab.js';
import { oneOf } from '../model/search-params.js';

export const Route = createFileRoute('/_app/users/$userId/sign-ins')({
  validateSearch: (search): { show?: string } => ({ show: oneOf(search.show) }),
  component: function SignIns() {
    const { userId } = Route.useParams();
    const navigate = Route.useNavigate();
    return (
      <SignInsTab userId={userId} show={Route.useSearch().show} onPart={(show) => void navigate({ search: { show }, replace: true })} />
    );
  },
});
