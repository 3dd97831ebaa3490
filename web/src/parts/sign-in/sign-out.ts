import { type AnyRouter, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

import { renewSession } from '../../access/session.js';
import { hooks } from '../../api/client.js';
import { signOut as sendSignOut } from '../../api/people/sign-in.js';
import { endSessions } from '../../live/sessions/sessions.js';
import { clearUserData } from '../../state/read-user-data.js';
import { forgetUser } from '../../state/store.js';
import { toastProblem } from '../../ui/toast/toasts.js';

const MESSAGE = 'signed-out';

/** Reaches the other pages of this browser. A page does not receive its own messages. */
const pages = new BroadcastChannel('session');

/** Ends the session: nothing that it showed stays in this page or in others of this browser. */
export async function signOut(router: AnyRouter): Promise<void> {
  try {
    endSessions();
    await sendSignOut();
    // A broadcast reaches this origin only.
    // eslint-disable-next-line unicorn/require-post-message-target-origin
    pages.postMessage(MESSAGE);
    await leave(router);
  } catch (error) {
    toastProblem(error);
  }
}

/** Leaves this page as well when another one of this browser has signed out. */
export function useSignOutElsewhere(): void {
  const router = useRouter();
  useEffect(() => {
    const follow = (): void => void leave(router);
    pages.addEventListener('message', follow);
    return () => pages.removeEventListener('message', follow);
  }, [router]);
}

async function leave(router: AnyRouter): Promise<void> {
  await endSession();
  await router.navigate({ to: '/signin' });
}

/** Forgets the data and the running sessions of the signed-out user, and reads the session again. */
export async function endSession(): Promise<void> {
  // Refusals from now on must not ask for another sign-in.
  hooks.tenantId = null;
  await forgetUser();
  clearUserData();
  await renewSession();
}
