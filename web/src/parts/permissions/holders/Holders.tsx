import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';

import { type Holder, holdersQuery } from '../../../api/access/holders.js';
import { type Scope, scopeKey } from '../../../model/permissions/scopes.js';
import { permissionName } from '../../../i18n/permission-names.js';
import { Button } from '../../../ui/button/Button.js';
import { ToggleChip } from '../../../ui/chip/Chip.js';
import { DataTable } from '../../../ui/data-table/DataTable.js';
import { EmptyState } from '../../../ui/states/EmptyState.js';
import css from './Holders.module.css';
import { t } from './texts.js';

/** Permissions that people ask about most. */
const ASKED = ['device.read', 'device.terminal.use', 'device.file-system.read', 'device.vnc-relay.connect', 'device.power.manage'] as const;
type Asked = (typeof ASKED)[number];

/** Principals with access to a device, or to all devices of a customer or a group, by permission. */
export function Holders({ scope }: { readonly scope: Scope }): ReactNode {
  const [permission, setPermission] = useState<Asked>('device.read');
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(holdersQuery(scope, permission));
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
                search={{ who: `${principalKind}:${principalId}`, what: permission, on: scopeKey(scope) }}
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
