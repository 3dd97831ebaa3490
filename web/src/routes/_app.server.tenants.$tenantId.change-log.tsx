import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { useCan } from '../access/can.js';
import { ChangeLogPage } from '../features/change-log/ChangeLogPage.js';
import { filterOf, knownPartsOf } from '../features/change-log/kinds.js';
import { actsQuery } from '../api/access/change-log.js';
import { readChangeLogAddress } from '../model/change-log-search.js';
import { tenantsQuery } from '../api/tenants/tenants.js';
import { t } from '../features/server-administration/texts.js';
import { Breadcrumb, Crumb } from '../ui/breadcrumb/Breadcrumb.js';

export const Route = createFileRoute('/_app/server/tenants/$tenantId/change-log')({
  validateSearch: readChangeLogAddress,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, params, deps }) =>
    void queryClient.prefetchInfiniteQuery(actsQuery(params, filterOf(knownPartsOf(deps)))),
  component: ChangeLog,
});

/** The change log of any tenant, also of one that was deleted. */
function ChangeLog(): ReactNode {
  const navigate = Route.useNavigate();
  const { tenantId } = Route.useParams();
  const tenants = useQuery({ ...tenantsQuery, enabled: useCan('server.tenants.read') });
  const name = tenants.data?.find(({ id }) => id === tenantId)?.name || tenantId;
  return (
    <ChangeLogPage
      log={{ tenantId }}
      tenantName={name}
      search={knownPartsOf(Route.useSearch())}
      onSearch={(search) => void navigate({ search, replace: true })}
    >
      <Breadcrumb current={name}>
        <Crumb to="/server/tenants">{t('tenants')}</Crumb>
      </Breadcrumb>
    </ChangeLogPage>
  );
}
