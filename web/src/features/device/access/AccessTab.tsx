import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';

import { useCan } from '../../../access/can.js';
import { permissionName } from '../../../i18n/permission-names.js';
import { ProblemError } from '../../../problem/problem.js';
import { Button } from '../../../ui/button/Button.js';
import { ToggleChip } from '../../../ui/chip/Chip.js';
import { DataTable } from '../../../ui/data-table/DataTable.js';
import { EmptyState } from '../../../ui/states/EmptyState.js';
import { Forbidden } from '../../../ui/states/ErrorState.js';
import { useCurrentDevice } from '../current-device.js';
import { DevicePanel } from '../frame/DevicePanel.js';
import css from './AccessTab.module.css';
import { type Holder, holdersQuery } from '../../../api/access/holders.js';
import { t } from './texts.js';

/** Permissions that people ask about most. */
const ASKED = ['device.read', 'device.terminal.use', 'device.file-system.read', 'device.vnc-relay.connect', 'device.power.manage'] as const;
type Asked = (typeof ASKED)[number];

/** Principals with access to the device, by permission, and the assignments that grant it. */
export function AccessTab(): ReactNode {
  const mayRead = useCan('tenant.permissions.read');
  const problem = new ProblemError(403, {}, 'tenant.permissions.read');
  return <DevicePanel title={t('title')}>{mayRead ? <Holders /> : <Forbidden problem={problem} />}</DevicePanel>;
}

function Holders(): ReactNode {
  const { device } = useCurrentDevice();
  const [permission, setPermission] = useState<Asked>('device.read');
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(holdersQuery(device.id, permission));
  return (
    <>
      <div className={css.tools} role="group" aria-label={t('permission')}>
        {ASKED.map((name) => (
          <ToggleChip key={name} pressed={name === permission} onClick={() => setPermission(name)}>
            {permissionName(name)}
          </ToggleChip>
        ))}
      </div>
      <DataTable<Holder>
        label={t('title')}
        rows={data?.pages.flatMap(({ items }) => items)}
        rowKey={({ principalId }) => principalId}
        columns={[
          { id: 'name', header: t('who'), cell: ({ name }) => name },
          { id: 'kind', header: t('kind'), cell: ({ principalKind }) => t(`kind-${principalKind}`), phone: 'detail' },
          { id: 'through', header: t('through'), cell: (holder) => <Through holder={holder} />, phone: 'side' },
          {
            id: 'why',
            header: t('why'),
            hideHeader: true,
            align: 'end',
            phone: 'hidden',
            cell: ({ principalKind, principalId }) => (
              <Link
                to="/effective-permissions"
                search={{ who: `${principalKind}:${principalId}`, what: permission, on: `Device:${device.id}` }}
                className="link"
              >
                {t('why')}
              </Link>
            ),
          },
        ]}
        error={error}
        onRetry={() => void refetch()}
        empty={<EmptyState title={t('nobody')} />}
      />
      {hasNextPage && (
        <div className={css.tools}>
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('more')}
          </Button>
        </div>
      )}
    </>
  );
}

/** Source of a permission: a scope of the holder's own, or a group's. */
function Through({ holder: { decidingAssignment } }: { readonly holder: Holder }): ReactNode {
  if (decidingAssignment === null) return t('hidden');
  const scope = t(`scope-${decidingAssignment.scopeKind}`);
  return decidingAssignment.throughUserGroupId === null ? scope : t('by-group', { scope });
}
