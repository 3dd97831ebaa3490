import { createFileRoute } from '@tanstack/react-router';

import { AccessMatrix } from '../parts/permissions/matrix/AccessMatrix.js';
import { oneOf } from '../model/search-params.js';

export const Route = createFileRoute('/_app/user-groups/$userGroupId/access')({
  validateSearch: (search): { q?: string } => ({ q: oneOf(search.q) }),
  component: function Access() {
    const { userGroupId: id } = Route.useParams();
    const { q = '' } = Route.useSearch();
    const navigate = Route.useNavigate();
    const search = (text: string): void => void navigate({ search: { q: text === '' ? undefined : text }, replace: true });
    return <AccessMatrix key={id} principal={{ kind: 'UserGroup', id }} text={q} onText={search} />;
  },
});
