import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { formatInstant } from '../../i18n/format.js';
import { DataTable } from '../../ui/data-table/DataTable.js';
import { useShown } from '../../ui/dialog/shown.js';
import { Drawer } from '../../ui/drawer/Drawer.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { Gone } from '../../ui/states/Gone.js';
import { type InstallerKey, keyUsagesQuery, nameOf } from '../../api/devices/installer-keys.js';
import { deviceScopeQuery } from '../../parts/permissions/scopes.js';
import { Skeleton } from '../../ui/skeleton/Skeleton.js';
import { CustomerOfKey } from './CustomerOfKey.js';
import css from './KeyDrawer.module.css';
import { t } from './texts.js';

interface KeyDrawerProps {
  /** The key; `gone` if there is none with the id of the address, and null if it names none. */
  readonly opened: InstallerKey | 'gone' | null;
  readonly onClose: () => void;
}

/** The customer of a key, and the devices that registered with it. */
export function KeyDrawer({ opened, onClose }: KeyDrawerProps): ReactNode {
  const { subject, isOpen } = useShown(opened);
  const key = subject === 'gone' ? null : subject;
  return (
    <Drawer open={isOpen} onClose={onClose} title={key === null ? t('one') : nameOf(key)}>
      {key === null ? (
        <Gone />
      ) : (
        <>
          <CustomerOfKey key={key.id} keyId={key.id} />
          <h3>{t('usages')}</h3>
          <Usages keyId={key.id} />
        </>
      )}
    </Drawer>
  );
}

/** Name of a device; its id where it is gone, or not for the caller to see. */
function DeviceName({ deviceId }: { readonly deviceId: string }): ReactNode {
  const device = useQuery(deviceScopeQuery(deviceId));
  if (device.isPending) return <Skeleton width={140} />;
  return device.data?.name ?? <span className="mono">{deviceId}</span>;
}

function Usages({ keyId }: { readonly keyId: string }): ReactNode {
  const usages = useQuery(keyUsagesQuery(keyId));
  return (
    <DataTable
      label={t('usages')}
      rows={usages.data}
      rowKey={({ id }) => id}
      columns={[
        { id: 'device', header: t('device'), cell: ({ deviceId }) => <DeviceName deviceId={deviceId} /> },
        {
          id: 'address',
          header: t('address'),
          cell: ({ remoteIpAddress }) => <span className={css.address}>{remoteIpAddress ?? ''}</span>,
        },
        { id: 'time', header: t('time'), cell: ({ timestamp }) => formatInstant(timestamp) },
      ]}
      rowLink={({ deviceId }) => ({ to: '/devices/$deviceId', params: { deviceId } })}
      error={usages.error}
      onRetry={() => void usages.refetch()}
      empty={<EmptyState title={t('no-usages')} />}
    />
  );
}
