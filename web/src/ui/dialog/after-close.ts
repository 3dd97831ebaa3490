import { useCallback, useContext, useEffect, useRef } from 'react';

import { fieldErrors } from '../../problem/field-errors.js';
import { toastProblem } from '../toast/toasts.js';
import { IsOpen } from './open.js';

/**
 * Returns a function for answers that come later: false once the dialog that asked has been closed, whichever is open by then. What stands
 * around its dialog says with `isOpen` that it is open; what stands within knows.
 */
export function useStillOpen(isOpen = true): () => boolean {
  const isShown = useContext(IsOpen) && isOpen;
  const open = useRef(isShown);
  useEffect(() => {
    open.current = isShown;
    return () => {
      open.current = false;
    };
  }, [isShown]);
  return useCallback(() => open.current, []);
}

/** Shows a failure, as an error or a sentence, as a notification if the dialog that would show it has been closed since. */
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
