import type { ReactNode } from 'react';

import { Dialog } from '../dialog/Dialog.js';
import { useShown } from '../dialog/shown.js';
import type { FormValues } from '../form/Form.js';
import type { Editable } from './save-over.js';
import { StoredForm } from './StoredForm.js';

export interface EditDialogProps<T, Name extends string> {
  /** The edited thing; null keeps the dialog closed. */
  readonly subject: T | null;
  readonly onClose: () => void;
  readonly title: (subject: T) => string;
  readonly nameOf: (subject: T) => string;
  readonly of: (subject: T) => Editable<Name>;
  readonly labelOf: (field: string) => string;
  /** Display text for the value of a field, where people know it by another text. */
  readonly textOf?: (field: string, value: string) => string;
  /** Text of the button that saves: "Save". */
  readonly action: string;
  /** The fields, with the values that they start with. */
  readonly children: (values: FormValues<NoInfer<Name>>) => ReactNode;
}

/**
 * A short form over the page that changes one thing. It starts from the state that is stored when it opens, which lists may not show yet.
 */
export function EditDialog<T, Name extends string>(props: EditDialogProps<T, Name>): ReactNode {
  const { opening, isOpen, subject } = useShown(props.subject);
  const { onClose, title } = props;
  return (
    <Dialog open={isOpen} onClose={onClose} title={subject === null ? '' : title(subject)}>
      {subject !== null && <Body key={opening} {...props} subject={subject} />}
    </Dialog>
  );
}

function Body<T, Name extends string>({
  subject,
  onClose,
  nameOf,
  of,
  ...form
}: EditDialogProps<T, Name> & { readonly subject: T }): ReactNode {
  return <StoredForm {...form} name={nameOf(subject)} of={of(subject)} onCancel={onClose} onFinished={onClose} />;
}
