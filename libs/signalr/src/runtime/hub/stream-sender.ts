import { MessageType } from '../../protocol/messages.js';
import { BrokenStream } from '../calls/call-errors.js';
import { messageOf } from '../errors.js';
import type { RunningInvocation } from './running-invocation.js';
import { iterate } from '../streams/stream-source.js';
import type { WireType } from '../wire-type.js';

/**
 * Sends the items that a method returns as a stream, no faster than the client takes them, and then the stream's end.
 * Stops when the client cancels the call or disconnects.
 * @throws TypeError when `source` is no source of a stream, BrokenStream when it or the encoding of an item fails
 */
export async function sendStream(invocation: RunningInvocation, items: WireType<unknown>, source: unknown): Promise<void> {
  const { client, invocationId, signal } = invocation;
  if (invocationId === undefined) return;
  const iterator = iterate(source);
  if (iterator === undefined) throw new TypeError(`'${invocation.method}' returned neither an async iterable nor an Observable.`);
  // An error of `return` has no reader: the loop below ends when `next` does.
  const stop = (): void => void end(iterator).catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    while (!signal.aborted) {
      if (client.outbox.isCongested) await client.outbox.drained();
      const next = await iterator.next();
      if (next.done === true || signal.aborted) break;
      const item = items.encode(next.value, client.encoding);
      client.outbox.send({ type: MessageType.StreamItem, invocationId, item });
    }
  } catch (error) {
    if (!signal.aborted) {
      stop();
      throw new BrokenStream(messageOf(error), { cause: error });
    }
  } finally {
    signal.removeEventListener('abort', stop);
  }
  client.outbox.send({ type: MessageType.Completion, invocationId, hasResult: false });
}

async function end(iterator: AsyncIterator<unknown>): Promise<void> {
  await iterator.return?.();
}
