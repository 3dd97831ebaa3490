import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';

import { BackupsPage } from '../features/server-backups/BackupsPage.js';
import { oneOf } from '../model/search-params.js';

export const Route = createFileRoute('/_app/server/backups')({
  validateSearch: (search): { node?: string } => ({ node: oneOf(search.node) }),
  component: function Backups() {
    const { node } = Route.useSearch();
    const navigate = Route.useNavigate();
    const choose = useCallback((chosen: string) => void navigate({ search: { node: chosen }, replace: true }), [navigate]);
    return <BackupsPage node={node} onNode={choose} />;
  },
});
