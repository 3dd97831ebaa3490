import { useQuery } from '@tanstack/react-query';
import { Pencil, Plus, Trash2 } from 'lucide';
import { type ReactNode, useState } from 'react';

import { useCan } from '../../../access/can.js';
import { Button } from '../../../ui/button/Button.js';
import { DeleteDialog } from '../../../ui/confirm/DeleteDialog.js';
import { SecretDialog } from '../../../ui/copy/SecretDialog.js';
import { DataTable } from '../../../ui/data-table/DataTable.js';
import { Dialog } from '../../../ui/dialog/Dialog.js';
import { useShown } from '../../../ui/dialog/shown.js';
import { formatInstant } from '../../../i18n/format.js';
import type { Schemas } from '../../../model/schemas.js';
import { RenameDialog } from '../../../ui/rename/RenameDialog.js';
import { EmptyState } from '../../../ui/states/EmptyState.js';
import { tokenColumns } from '../../../parts/tokens/columns.js';
import { t as tokensText } from '../../../parts/tokens/texts.js';
import type { Token } from '../../../parts/tokens/token.js';
import { AccountPage, Section } from '../AccountPage.js';
import { t } from '../texts.js';
import { NewTokenForm } from './NewTokenForm.js';
import { deleteToken, renameToken, tokensQuery } from '../../../api/people/personal-access-tokens.js';

const COLUMNS = tokenColumns(t('token-inherits'));

/** The user's personal access tokens, for scripts that act in their name. */
export function TokensPage(): ReactNode {
  const tokens = useQuery(tokensQuery);
  const mayWrite = useCan('personal-access-token.self.write');
  const [isCreating, setCreating] = useState(false);
  const { opening } = useShown(isCreating ? 'form' : null);
  const [value, setValue] = useState<string | null>(null);
  const [expiresAt, setExpiresAt] = useState<string | null>(null);
  const [renamed, setRenamed] = useState<Token | null>(null);
  const [deleted, setDeleted] = useState<Token | null>(null);
  const create = mayWrite ? (
    <Button look="primary" icon={Plus} onClick={() => setCreating(true)}>
      {t('token-create')}
    </Button>
  ) : undefined;
  return (
    <AccountPage tab="tokens">
      <Section title={t('tokens-title')} text={t('tokens-text')} actions={tokens.data?.length === 0 ? undefined : create}>
        <DataTable
          label={t('tokens-title')}
          rows={tokens.data}
          rowKey={({ id }) => id}
          columns={COLUMNS}
          defaultSort="-created"
          rowName={({ name }) => name}
          rowMenu={
            mayWrite
              ? (token) => [
                  { label: t('rename'), icon: Pencil, onSelect: () => setRenamed(token) },
                  null,
                  { label: t('delete'), icon: Trash2, danger: true, onSelect: () => setDeleted(token) },
                ]
              : undefined
          }
          error={tokens.error}
          onRetry={() => void tokens.refetch()}
          empty={
            <EmptyState title={t('tokens-empty')} actions={create}>
              {t('tokens-empty-text')}
            </EmptyState>
          }
        />
      </Section>
      <Dialog open={isCreating} onClose={() => setCreating(false)} title={t('token-create')} wide keepOnOutsideClick>
        <NewTokenForm
          key={opening}
          onClose={() => setCreating(false)}
          onCreated={(secret, end) => {
            setExpiresAt(end);
            setValue(secret);
          }}
        />
      </Dialog>
      <SecretDialog title={t('token-created')} description={t('token-use')} label={t('token')} value={value} onClose={() => setValue(null)}>
        <p>{expiresAt === null ? t('token-never-expires') : t('token-expires-at', { time: formatInstant(expiresAt) })}</p>
      </SecretDialog>
      <RenameDialog<Token, keyof Schemas['UpdatePersonalAccessTokenRequestDto']>
        subject={renamed}
        onClose={() => setRenamed(null)}
        title={() => t('token-rename')}
        nameOf={({ name }) => name}
        maxLength={256}
        field="name"
        act={({ id }, name) => renameToken(id, name)}
      />
      <DeleteDialog
        subject={deleted}
        onClose={() => setDeleted(null)}
        nameOf={({ name }) => name}
        title={({ name }) => t('token-delete-title', { name })}
        text={() => tokensText('delete-text')}
        action={() => t('delete')}
        act={({ id }) => deleteToken(id)}
      />
    </AccountPage>
  );
}
