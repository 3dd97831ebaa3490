import { useMutation, useQuery } from '@tanstack/react-query';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { useSession } from '../../../access/session.js';
import { api } from '../../../api/client.js';
import { addPasskey, passkeysSupported } from '../../../api/passkeys.js';
import { ProblemError } from '../../../api/problem.js';
import { formatInstant, formatRelative } from '../../../i18n/format.js';
import { Button } from '../../../ui/button/Button.js';
import { ConfirmByName } from '../../../ui/confirm/Confirm.js';
import { type Column, DataTable } from '../../../ui/data-table/DataTable.js';
import { Dialog } from '../../../ui/dialog/Dialog.js';
import { TextField } from '../../../ui/field/Field.js';
import { Form, FormActions } from '../../../ui/form/Form.js';
import { toast } from '../../../ui/toast/toasts.js';
import { Section } from '../AccountPage.js';
import { accountChanged, type Passkey, passkeysQuery } from '../queries.js';
import { t } from '../texts.js';

const COLUMNS: readonly Column<Passkey>[] = [
  { id: 'name', header: t('name'), cell: ({ name }) => name },
  { id: 'type', header: t('passkey-kept'), cell: ({ deviceType }) => t(`passkey-${deviceType}`), phone: 'detail' },
  {
    id: 'created',
    header: t('created'),
    cell: ({ createdAt }) => <span title={formatInstant(createdAt)}>{formatRelative(createdAt)}</span>,
    phone: 'hidden',
  },
  {
    id: 'used',
    header: t('last-used'),
    cell: ({ lastUsedAt }) =>
      lastUsedAt === null ? t('never') : <span title={formatInstant(lastUsedAt)}>{formatRelative(lastUsedAt)}</span>,
    phone: 'side',
  },
];

/** The passkeys that sign the user in: added, renamed and removed. */
export function PasskeysSection(): ReactNode {
  const { server } = useSession();
  const passkeys = useQuery(passkeysQuery);
  const [isAdding, setAdding] = useState(false);
  const [renamed, setRenamed] = useState<Passkey | null>(null);
  const [removed, setRemoved] = useState<Passkey | null>(null);
  const remove = useMutation({
    async mutationFn({ id }: Passkey) {
      await api.DELETE('/account/passkeys/{id}', { params: { path: { id } } });
      setRemoved(null);
      await accountChanged();
    },
  });
  const isFull = passkeys.data !== undefined && passkeys.data.items.length >= passkeys.data.maximum;
  const whyNot = server.arePasskeysPossible ? (passkeysSupported() ? undefined : t('passkeys-unsupported')) : t('passkeys-impossible');
  const add =
    whyNot === undefined ? (
      <Button icon={Plus} disabled={isFull} onClick={() => setAdding(true)}>
        {t('passkey-add')}
      </Button>
    ) : undefined;
  return (
    <Section title={t('passkeys')} text={whyNot ?? t('passkeys-text')} actions={add}>
      <DataTable
        label={t('passkeys')}
        rows={passkeys.data?.items}
        rowKey={({ id }) => id}
        columns={COLUMNS}
        rowName={({ name }) => name}
        rowMenu={(passkey) => [
          { label: t('rename'), icon: Pencil, onSelect: () => setRenamed(passkey) },
          null,
          {
            label: t('remove'),
            icon: Trash2,
            danger: true,
            onSelect() {
              remove.reset();
              setRemoved(passkey);
            },
          },
        ]}
        error={passkeys.error}
        onRetry={() => void passkeys.refetch()}
        empty={whyNot === undefined ? <p className="faint">{t('passkeys-empty')}</p> : null}
      />
      <Dialog open={isAdding} onClose={() => setAdding(false)} title={t('passkey-add')} description={t('passkey-add-text')}>
        <AddForm onDone={() => setAdding(false)} />
      </Dialog>
      <Dialog open={renamed !== null} onClose={() => setRenamed(null)} title={t('passkey-rename')}>
        {renamed !== null && <RenameForm passkey={renamed} onDone={() => setRenamed(null)} />}
      </Dialog>
      <ConfirmByName
        open={removed !== null}
        onClose={() => setRemoved(null)}
        title={t('passkey-remove-title', { name: removed?.name ?? '' })}
        action={t('remove')}
        name={removed?.name ?? ''}
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => {
          if (removed !== null) remove.mutate(removed);
        }}
      >
        {t('passkey-remove-text')}
      </ConfirmByName>
    </Section>
  );
}

interface FormProps {
  readonly onDone: () => void;
}

/** What the browser refuses by itself, as a sentence for the form. */
function refusalOfBrowser(error: unknown): unknown {
  if (!(error instanceof DOMException)) return error;
  return new ProblemError(409, { detail: error.name === 'InvalidStateError' ? t('passkey-exists') : t('passkey-failed') });
}

function AddForm({ onDone }: FormProps): ReactNode {
  const add = useMutation({
    async mutationFn(name: string) {
      const passkey = await addPasskey(name).catch((error: unknown) => {
        throw refusalOfBrowser(error);
      });
      if (passkey === null) throw new ProblemError(409, { detail: t('passkey-dismissed') });
      onDone();
      toast(t('passkey-added', { name: passkey.name }));
      await accountChanged();
    },
  });
  return (
    <Form error={add.error} onSubmit={({ name = '' }) => add.mutate(name)}>
      <TextField name="name" label={t('name')} hint={t('passkey-name-hint')} maxLength={100} autoComplete="off" required autoFocus />
      <FormActions>
        <Button onClick={onDone}>{t('cancel')}</Button>
        <Button type="submit" look="primary" busy={add.isPending}>
          {t('continue')}
        </Button>
      </FormActions>
    </Form>
  );
}

function RenameForm({ passkey, onDone }: FormProps & { readonly passkey: Passkey }): ReactNode {
  const rename = useMutation({
    async mutationFn(name: string) {
      await api.PUT('/account/passkeys/{id}', { params: { path: { id: passkey.id } }, body: { name } });
      onDone();
      await accountChanged();
    },
  });
  return (
    <Form error={rename.error} onSubmit={({ name = '' }) => rename.mutate(name)}>
      <TextField name="name" label={t('name')} defaultValue={passkey.name} maxLength={100} autoComplete="off" required autoFocus />
      <FormActions>
        <Button onClick={onDone}>{t('cancel')}</Button>
        <Button type="submit" look="primary" busy={rename.isPending}>
          {t('rename')}
        </Button>
      </FormActions>
    </Form>
  );
}
