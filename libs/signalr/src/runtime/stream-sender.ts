import { MessageType } from '../protocol/messages.js';
import { BrokenStream } from './call-errors.js';
import { messageOf } from './errors.js';
import type { Invocation } from './invocation.js';
import type { WireType } from './wire-type.js';

/**
 * Sends the items that a method returns as a stream, no faster than the client takes them, and then the stream's end.
 * Stops when the client cancels the call or disconnects.
 * @throws TypeError when `source` is no async iterable, BrokenStream when it or the encoding of an item fails
 */
export async function sendStream(invocation: Invocation, items: WireType<unknown>, source: unknown): Promise<void> {
  const { connection, invocationId, signal } = invocation;
  if (invocationId === undefined) return;
  if (!isAsyncIterable(source)) throw new TypeError(`'${invocation.method}' did not return an async iterable.`);

  const iterator = source[Symbol.asyncIterator]();
  const stop = (): void => {
    // An error of `return` interests nobody: the loop below ends when `next` does.
    iterator.return?.().catch(() => undefined);
  };
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    while (!signal.aborted) {
      if (connection.outbox.isCongested) await connection.outbox.drained();
      const next = await iterator.next();
      if (next.done === true || signal.aborted) break;
      const item = items.encode(next.value, connection.encoding);
      connection.outbox.send({ type: MessageType.StreamItem, invocationId, item });
    }
  } catch (error) {
    if (!signal.aborted) {
      stop();
      throw new BrokenStream(messageOf(error), { cause: error });
    }
  } finally {
    signal.removeEventListener('abort', stop);
  }
  connection.outbox.send({ type: MessageType.Completion, invocationId, hasResult: false });
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
