import { deviceSilent, streamFailure } from './device-failures.js';

/** Limits that may end the reading of a device's stream early. */
export interface ReadingLimits {
  /** The longest wait for the next item in milliseconds; `'unlimited'` waits as long as the device stays connected. */
  readonly idleMs: number | 'unlimited';
  /** Fires when the items are no longer wanted. Its reason is thrown. */
  readonly signal: AbortSignal;
}

/**
 * The items of a device's stream. Throws errors that callers can act on: 504 when the device pauses for too long, 502 when it
 * disconnects or sends something that cannot be used. A reader that leaves early releases the stream.
 */
export async function* readStream<T>(items: AsyncIterable<T>, { idleMs, signal }: ReadingLimits): AsyncIterable<T> {
  const iterator = items[Symbol.asyncIterator]();
  let giveUp: (reason: unknown) => void = () => undefined;
  const timer = idleMs === 'unlimited' ? undefined : setTimeout(() => giveUp(deviceSilent()), idleMs);
  const onAbort = (): void => giveUp(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    for (;;) {
      signal.throwIfAborted();
      timer?.refresh();
      const next = await new Promise<IteratorResult<T, unknown>>((resolve, reject) => {
        giveUp = reject;
        iterator.next().then(resolve, (error: unknown) => reject(streamFailure(error) as Error));
      });
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    // Not awaited: a silent device would hold up a reader that wants to leave.
    iterator.return?.().catch(() => undefined);
  }
}
