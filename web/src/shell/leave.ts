import type { AnyRouter } from '@tanstack/react-router';

import { toastProblem } from '../ui/toast/toasts.js';

/** Signs out, with code that is loaded for it. */
export async function leave(router: AnyRouter): Promise<void> {
  try {
    const { signOut } = await import('../parts/sign-in/sign-out.js');
    await signOut(router);
  } catch (error) {
    toastProblem(error);
  }
}
