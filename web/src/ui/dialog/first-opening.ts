import { useEffect, useState } from 'react';

/** By this time a page is shown and usable, and code for the next step can be loaded. */
const CALM = 2000;

/**
 * True if something was open once: until then nothing of it is rendered or loaded, from then on it stays to fade when it closes. Its code
 * is loaded ahead once the page has come to rest, so that opening it waits for nothing.
 */
export function useFirstOpening(open: boolean, load: () => Promise<unknown>): boolean {
  const [wasOpened, setWasOpened] = useState(open);
  if (open && !wasOpened) setWasOpened(true);
  useEffect(() => {
    // If loading fails here, it is tried again, and reported, when the dialog opens.
    const timer = setTimeout(() => void load().catch(() => undefined), CALM);
    return () => clearTimeout(timer);
  }, [load]);
  return open || wasOpened;
}
