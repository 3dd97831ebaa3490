import { useQuery } from '@tanstack/react-query';
import { Pencil, Plus, Trash2 } from 'lucide';
import { type ReactNode, useState } from 'react';

import { useSession } from '../../../access/session.js';
import { addPasskey, type Passkey, passkeysQuery, passkeysSupported, removePasskey, renamePasskey } from '../../../api/people/passkeys.js';
import { ProblemError } from '../../../problem/problem.js';
import { Button } from '../../../ui/button/Button.js';
import { DeleteDialog } from '../../../ui/confirm/DeleteDialog.js';
import { type Column, DataTable } from '../../../ui/data-table/DataTable.js';
import { TextField } from '../../../ui/field/Field.js';
import type { Schemas } from '../../../model/schemas.js';
import { FormDialog } from '../../../ui/form/FormDialog.js';
import { RelativeTime } from '../../../ui/relative-time/RelativeTime.js';
import { RenameDialog } from '../../../ui/rename/RenameDialog.js';
import { toast } from '../../../ui/toast/toasts.js';
import { Section } from '../AccountPage.js';
import { t } from '../texts.js';

type Field = keyof Schemas['RenamePasskeyRequestDto'];

const COLUMNS: readonly Column<Passkey>[] = [
  { id: 'name', header: t('name'), cell: ({ name }) => name },
  { id: 'type', header: t('passkey-kept'), cell: ({ deviceType }) => t(`passkey-${deviceType}`), phone: 'detail' },
  {
    id: 'created',
    header: t('created'),
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    phone: 'hidden',
  },
  {
    id: 'used',
    header: t('last-used'),
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? t('never') : <RelativeTime at={lastUsedAt} />),
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
  const isFull = passkeys.data !== undefined && passkeys.data.items.length >= passkeys.data.maximum;
  const whyNot = server.arePasskeysPossible ? (passkeysSupported() ? undefined : t('passkeys-unsupported')) : t('passkeys-impossible');
  const addButton =
    whyNot === undefined ? (
      <Button icon={Plus} disabled={isFull} onClick={() => setAdding(true)}>
        {t('passkey-add')}
      </Button>
    ) : undefined;
  return (
    <Section title={t('passkeys')} text={whyNot ?? t('passkeys-text')} actions={addButton}>
      <DataTable
        label={t('passkeys')}
        rows={passkeys.data?.items}
        rowKey={({ id }) => id}
        columns={COLUMNS}
        rowName={({ name }) => name}
        rowMenu={(passkey) => [
          { label: t('rename'), icon: Pencil, onSelect: () => setRenamed(passkey) },
          null,
          { label: t('remove'), icon: Trash2, danger: true, onSelect: () => setRemoved(passkey) },
        ]}
        error={passkeys.error}
        onRetry={() => void passkeys.refetch()}
        empty={whyNot === undefined ? <p className="faint">{t('passkeys-empty')}</p> : null}
      />
      <FormDialog<string, Field>
        subject={isAdding ? 'new' : null}
        onClose={() => setAdding(false)}
        title={() => t('passkey-add')}
        description={() => t('passkey-add-text')}
        action={() => t('continue')}
        act={(_, { name = '' }) => add(name)}
      >
        {() => (
          <TextField<Field>
            name="name"
            label={t('name')}
            hint={t('passkey-name-hint')}
            maxLength={100}
            autoComplete="off"
            required
            autoFocus
          />
        )}
      </FormDialog>
      <RenameDialog<Passkey, Field>
        subject={renamed}
        onClose={() => setRenamed(null)}
        title={() => t('passkey-rename')}
        nameOf={({ name }) => name}
        maxLength={100}
        field="name"
        act={({ id }, name) => renamePasskey(id, name)}
      />
      <DeleteDialog
        subject={removed}
        onClose={() => setRemoved(null)}
        nameOf={({ name }) => name}
        title={({ name }) => t('passkey-remove-title', { name })}
        text={() => t('passkey-remove-text')}
        action={() => t('remove')}
        act={({ id }) => removePasskey(id)}
      />
    </Section>
  );
}

/** Lets the browser make a passkey and stores it. Throws a sentence for the form where the browser refuses or the user gives up. */
async function add(name: string): Promise<void> {
  const passkey = await addPasskey(name).catch((error: unknown) => {
    throw refusalOfBrowser(error);
  });
  if (passkey === null) throw new ProblemError(409, { detail: t('passkey-dismissed') });
  toast(t('passkey-added', { name: passkey.name }));
}

/** Turns a refusal by the browser itself into a sentence for the form. */
function refusalOfBrowser(error: unknown): unknown {
  if (!(error instanceof DOMException)) return error;
  return new ProblemError(409, { detail: error.name === 'InvalidStateError' ? t('passkey-exists') : t('passkey-failed') });
}
