import type { ReactNode } from 'react';

import { Button } from '../../../ui/button/Button.js';
import { Dialog } from '../../../ui/dialog/Dialog.js';
import { useSend } from '../../../ui/dialog/use-send.js';
import { TextField } from '../../../ui/field/Field.js';
import { Form } from '../../../ui/form/Form.js';
import { FormActions } from '../../../ui/form/FormActions.js';
import { toast, toastProblem } from '../../../ui/toast/toasts.js';
import { keepView } from './queries.js';
import { t } from './texts.js';
import { LONGEST_NAME, MOST_VIEWS, type View } from './view.js';

interface NameDialogProps {
  readonly open: boolean;
  /** The view that is named: a stored one, or one that is still to be stored. */
  readonly view: View;
  readonly isNew: boolean;
  readonly onClose: () => void;
  /** Follows the storage, even if the dialog was closed before. */
  readonly onKept: (view: View) => void;
}

/** Asks for the name of a view, and keeps it. */
export function NameDialog({ open, isNew, onClose, ...form }: NameDialogProps): ReactNode {
  return (
    <Dialog open={open} onClose={onClose} title={isNew ? t('save-title') : t('rename-title')}>
      <NameForm {...form} isNew={isNew} onClose={onClose} />
    </Dialog>
  );
}

function NameForm({ view, isNew, onClose, onKept }: Omit<NameDialogProps, 'open'>): ReactNode {
  const { send, isSending, error } = useSend(async (name: string) => {
    const named = { ...view, name };
    await keepView(named);
    if (isNew) toast(t('saved', { name }));
    else toast(t('renamed', { name }), { undo: () => void keepView(view).catch(toastProblem) });
    onKept(named);
  }, onClose);
  return (
    <Form<'name'> error={error} onSubmit={({ name = '' }) => send(name.trim())}>
      <TextField<'name'>
        name="name"
        label={t('name')}
        hint={isNew ? t('name-hint', { count: MOST_VIEWS }) : undefined}
        defaultValue={view.name}
        maxLength={LONGEST_NAME}
        pattern=".*\S.*"
        required
        autoComplete="off"
      />
      <FormActions>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" look="primary" busy={isSending}>
          {isNew ? t('save') : t('rename')}
        </Button>
      </FormActions>
    </Form>
  );
}
