import type { ReactNode } from 'react';

import { Button } from '../button/Button.js';
import { Dialog } from '../dialog/Dialog.js';
import { useShown } from '../dialog/shown.js';
import { useSend } from '../dialog/use-send.js';
import { t } from '../later-texts.js';
import { Form, type FormValues } from './Form.js';
import { FormActions } from './FormActions.js';

export interface FormDialogProps<T, Name extends string> {
  /** Object of the form, or a word such as 'new'; null keeps the dialog closed. */
  readonly subject: T | null;
  readonly onClose: () => void;
  readonly title: (subject: T) => string;
  readonly description?: (subject: T) => string | undefined;
  /** Text of the button that sends the form: "Create". */
  readonly action: (subject: T) => string;
  /** Sends the entered values. The dialog closes when that succeeded; refusals are shown beside their fields. */
  readonly act: (subject: T, values: FormValues<Name>) => Promise<unknown>;
  /** The fields. Each opening starts with fresh ones. */
  readonly children: (subject: T) => ReactNode;
}

/** A short form over the page that makes or changes one thing. */
export function FormDialog<T, Name extends string = never>(props: FormDialogProps<T, Name>): ReactNode {
  const { opening, ...shown } = useShown(props.subject);
  return <FormOverPage key={opening} {...props} {...shown} />;
}

function FormOverPage<T, Name extends string>(props: FormDialogProps<T, Name> & { readonly isOpen: boolean }): ReactNode {
  const { subject, isOpen, onClose, title, description, action, act, children } = props;
  const { send, isSending, error } = useSend(
    ({ about, values }: { readonly about: T; readonly values: FormValues<Name> }) => act(about, values),
    onClose,
    isOpen,
  );
  return (
    <Dialog
      open={isOpen}
      onClose={onClose}
      title={subject === null ? '' : title(subject)}
      description={subject === null ? undefined : description?.(subject)}
    >
      {subject !== null && (
        <Form<Name> error={error} onSubmit={(values) => send({ about: subject, values })}>
          {children(subject)}
          <FormActions>
            <Button onClick={onClose}>{t('cancel')}</Button>
            <Button type="submit" look="primary" busy={isSending}>
              {action(subject)}
            </Button>
          </FormActions>
        </Form>
      )}
    </Dialog>
  );
}
