import { type ReactNode, useState } from 'react';

import { Button } from '../button/Button.js';
import { TextField } from '../field/Field.js';
import { FormActions } from '../form/FormActions.js';
import { t } from '../later-texts.js';
import css from './Confirm.module.css';
import type { ConfirmByNameProps } from './Confirm.js';
import { Failure } from './Failure.js';

type NameFormProps = Omit<ConfirmByNameProps, 'open' | 'title'>;

/** The form of ConfirmByName. Stands within the dialog, so that the typed text is gone with it. */
export function NameForm({ onClose, children, action, onConfirm, busy, error, name }: NameFormProps): ReactNode {
  const [typed, setTyped] = useState('');
  const matches = typed.trim() === name.trim();
  return (
    <form
      className={css.body}
      onSubmit={(event) => {
        event.preventDefault();
        if (matches) onConfirm();
      }}
    >
      <Failure error={error} />
      {children !== undefined && <div className={css.text}>{children}</div>}
      <TextField
        label={
          <>
            {t('type-to-confirm')} <span className={css.name}>{name}</span>
          </>
        }
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
      <FormActions>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" look="danger" disabled={!matches} busy={busy}>
          {action}
        </Button>
      </FormActions>
    </form>
  );
}
