import { useCallback, useEffect, useRef } from 'react';

import { fieldErrors } from '../../problem/field-errors.js';
import { toastProblem } from '../toast/toasts.js';

/** Shows the failure of a request as a notification if the dialog that would show it has been closed since. */
export function useFailureAfterClose(isOpen: boolean): (error: unknown) => void {
  const open = useRef(isOpen);
  useEffect(() => {
    open.current = isOpen;
    return () => {
      open.current = false;
    };
  }, [isOpen]);
  return useCallback((error) => {
    if (open.current) return;
    // The sentences about fields, which stand beside them otherwise, say more than the refusal itself.
    const sentences = Object.values(fieldErrors(error)).flat();
    toastProblem(sentences.length > 0 ? sentences.join(' ') : error);
  }, []);
}
