import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useParams } from '@tanstack/react-router';
import { Pencil, Plus, Trash2 } from 'lucide';
import { type ReactNode, useState } from 'react';

import { useCan } from '../../access/can.js';
import { formatInstant, formatNumber } from '../../i18n/format.js';
import { Badge } from '../../ui/badge/Badge.js';
import { DeleteDialog } from '../../ui/confirm/DeleteDialog.js';
import { type Column, DataTable } from '../../ui/data-table/DataTable.js';
import { SearchField } from '../../ui/field/SearchField.js';
import { LinkButton } from '../../ui/link-button/LinkButton.js';
import { Page } from '../../ui/page/Page.js';
import { RelativeTime } from '../../ui/relative-time/RelativeTime.js';
import type { Schemas } from '../../model/schemas.js';
import { RenameDialog } from '../../ui/rename/RenameDialog.js';
import { EmptyFiltered } from '../../ui/states/EmptyFiltered.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { KeyDrawer } from './KeyDrawer.js';
import { deleteKey, type InstallerKey, installerKeysQuery, nameOf, renameKey } from '../../api/devices/installer-keys.js';
import { t } from './texts.js';

const route = getRouteApi('/_app/installer-keys');

const matches = (key: InstallerKey, text: string): boolean =>
  [nameOf(key), key.id].some((value) => value.toLowerCase().includes(text.toLowerCase()));

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
      key.expiration === null ? (
        t('never')
      ) : isOver(key) ? (
        <time dateTime={key.expiration} title={formatInstant(key.expiration)}>
          <Badge>{t('expired')}</Badge>
        </time>
      ) : (
        <RelativeTime at={key.expiration} />
      ),
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

/** The keys with which devices register. The key that the address names is open in a drawer. Secrets are never shown again. */
export function InstallerKeysPage(): ReactNode {
  const { q = '' } = route.useSearch();
  const { keyId } = useParams({ strict: false });
  const navigate = route.useNavigate();
  const keys = useQuery(installerKeysQuery);
  const mayWrite = useCan('installer-key.write');
  const mayInstall = useCan('agent.install');
  const [renamed, setRenamed] = useState<InstallerKey | null>(null);
  const [deleted, setDeleted] = useState<InstallerKey | null>(null);
  const search = (text: string): void => void navigate({ search: { q: text === '' ? undefined : text }, replace: true });
  // Until the list has loaded, the list itself reports errors.
  const opened = keyId === undefined || keys.data === undefined ? null : (keys.data.find(({ id }) => id === keyId) ?? 'gone');
  const create = mayInstall ? (
    <LinkButton to="/deploy" look="primary" icon={Plus}>
      {t('create')}
    </LinkButton>
  ) : undefined;
  return (
    <Page title={t('title')} count={keys.data?.length} actions={create}>
      <p className="muted">{t('intro')}</p>
      <SearchField label={t('search')} value={q} onSearch={search} />
      <DataTable
        label={t('title')}
        rows={keys.data?.filter((key) => matches(key, q))}
        rowKey={({ id }) => id}
        columns={COLUMNS}
        defaultSort="-created"
        rowLink={({ id }) => ({ to: '/installer-keys/$keyId', params: { keyId: id }, search: true })}
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
          q === '' ? (
            <EmptyState title={t('empty-title')} actions={create}>
              {create === undefined ? undefined : t('empty-text')}
            </EmptyState>
          ) : (
            <EmptyFiltered onClear={() => search('')} total={keys.data?.length} />
          )
        }
      />
      <KeyDrawer opened={opened} onClose={() => void navigate({ to: '/installer-keys', search: true, replace: true })} />
      <RenameDialog<InstallerKey, keyof Schemas['RenameInstallerKeyRequestDto']>
        subject={renamed}
        onClose={() => setRenamed(null)}
        title={() => t('rename-title')}
        nameOf={({ friendlyName }) => friendlyName ?? ''}
        maxLength={100}
        field="friendlyName"
        act={({ id }, friendlyName) => renameKey(id, friendlyName)}
      />
      <DeleteDialog
        subject={deleted}
        onClose={() => setDeleted(null)}
        nameOf={nameOf}
        title={(key) => t('delete-title', { name: nameOf(key) })}
        text={() => t('delete-text')}
        action={() => t('delete')}
        act={({ id }) => deleteKey(id)}
      />
    </Page>
  );
}
