import { useCallback, useEffect, useRef } from 'react';

import { fieldErrors } from '../../problem/field-errors.js';
import { toastProblem } from '../toast/toasts.js';

/** Returns a function for answers that come later: false once the dialog that asked has been closed, whichever is open by then. */
export function useStillOpen(isOpen: boolean): () => boolean {
  const open = useRef(isOpen);
  useEffect(() => {
    open.current = isOpen;
    return () => {
      open.current = false;
    };
  }, [isOpen]);
  return useCallback(() => open.current, []);
}

/** Shows the failure of a request as a notification if the dialog that would show it has been closed since. */
export function useFailureAfterClose(isStillOpen: () => boolean): (error: unknown) => void {
  return useCallback(
    (error) => {
      if (isStillOpen()) return;
      // The sentences about fields, which stand beside them otherwise, say more than the refusal itself.
      const sentences = Object.values(fieldErrors(error)).flat();
      toastProblem(sentences.length > 0 ? sentences.join(' ') : error);
    },
    [isStillOpen],
  );
}
