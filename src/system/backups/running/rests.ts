import { setTimeout as wait } from 'node:timers/promises';

/** Rest after a part, as a multiple of the time that the part took: a backup takes at most a third of a processor. */
const REST_FACTOR = 2;
/** Longest rest, in milliseconds: a slow disk must not keep the snapshot open without end. */
const MAXIMUM_REST_MS = 250;

/** Rests as long as the work since the last rest took, times a factor; ends early when the signal fires. */
export function restOf(signal: AbortSignal): () => Promise<void> {
  let since = performance.now();
  return async () => {
    const rest = Math.min((performance.now() - since) * REST_FACTOR, MAXIMUM_REST_MS);
    if (rest >= 1) await wait(rest, undefined, { signal });
    since = performance.now();
  };
}
