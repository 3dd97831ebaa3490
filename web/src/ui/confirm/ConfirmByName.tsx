import { lazy, type ReactNode } from 'react';

import { Dialog } from '../dialog/Dialog.js';
import type { ConfirmByNameProps } from './Confirm.js';

// Comes with the first dialog, which waits for it.
const NameForm = lazy(async () => ({ default: (await import('./NameForm.js')).NameForm }));

/** Asks for the name of the thing that will be destroyed, so that it is never the wrong one. */
export function ConfirmByName({ open, onClose, title, ...question }: ConfirmByNameProps): ReactNode {
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <NameForm onClose={onClose} {...question} />
    </Dialog>
  );
}
