import { useSyncExternalStore } from 'react';

import { store } from '../state/store.js';

/** Interval at which times such as "2 min. ago" are updated, in milliseconds. */
const STEP = 30_000;

const now = store(Date.now(), 'stays');
let users = 0;
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  if (users === 0) {
    // It was not updated while nobody listened.
    now.set(Date.now());
    timer = setInterval(() => now.set(Date.now()), STEP);
  }
  users += 1;
  const stop = now.subscribe(listener);
  return () => {
    stop();
    users -= 1;
    if (users === 0) clearInterval(timer);
  };
}

/** Current time for relative timestamps. One clock serves the whole page, and it renders twice a minute. */
export const useNow = (): number => useSyncExternalStore(subscribe, now.get);
