import type { ReactNode } from 'react';

import { Button } from '../button/Button.js';
import { Dialog } from '../dialog/Dialog.js';
import { FormActions } from '../form/FormActions.js';
import { t } from '../later-texts.js';
import css from './Confirm.module.css';
import { Failure } from './Failure.js';

export interface ConfirmProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** Names the act and its object: "Restart srv-01?" */
  readonly title: ReactNode;
  /** Consequences of the action. */
  readonly children?: ReactNode;
  /** The act in one or two words, as on the button that led here: "Restart". */
  readonly action: string;
  /** `danger` for an action that destroys. */
  readonly look?: 'primary' | 'danger';
  readonly onConfirm: () => void;
  /** The act is under way. Close the dialog when it has succeeded. */
  readonly busy?: boolean;
  /** Error of the last attempt. */
  readonly error?: unknown;
}

export interface ConfirmByNameProps extends Omit<ConfirmProps, 'look'> {
  /** The name of the thing that will be destroyed, or the number of things: it has to be typed. */
  readonly name: string;
}

/** Asks before an action that cannot be undone. One that can be undone is done at once, with a toast. */
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
