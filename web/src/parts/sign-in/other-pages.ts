/*
 * Messages between the pages of one browser about who is signed in: they share one session. A page does not receive its own messages.
 */

/** A user has signed out, or signed in: `null` or their id. */
type Told = { readonly signedIn: string | null };

const pages = new BroadcastChannel('users');

function tell(told: Told): void {
  // A broadcast reaches this origin only.
  // eslint-disable-next-line unicorn/require-post-message-target-origin
  pages.postMessage(told);
}

export const tellSignedOut = (): void => tell({ signedIn: null });
export const tellSignedIn = (userId: string): void => tell({ signedIn: userId });

/** Calls back when another page has signed out, with null, or in, with the id of the user. Returns a function that ends this. */
export function onOtherPage(listener: (userId: string | null) => void): () => void {
  const hear = ({ data }: MessageEvent<Told>): void => listener(data.signedIn);
  pages.addEventListener('message', hear);
  return () => pages.removeEventListener('message', hear);
}
