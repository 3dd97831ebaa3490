import { useEffect, useState } from 'react';

/** Pages are shown and answer long before this; then there is time for what may be needed next. */
const CALM = 2000;

/**
 * Whether something was open once: until then nothing of it is rendered or loaded, from then on it stays to fade when it closes.
 * Its code is loaded ahead once the page has come to rest, so that opening it waits for nothing.
 */
export function useFirstOpening(open: boolean, load: () => Promise<unknown>): boolean {
  const [wasOpened, setWasOpened] = useState(open);
  if (open && !wasOpened) setWasOpened(true);
  useEffect(() => {
    // A failure shows when it opens.
    const timer = setTimeout(() => void load().catch(() => undefined), CALM);
    return () => clearTimeout(timer);
  }, [load]);
  return open || wasOpened;
}
