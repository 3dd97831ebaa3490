import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide';
import { type ReactNode, useState } from 'react';

import { useCan } from '../../access/can.js';
import { DeleteDialog } from '../../ui/confirm/DeleteDialog.js';
import { DataTable } from '../../ui/data-table/DataTable.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { tokenColumns } from '../../parts/tokens/columns.js';
import { t as tokensText } from '../../parts/tokens/texts.js';
import type { Token } from '../../parts/tokens/token.js';
import { deleteTokenOf, tokensOfQuery } from '../../api/people/personal-access-tokens.js';
import { t } from '../../parts/users/texts.js';

const COLUMNS = tokenColumns(t('token-inherits'));

/** The personal access tokens of a user, for administrators who have to end one. */
export function TokensTab({ userId }: { readonly userId: string }): ReactNode {
  const tokens = useQuery(tokensOfQuery(userId));
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
        text={() => tokensText('delete-text')}
        action={() => t('delete')}
        act={({ id }) => deleteTokenOf(userId, id)}
      />
    </section>
  );
}
