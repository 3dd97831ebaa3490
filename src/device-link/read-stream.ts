import { deviceSilent, streamFailure } from './device-failures.js';

/** What may end the reading of a device's stream before its end. */
export interface ReadingLimits {
  /** Longest wait for the next item, in milliseconds, or as long as the device stays connected. */
  readonly idleMs: number | 'unlimited';
  /** Fires when nobody wants the items any more; its reason is thrown. */
  readonly signal: AbortSignal;
}

/**
 * The items of a device's stream, whose failures are errors that a caller can act on: 504 when the device pauses for too
 * long, 502 when it disconnects or sends what cannot be used. Leaving early releases the stream.
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
    // Not awaited: a device that is silent would hold whoever wants to leave.
    iterator.return?.().catch(() => undefined);
  }
}
