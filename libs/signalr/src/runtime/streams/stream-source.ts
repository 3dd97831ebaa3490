import { HubError, messageOf } from '../errors.js';
import { UploadStream } from './upload-stream.js';

/** The part of RxJS Observables that others have as well. */
export interface Subscribable<T> {
  subscribe(observer: { next(item: T): void; error(error: unknown): void; complete(): void }): { unsubscribe(): void };
}

/**
 * The values that a method may return as a stream. A client that reads slowly slows down an iterable, but not an Observable, whose items
 * wait.
 */
export type StreamSource<T> = AsyncIterable<T> | Subscribable<T>;

/** The most items of an Observable that wait for its client. */
const MAXIMUM_WAITING_ITEMS = 10_000;

/** Reads the items of a source one by one. Undefined when it is none. */
export function iterate(source: unknown): AsyncIterator<unknown> | undefined {
  if (typeof source !== 'object' || source === null) return undefined;
  if (isAsyncIterable(source)) return source[Symbol.asyncIterator]();
  return isSubscribable(source) ? iterateObservable(source) : undefined;
}

/** Reads an Observable. It sends when it likes, so its items wait for the client. It is unsubscribed from when nothing reads on. */
function iterateObservable(source: Subscribable<unknown>): AsyncIterator<unknown> {
  let subscription: { unsubscribe(): void } | undefined;
  const giveUp = (): void => {
    items.fail(new HubError('The client reads more slowly than the stream sends.'));
    subscription?.unsubscribe();
  };
  const items = new UploadStream<unknown>({ streamFilled: giveUp, streamDrained: () => undefined }, MAXIMUM_WAITING_ITEMS);
  subscription = source.subscribe({
    next: (item) => items.push(item),
    error: (error) => items.fail(error instanceof Error ? error : new Error(messageOf(error))),
    complete: () => items.complete(),
  });
  return {
    next: () => items.next(),
    return() {
      // Before the subscription ends, because that may throw.
      const returned = items.return();
      subscription.unsubscribe();
      return returned;
    },
  };
}

function isAsyncIterable(value: object): value is AsyncIterable<unknown> {
  return Symbol.asyncIterator in value;
}

function isSubscribable(value: object): value is Subscribable<unknown> {
  return 'subscribe' in value && typeof value.subscribe === 'function';
}
