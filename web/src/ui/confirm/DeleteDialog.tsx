import type { ReactNode } from 'react';

import { useShown } from '../dialog/shown.js';
import { type ActProps, useConfirmed } from './act.js';
import { ConfirmByName } from './ConfirmByName.js';

interface DeleteDialogProps<T> extends ActProps<T> {
  /** The name that has to be typed. */
  readonly nameOf: (subject: T) => string;
}

/** Deletes one thing after its name was typed. */
export function DeleteDialog<T>(props: DeleteDialogProps<T>): ReactNode {
  const { opening, ...shown } = useShown(props.subject);
  return <Question key={opening} {...props} {...shown} />;
}

function Question<T>({ nameOf, ...props }: DeleteDialogProps<T> & { readonly isOpen: boolean }): ReactNode {
  const confirmed = useConfirmed(props);
  return <ConfirmByName name={props.subject === null ? '' : nameOf(props.subject)} {...confirmed} />;
}
