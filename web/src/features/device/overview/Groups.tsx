import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { listQuery } from '../../../api/lists.js';
import { FRESH } from '../../../api/queries.js';
import { ErrorState } from '../../../ui/states/ErrorState.js';
import { SkeletonList } from '../../../ui/skeleton/Skeleton.js';
import { searchDevices } from '../../../api/devices/device-list.js';
import { useCurrentDevice } from '../current-device.js';
import { t } from '../texts.js';
import { groupsWith } from './groups.js';
import css from './OverviewTab.module.css';

const groupsOfQuery = (deviceId: string) =>
  queryOptions({
    queryKey: ['device-groups', 'of-device', deviceId],
    async queryFn({ signal, client }) {
      const groups = await client.fetchQuery(listQuery('device-groups'));
      return groupsWith(groups, async (group) => {
        const { totalItems } = await searchDevices({ group, f: [`id.equals.${deviceId}`] }, 0, 1, signal);
        return totalItems > 0;
      });
    },
    staleTime: FRESH.list,
  });

/** The groups that the device is in. */
export function Groups(): ReactNode {
  const { device } = useCurrentDevice();
  const groups = useQuery(groupsOfQuery(device.id));
  if (groups.isError) return <ErrorState error={groups.error} onRetry={() => void groups.refetch()} />;
  if (groups.data === undefined) return <SkeletonList rows={1} columns={[1]} />;
  if (groups.data.length === 0) return <p className="muted">{t('no-groups')}</p>;
  return (
    <ul className={css.groups}>
      {groups.data.map(({ id, name }) => (
        <li key={id}>
          <Link to="/device-groups/$deviceGroupId" params={{ deviceGroupId: id }} className="link">
            {name}
          </Link>
        </li>
      ))}
    </ul>
  );
}
