import { createFileRoute } from '@tanstack/react-router';

import { AccessMatrix } from '../parts/permissions/matrix/AccessMatrix.js';
import { oneOf } from '../model/search-params.js';

export const Route = createFileRoute('/_app/server/service-accounts/$serviceAccountId/access')({
  validateSearch: (search): { q?: string } => ({ q: oneOf(search.q) }),
  component: function Access() {
    const { serviceAccountId: id } = Route.useParams();
    const { q = '' } = Route.useSearch();
    const navigate = Route.useNavigate();
    const search = (text: string): void => void navigate({ search: { q: text === '' ? undefined : text }, replace: true });
    return <AccessMatrix key={id} principal={{ kind: 'ServiceAccount', id }} isOfServer text={q} onText={search} />;
  },
});
