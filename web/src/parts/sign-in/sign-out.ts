import { type AnyRouter, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

import { proofGiven, waitsForSignIn } from '../../access/proof.js';
import { loadForAnother, renewSession, useSession } from '../../access/session.js';
import { hooks } from '../../api/client.js';
import { queryClient } from '../../api/queries.js';
import { signOut as sendSignOut } from '../../api/people/sign-in.js';
import { endSessions } from '../../live/sessions/sessions.js';
import { clearDataOfOthers, clearUserData } from '../../state/read-user-data.js';
import { forgetUser } from '../../state/store.js';
import { reconnectNow } from '../../live/hub.js';
import { mayLeave } from '../../ui/leave/leave-questions.js';
import { toastProblem } from '../../ui/toast/toasts.js';
import { onOtherPage, tellSignedIn, tellSignedOut } from './other-pages.js';

/**
 * Ends the session for a user who wants to: nothing that it showed stays in this page or in others of this browser. Asks first about changes
 * that are not saved.
 */
export async function signOut(router: AnyRouter): Promise<void> {
  try {
    // A later `navigate` would ask after the sign-out.
    if (!(await mayLeave())) return;
    endSessions();
    await sendSignOut();
    tellSignedOut();
    await leave(router);
  } catch (error) {
    toastProblem(error);
  }
}

/**
 * Follows the other pages of this browser: leaves this page when one has signed out, loads it for another user who has signed in there, and
 * goes on if it waited for that. Tells them who is signed in here, and removes what the browser still stores for other users.
 */
export function useOtherPages(): void {
  const router = useRouter();
  const { user } = useSession();
  useEffect(() => {
    clearDataOfOthers(user.id);
    tellSignedIn(user.id);
  }, [user.id]);
  useEffect(
    () =>
      onOtherPage((userId) => {
        if (userId === null) void leave(router);
        else if (userId !== user.id) void loadForAnother();
        // Asked now: a message can come before the page has been drawn with the question.
        else if (waitsForSignIn()) goOn();
        else hooks.signIns += 1;
      }),
    [router, user.id],
  );
}

/** Goes on after a sign-in: the refused requests are sent again. */
export function goOn(): void {
  hooks.signIns += 1;
  proofGiven();
  // The attempts of the time without a session have made the next one late.
  void reconnectNow();
  void queryClient.refetchQueries({ predicate: ({ state }) => state.status === 'error' });
}

async function leave(router: AnyRouter): Promise<void> {
  await endSession();
  // Nothing of the user stays, not even changes that are not saved.
  await router.navigate({ to: '/signin', ignoreBlocker: true });
}

/** Forgets the data and the running sessions of the signed-out user, and reads the session again. */
export async function endSession(): Promise<void> {
  // Refusals from now on must not ask for another sign-in.
  hooks.tenantId = null;
  await forgetUser();
  clearUserData();
  await renewSession();
}
