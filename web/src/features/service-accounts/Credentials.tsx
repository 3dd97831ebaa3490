import { useMutation, useQuery } from '@tanstack/react-query';
import { Ban, Plus, Trash2 } from 'lucide';
import { type ReactNode, useState } from 'react';

import { useCan } from '../../access/can.js';
import { Badge } from '../../ui/badge/Badge.js';
import { Banner } from '../../ui/banner/Banner.js';
import { Button } from '../../ui/button/Button.js';
import { RevokeDialog } from '../../ui/confirm/RevokeDialog.js';
import { SecretDialog } from '../../ui/copy/SecretDialog.js';
import { type Column, DataTable } from '../../ui/data-table/DataTable.js';
import { DateTime } from '../../ui/date-time/DateTime.js';
import { Dialog } from '../../ui/dialog/Dialog.js';
import { useSend } from '../../ui/dialog/use-send.js';
import { TextField } from '../../ui/field/Field.js';
import type { Schemas } from '../../model/schemas.js';
import { Form } from '../../ui/form/Form.js';
import { FormActions } from '../../ui/form/FormActions.js';
import { RelativeTime } from '../../ui/relative-time/RelativeTime.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { toastProblem } from '../../ui/toast/toasts.js';
import { type Account, accountQuery, ACCOUNTS, type AccountsOf, type Credential } from '../../api/people/service-accounts.js';
import { stateOf } from './credential-state.js';
import { t } from './texts.js';

type Field = keyof Schemas['CreateServiceAccountCredentialRequestDto'];

const instant = (value: string | null): ReactNode => (value === null ? t('never') : <RelativeTime at={value} />);

const COLUMNS: readonly Column<Credential>[] = [
  { id: 'name', header: t('name'), cell: ({ name }) => name, sortBy: ({ name }) => name },
  {
    id: 'created',
    header: t('created'),
    cell: ({ createdAt }) => instant(createdAt),
    sortBy: ({ createdAt }) => createdAt,
    phone: 'hidden',
  },
  { id: 'expires', header: t('expires'), cell: ({ expiresAt }) => instant(expiresAt), sortBy: ({ expiresAt }) => expiresAt },
  {
    id: 'used',
    header: t('last-used'),
    cell: ({ lastUsedAt }) => instant(lastUsedAt),
    sortBy: ({ lastUsedAt }) => lastUsedAt,
    phone: 'hidden',
  },
  {
    id: 'state',
    header: t('state'),
    cell: (credential) => {
      const state = stateOf(credential);
      return <Badge look={state === 'active' ? 'ok' : 'neutral'}>{t(`state-${state}`)}</Badge>;
    },
    sortBy: (credential) => stateOf(credential),
    phone: 'side',
  },
];

interface CredentialsProps {
  readonly of: AccountsOf;
  readonly accountId: string;
}

/** The keys of a service account: made, revoked, and then removed from the list. */
export function Credentials({ of, accountId }: CredentialsProps): ReactNode {
  const { data: account } = useQuery(accountQuery(of, accountId));
  // The page above shows why, if there is none.
  return account === undefined ? null : <Keys of={of} account={account.value} />;
}

function Keys({ of, account }: { readonly of: AccountsOf; readonly account: Account }): ReactNode {
  const mayRotate = useCan(ACCOUNTS[of].rotatePermission);
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const [revoked, setRevoked] = useState<Credential | null>(null);
  const purge = useMutation({
    mutationFn: ({ id }: Credential) => ACCOUNTS[of].purge(account.id, id),
    onError: (error) => toastProblem(error),
  });
  const create =
    mayRotate && account.isEnabled ? (
      <Button icon={Plus} onClick={() => setCreating(true)}>
        {t('create-key')}
      </Button>
    ) : undefined;
  return (
    <section className="stack" aria-labelledby="keys">
      <div className="row">
        <h2 id="keys" className="grow">
          {t('keys')}
        </h2>
        {create}
      </div>
      {!account.isEnabled && <Banner look="warn">{t('disabled-text')}</Banner>}
      <DataTable
        label={t('keys')}
        rows={account.credentials ?? []}
        rowKey={({ id }) => id}
        columns={COLUMNS}
        defaultSort="-created"
        rowName={({ name }) => name}
        rowMenu={
          mayRotate
            ? (credential) => [
                stateOf(credential) === 'active'
                  ? { label: t('revoke'), icon: Ban, danger: true, onSelect: () => setRevoked(credential) }
                  : { label: t('purge'), icon: Trash2, onSelect: () => purge.mutate(credential) },
              ]
            : undefined
        }
        empty={<EmptyState title={t('no-keys')}>{t('no-keys-text')}</EmptyState>}
      />
      <Dialog open={isCreating} onClose={() => setCreating(false)} title={t('create-key')}>
        {isCreating && <CredentialForm of={of} accountId={account.id} onClose={() => setCreating(false)} onCreated={setSecret} />}
      </Dialog>
      <SecretDialog
        title={t('created-title')}
        description={t('created-text')}
        label={t('key-value')}
        value={secret}
        onClose={() => setSecret(null)}
      />
      <RevokeDialog
        subject={revoked}
        onClose={() => setRevoked(null)}
        title={({ name }) => t('revoke-title', { name })}
        text={() => t('revoke-text')}
        action={() => t('revoke')}
        act={({ id }) => ACCOUNTS[of].revoke(account.id, id)}
      />
    </section>
  );
}

interface CredentialFormProps {
  readonly of: AccountsOf;
  readonly accountId: string;
  readonly onClose: () => void;
  /** Gets the value of the key, which nothing else holds. */
  readonly onCreated: (value: string) => void;
}

function CredentialForm({ of, accountId, onClose, onCreated }: CredentialFormProps): ReactNode {
  const [expiresAt, setExpiresAt] = useState<string | null>(null);
  const { send, isSending, error } = useSend(
    async (name: string) => onCreated(await ACCOUNTS[of].createCredential(accountId, { name, expiresAt })),
    onClose,
  );
  return (
    <Form<Field> error={error} onSubmit={({ name = '' }) => send(name)}>
      <TextField<Field> name="name" label={t('name')} maxLength={100} required autoFocus autoComplete="off" />
      <DateTime<Field> name="expiresAt" label={t('expires')} hint={t('expires-hint')} value={expiresAt} onValueChange={setExpiresAt} />
      <FormActions>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" look="primary" busy={isSending}>
          {t('create')}
        </Button>
      </FormActions>
    </Form>
  );
}
