import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

import { toastProblem } from '../../ui/toast/toasts.js';
import { externalErrorText } from '../../parts/sign-in/external-errors.js';

/** Page that itself shows the reason of a failed visit to a provider, as logins are connected there too. */
const SAYS_IT_ITSELF = '/account/security';

/** Shows the reason of a failed proof at a provider, which leads back to the page with the reason in its address. */
export function useFailedProof(): void {
  const { history } = useRouter();
  useEffect(() => {
    const { pathname, search, hash, state } = history.location;
    const parameters = new URLSearchParams(search);
    const code = parameters.get('externalError');
    if (code === null || pathname === SAYS_IT_ITSELF) return;
    toastProblem(externalErrorText(code));
    // A user who reloads the page is not told again.
    parameters.delete('externalError');
    parameters.delete('provider');
    const rest = parameters.size === 0 ? '' : `?${parameters}`;
    history.replace(`${pathname}${rest}${hash}`, state);
  }, [history]);
}
