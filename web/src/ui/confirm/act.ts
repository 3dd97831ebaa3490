import { useMutation } from '@tanstack/react-query';
import { createElement, Fragment, type ReactNode } from 'react';

import { useFailureAfterClose, useStillOpen } from '../dialog/after-close.js';
import { type Checks, useChecked } from '../edit/use-checked.js';

/** A question about one thing, and the act that follows a yes. */
export interface ActProps<T> {
  /** Object of the question; null keeps the dialog closed. */
  readonly subject: T | null;
  readonly onClose: () => void;
  /** Names the act and its object: "Delete srv-01?" */
  readonly title: (subject: T) => string;
  /** Consequences of the act. */
  readonly text: (subject: T) => ReactNode;
  /** The act in one or two words, as on the button that led here: "Delete". */
  readonly action: (subject: T) => string;
  /** Reads the thing when the question opens, if the service tells its states apart. */
  readonly checks?: Checks<T>;
  /**
   * Does it, if the thing still has the state with the tag; null is for any. The dialog closes when that succeeded, and says why it failed.
   */
  readonly act: (subject: T, tag: string | null) => Promise<unknown>;
  /** Follows the act: the page leaves what is gone, or says that it was done. The dialog does not wait for it. */
  readonly onDone?: (subject: T) => unknown;
}

type ConfirmedProps<T> = Omit<ActProps<T>, 'subject'> & { readonly subject: T | null; readonly isOpen: boolean };

/** The words and the running of an act, as `Confirm` and `ConfirmByName` take them. */
export function useConfirmed<T>({ subject, isOpen, onClose, title, text, action, checks, act, onDone }: ConfirmedProps<T>) {
  const isStillOpen = useStillOpen(isOpen);
  const checked = useChecked(subject, checks, isStillOpen);
  const onError = useFailureAfterClose(isStillOpen);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (about: T) => checked.run(about, act),
    onSuccess: (isDone, about) => void (isDone && onDone?.(about)),
    onError,
  });
  const say = (words: (about: T) => string): string => (subject === null ? '' : words(subject));
  return {
    open: isOpen,
    onClose,
    title: say(title),
    children: subject === null ? undefined : createElement(Fragment, null, checked.notice, text(subject)),
    action: say(action),
    busy: isPending,
    error,
    onConfirm() {
      // A dialog that was opened since stays open, whether it is this one or another.
      if (subject !== null) mutate(subject, { onSuccess: (isDone) => isDone && isStillOpen() && onClose() });
    },
  };
}
