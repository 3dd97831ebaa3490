import { type ReactNode, useState } from 'react';

import { Banner } from '../banner/Banner.js';
import { Button } from '../button/Button.js';
import { Dialog } from '../dialog/Dialog.js';
import { TextField } from '../field/Field.js';
import { FormActions } from '../form/Form.js';
import { ProblemText } from '../states/ProblemText.js';
import { WhyLink } from '../states/WhyLink.js';
import { t } from '../texts.js';
import css from './Confirm.module.css';

interface ConfirmProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** Names the act and its object: "Restart srv-01?" */
  readonly title: ReactNode;
  /** What will happen. */
  readonly children?: ReactNode;
  /** The act in one or two words, as on the button that led here: "Restart". */
  readonly action: string;
  /** `danger` for what destroys. */
  readonly look?: 'primary' | 'danger';
  readonly onConfirm: () => void;
  /** The act is under way. Close the dialog when it has succeeded. */
  readonly busy?: boolean;
  /** What the last attempt failed with. */
  readonly error?: unknown;
}

/** Asks before something that cannot be taken back. What can be undone is done at once, with a toast. */
export function Confirm({ open, onClose, title, children, action, look = 'primary', onConfirm, busy, error }: ConfirmProps): ReactNode {
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <form
        className={css.body}
        onSubmit={(event) => {
          event.preventDefault();
          onConfirm();
        }}
      >
        <Failure error={error} />
        {children !== undefined && <div className={css.text}>{children}</div>}
        <FormActions>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" look={look} busy={busy} data-initial-focus>
            {action}
          </Button>
        </FormActions>
      </form>
    </Dialog>
  );
}

interface ConfirmByNameProps extends Omit<ConfirmProps, 'look'> {
  /** The name of what will be destroyed, or the number of things: it has to be typed. */
  readonly name: string;
}

/** Asks for the name of what will be destroyed, so that it is never the wrong one. */
export function ConfirmByName({ open, onClose, title, children, action, onConfirm, busy, error, name }: ConfirmByNameProps): ReactNode {
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <NameForm {...{ onClose, children, action, onConfirm, busy, error, name }} />
    </Dialog>
  );
}

/** Stands within the dialog, so that what was typed is gone with it. */
function NameForm({ onClose, children, action, onConfirm, busy, error, name }: Omit<ConfirmByNameProps, 'open' | 'title'>): ReactNode {
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
        name="confirmation"
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

function Failure({ error }: { readonly error: unknown }): ReactNode {
  if (error === undefined || error === null) return null;
  return (
    <Banner look="bad">
      <ProblemText error={error} /> <WhyLink error={error} />
    </Banner>
  );
}
