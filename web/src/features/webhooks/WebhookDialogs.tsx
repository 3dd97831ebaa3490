import { type ReactNode, useState } from 'react';

import { createWebhook, deleteWebhook, replaceSecret, type Webhook } from '../../api/system/webhooks.js';
import { DeleteDialog } from '../../ui/confirm/DeleteDialog.js';
import { RevokeDialog } from '../../ui/confirm/RevokeDialog.js';
import { SecretDialog } from '../../ui/copy/SecretDialog.js';
import { EditDialog } from '../../ui/edit/EditDialog.js';
import { TextField } from '../../ui/field/Field.js';
import type { FormValues } from '../../ui/form/Form.js';
import { FormDialog } from '../../ui/form/FormDialog.js';
import { KindChoice } from './KindChoice.js';
import { t } from './texts.js';
import { CHECKS, editable, type Field, labelOf, textOf, valuesOf } from './webhook-form.js';
import { nameOf } from './words.js';

interface NewWebhookProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Creates a webhook, and shows its secret this once. */
export function NewWebhook({ open, onClose }: NewWebhookProps): ReactNode {
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <>
      <FormDialog<string, Field>
        subject={open ? 'new' : null}
        onClose={onClose}
        title={() => t('create')}
        action={() => t('create')}
        act={async (_, values) => setSecret((await createWebhook(valuesOf(values))).secret)}
      >
        {() => <Fields values={{}} />}
      </FormDialog>
      <Secret title={t('created-title')} value={secret} onClose={() => setSecret(null)} />
    </>
  );
}

interface WebhookDialogProps {
  /** Null keeps the dialog closed. */
  readonly webhook: Webhook | null;
  readonly onClose: () => void;
}

/** Changes address and kinds of a webhook. */
export function EditWebhook({ webhook, onClose }: WebhookDialogProps): ReactNode {
  return (
    <EditDialog<Webhook, Field>
      subject={webhook}
      onClose={onClose}
      title={(about) => t('edit-title', { name: nameOf(about) })}
      {...{ nameOf, labelOf, textOf }}
      of={editable}
      action={t('save')}
    >
      {(values) => <Fields values={values} />}
    </EditDialog>
  );
}

/** Replaces the secret of a webhook, and shows the new one this once. */
export function ReplaceSecret({ webhook, onClose }: WebhookDialogProps): ReactNode {
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <>
      <RevokeDialog
        subject={webhook}
        onClose={onClose}
        title={(about) => t('replace-title', { name: nameOf(about) })}
        text={() => t('replace-text')}
        action={() => t('replace')}
        act={async ({ id }) => setSecret(await replaceSecret(id))}
      />
      <Secret title={t('replaced-title')} value={secret} onClose={() => setSecret(null)} />
    </>
  );
}

/** Deletes a webhook after its host was typed. */
export function DeleteWebhook({ webhook, onClose, onDone }: WebhookDialogProps & { readonly onDone?: () => void }): ReactNode {
  return (
    <DeleteDialog
      subject={webhook}
      onClose={onClose}
      nameOf={nameOf}
      title={(about) => t('delete-title', { name: nameOf(about) })}
      text={() => t('delete-text')}
      action={() => t('delete')}
      checks={CHECKS}
      act={({ id }, tag) => deleteWebhook(id, tag)}
      onDone={onDone}
    />
  );
}

interface SecretProps {
  readonly title: string;
  readonly value: string | null;
  readonly onClose: () => void;
}

const Secret = ({ title, value, onClose }: SecretProps): ReactNode => (
  <SecretDialog title={title} description={t('verify')} label={t('secret')} value={value} onClose={onClose} />
);

/** Fields of a webhook; `values` are empty for a new one. */
function Fields({ values }: { readonly values: FormValues<Field> }): ReactNode {
  return (
    <>
      <TextField<Field>
        name="url"
        type="url"
        label={t('url')}
        hint={t('url-hint')}
        defaultValue={values.url}
        maxLength={2000}
        required
        autoFocus
        autoComplete="off"
        spellCheck={false}
      />
      <KindChoice name="kinds" value={values.kinds} />
    </>
  );
}
