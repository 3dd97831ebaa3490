import { useQuery } from '@tanstack/react-query';
import { Pencil, Plus, Trash2 } from 'lucide';
import { type ReactNode, useState } from 'react';

import { useCan } from '../../access/can.js';
import { api } from '../../api/client.js';
import { changed } from '../../api/queries.js';
import { formatInstant, formatNumber } from '../../i18n/format.js';
import { Badge } from '../../ui/badge/Badge.js';
import { DeleteDialog } from '../../ui/confirm/DeleteDialog.js';
import { type Column, DataTable } from '../../ui/data-table/DataTable.js';
import { Drawer } from '../../ui/drawer/Drawer.js';
import { LinkButton } from '../../ui/link-button/LinkButton.js';
import { Page } from '../../ui/page/Page.js';
import { RelativeTime } from '../../ui/relative-time/RelativeTime.js';
import { RenameDialog } from '../../ui/rename/RenameDialog.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { type InstallerKey, installerKeysQuery, keyUsagesQuery } from './queries.js';
import { t } from './texts.js';

/** How a key is called: by its name, else by its id. */
const nameOf = ({ friendlyName, id }: InstallerKey): string => (friendlyName === null || friendlyName === '' ? id : friendlyName);

const isOver = ({ expiration }: InstallerKey): boolean => expiration !== null && Date.parse(expiration) < Date.now();

const COLUMNS: readonly Column<InstallerKey>[] = [
  { id: 'name', header: t('name'), cell: nameOf, sortBy: nameOf },
  { id: 'type', header: t('type'), cell: ({ keyType }) => t(`type-${keyType}` as 'type-Persistent'), phone: 'detail' },
  {
    id: 'uses',
    header: t('uses'),
    cell: ({ usageCount, allowedUses }) =>
      allowedUses === null
        ? formatNumber(usageCount)
        : t('uses-of', { used: formatNumber(usageCount), allowed: formatNumber(allowedUses) }),
    sortBy: ({ usageCount }) => usageCount,
    align: 'end',
  },
  {
    id: 'expires',
    header: t('expires'),
    cell: (key) =>
      key.expiration === null ? t('never') : isOver(key) ? <Badge>{t('expired')}</Badge> : <RelativeTime at={key.expiration} />,
    sortBy: ({ expiration }) => expiration ?? '9',
    phone: 'side',
  },
  { id: 'creator', header: t('creator'), cell: ({ creatorName }) => creatorName ?? t('gone'), phone: 'hidden' },
  {
    id: 'created',
    header: t('created'),
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    sortBy: ({ createdAt }) => createdAt,
    phone: 'hidden',
  },
];

/** The keys with which devices register. Secrets are never shown again. */
export function InstallerKeysPage(): ReactNode {
  const keys = useQuery(installerKeysQuery);
  const mayWrite = useCan('installer-key.write');
  const mayInstall = useCan('agent.install');
  const [opened, setOpened] = useState<InstallerKey | null>(null);
  const [renamed, setRenamed] = useState<InstallerKey | null>(null);
  const [deleted, setDeleted] = useState<InstallerKey | null>(null);
  const create = mayInstall ? (
    <LinkButton to="/deploy" look="primary" icon={Plus}>
      {t('create')}
    </LinkButton>
  ) : undefined;
  return (
    <Page title={t('title')} count={keys.data?.length} actions={create}>
      <p className="muted">{t('intro')}</p>
      <DataTable
        label={t('title')}
        rows={keys.data}
        rowKey={({ id }) => id}
        columns={COLUMNS}
        defaultSort="-created"
        onRowOpen={setOpened}
        rowName={nameOf}
        rowMenu={
          mayWrite
            ? (key) => [
                { label: t('rename'), icon: Pencil, onSelect: () => setRenamed(key) },
                null,
                { label: t('delete'), icon: Trash2, danger: true, onSelect: () => setDeleted(key) },
              ]
            : undefined
        }
        error={keys.error}
        onRetry={() => void keys.refetch()}
        empty={
          <EmptyState title={t('empty-title')} actions={create}>
            {t('empty-text')}
          </EmptyState>
        }
      />
      <Drawer
        open={opened !== null}
        onClose={() => setOpened(null)}
        title={opened === null ? '' : nameOf(opened)}
        description={t('usages')}
      >
        {opened !== null && <Usages keyId={opened.id} />}
      </Drawer>
      <RenameDialog
        subject={renamed}
        onClose={() => setRenamed(null)}
        title={() => t('rename-title')}
        nameOf={({ friendlyName }) => friendlyName ?? ''}
        maxLength={100}
        field="friendlyName"
        act={({ id }, friendlyName) =>
          api.PUT('/api/v1/installer-keys/{keyId}', { params: { path: { keyId: id } }, body: { friendlyName } })
        }
        onDone={() => changed('installer-keys')}
      />
      <DeleteDialog
        subject={deleted}
        onClose={() => setDeleted(null)}
        nameOf={nameOf}
        title={(key) => t('delete-title', { name: nameOf(key) })}
        text={() => t('delete-text')}
        action={() => t('delete')}
        act={({ id }) => api.DELETE('/api/v1/installer-keys/{keyId}', { params: { path: { keyId: id } } })}
        onDone={() => changed('installer-keys')}
      />
    </Page>
  );
}

function Usages({ keyId }: { readonly keyId: string }): ReactNode {
  const usages = useQuery(keyUsagesQuery(keyId));
  return (
    <DataTable
      label={t('usages')}
      rows={usages.data}
      rowKey={({ id }) => id}
      columns={[
        { id: 'device', header: t('device'), cell: ({ deviceId }) => <span className="mono">{deviceId}</span> },
        { id: 'address', header: t('address'), cell: ({ remoteIpAddress }) => remoteIpAddress ?? '' },
        { id: 'time', header: t('time'), cell: ({ timestamp }) => formatInstant(timestamp) },
      ]}
      rowLink={({ deviceId }) => ({ to: '/devices/$deviceId', params: { deviceId } })}
      error={usages.error}
      onRetry={() => void usages.refetch()}
      empty={<EmptyState title={t('no-usages')} />}
    />
  );
}
