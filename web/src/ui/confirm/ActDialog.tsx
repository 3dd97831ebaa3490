import type { ReactNode } from 'react';

import { useShown } from '../dialog/shown.js';
import { type ActProps, useConfirmed } from './act.js';
import { Confirm, type ConfirmProps } from './Confirm.js';

interface ActDialogProps<T> extends ActProps<T> {
  /** `danger` by default. */
  readonly look?: (subject: T) => ConfirmProps['look'];
}

/** Asks about an act and does it. An answer that comes after the dialog was closed, and opened again, leaves the new question alone. */
export function ActDialog<T>(props: ActDialogProps<T>): ReactNode {
  const { opening, ...shown } = useShown(props.subject);
  return <Question key={opening} {...props} {...shown} />;
}

function Question<T>(props: ActDialogProps<T> & { readonly isOpen: boolean }): ReactNode {
  const { subject, look } = props;
  const confirmed = useConfirmed(props);
  return <Confirm {...confirmed} look={subject === null || look === undefined ? 'danger' : look(subject)} />;
}
