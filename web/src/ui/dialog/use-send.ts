import { useMutation } from '@tanstack/react-query';

import { useFailureAfterClose, useStillOpen } from './after-close.js';

interface Sending<T> {
  readonly send: (about: T) => void;
  readonly isSending: boolean;
  /** Error of the last attempt. */
  readonly error: unknown;
}

/**
 * Runs the request of a form over the page. `act` also does what follows a success in any case: a notification, a secret to show. `onSent`
 * closes the dialog. It is not called when the user has closed the dialog before the answer: another one may be open by then. A failure is
 * shown as a notification in this case. Each opening needs a form of its own; `isOpen` is for one that stands around its dialog.
 */
export function useSend<T = void>(act: (about: T) => Promise<unknown>, onSent?: () => void, isOpen?: boolean): Sending<T> {
  const isStillOpen = useStillOpen(isOpen);
  const { mutate, isPending, error } = useMutation({
    // The answer may be a secret, and so may what was sent: neither is kept.
    async mutationFn(about: T) {
      await act(about);
    },
    gcTime: 0,
    onError: useFailureAfterClose(isStillOpen),
  });
  return {
    send: (about) => mutate(about, { onSuccess: () => isStillOpen() && onSent?.() }),
    isSending: isPending,
    error,
  };
}
