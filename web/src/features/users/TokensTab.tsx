import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide';
import { type ReactNode, useState } from 'react';

import { useCan } from '../../access/can.js';
import { api } from '../../api/client.js';
import { changed } from '../../api/queries.js';
import { Badge } from '../../ui/badge/Badge.js';
import { DeleteDialog } from '../../ui/confirm/DeleteDialog.js';
import { type Column, DataTable } from '../../ui/data-table/DataTable.js';
import { RelativeTime } from '../../ui/relative-time/RelativeTime.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { type Token, tokensQuery } from './queries.js';
import { t } from './texts.js';

const instant = (value: string | null): ReactNode => (value === null ? t('never') : <RelativeTime at={value} />);

const isOver = ({ expiresAt, revokedAt }: Token): boolean =>
  revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) <= Date.now());

const COLUMNS: readonly Column<Token>[] = [
  { id: 'name', header: t('name'), cell: ({ name }) => name, sortBy: ({ name }) => name.toLowerCase() },
  {
    id: 'mode',
    header: t('token-may'),
    cell: ({ permissionMode, permissionCount }) =>
      permissionMode === 'InheritOwner' ? t('token-inherits') : t('token-permissions', { count: permissionCount }),
    phone: 'detail',
  },
  {
    id: 'expires',
    header: t('expires'),
    cell: (token) => (isOver(token) ? <Badge>{t('token-over')}</Badge> : instant(token.expiresAt)),
    sortBy: ({ expiresAt }) => expiresAt ?? '9',
    phone: 'side',
  },
  { id: 'used', header: t('last-used'), cell: ({ lastUsed }) => instant(lastUsed), sortBy: ({ lastUsed }) => lastUsed, phone: 'hidden' },
  {
    id: 'created',
    header: t('created'),
    cell: ({ createdAt }) => instant(createdAt),
    sortBy: ({ createdAt }) => createdAt,
    phone: 'hidden',
  },
];

/** The personal access tokens of a user, for whoever has to end one. */
export function TokensTab({ userId }: { readonly userId: string }): ReactNode {
  const tokens = useQuery(tokensQuery(userId));
  const mayWrite = useCan('personal-access-token.others.write');
  const [deleted, setDeleted] = useState<Token | null>(null);
  return (
    <section className="stack" aria-labelledby="tokens">
      <h2 id="tokens">{t('tab-tokens')}</h2>
      <DataTable
        label={t('tab-tokens')}
        rows={tokens.data}
        rowKey={({ id }) => id}
        columns={COLUMNS}
        defaultSort="-created"
        rowName={({ name }) => name}
        rowMenu={
          mayWrite
            ? (token) => [
                {
                  label: t('delete'),
                  icon: Trash2,
                  danger: true,
                  onSelect: () => setDeleted(token),
                },
              ]
            : undefined
        }
        error={tokens.error}
        onRetry={() => void tokens.refetch()}
        empty={<EmptyState title={t('no-tokens')}>{t('no-tokens-text')}</EmptyState>}
      />
      <DeleteDialog
        subject={deleted}
        onClose={() => setDeleted(null)}
        nameOf={({ name }) => name}
        title={({ name }) => t('delete-title', { name })}
        text={() => t('token-delete-text')}
        action={() => t('delete')}
        act={({ id: tokenId }) =>
          api.DELETE('/api/v1/users/{userId}/personal-access-tokens/{tokenId}', { params: { path: { userId, tokenId } } })
        }
        onDone={() => changed('tokens', 'own-tokens')}
      />
    </section>
  );
}
