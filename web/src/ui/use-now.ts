import { useSyncExternalStore } from 'react';

/** How often times such as "2 min. ago" are written anew. */
const STEP = 30_000;

const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    // It was not updated while nobody listened.
    now = Date.now();
    timer = setInterval(() => {
      now = Date.now();
      for (const each of listeners) each();
    }, STEP);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The time, for what says how long ago something was. One clock serves the whole page, and it renders twice a minute. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now);
