import type { MouseEvent } from 'react';

import { sessionQuery } from '../../access/session.js';
import { queryClient } from '../../api/queries.js';
import { saveFrom } from '../../ui/save-file.js';
import { toastProblem } from '../../ui/toast/toasts.js';

/*
 * Downloads that the browser itself makes: the page does not see their answers. It asks for the session before, so that a user whose session
 * has ended is told, and signs in again.
 */

/** Begins a download once the user is signed in. */
export async function whenSignedIn(begin: () => void): Promise<void> {
  try {
    if ((await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })) !== null) begin();
  } catch (error) {
    toastProblem(error);
  }
}

/** Has the browser download what is at an address, under this name. */
export const download = (address: string, name: string): Promise<void> => whenSignedIn(() => saveFrom(address, name));

/** Handles a click on a link whose address is a download. */
export function downloadLinked(event: MouseEvent<HTMLAnchorElement>): void {
  event.preventDefault();
  void download(event.currentTarget.href, event.currentTarget.download);
}
