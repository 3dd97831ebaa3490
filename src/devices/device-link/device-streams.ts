import { Injectable, Logger } from '@nestjs/common';

import { newGuid } from '../../platform/common/identifiers/guid.js';
import { deviceGone, deviceSilent } from './device-failures.js';
import type { DeviceTimes } from './device-times.js';

/** Kind of the items of a stream. A stream of one kind is never taken for one of the other. */
export type StreamKind = 'bytes' | 'entries';

/** A stream that a device opened. */
export interface OpenedStream<T> {
  readonly items: AsyncIterable<T>;
  /** Only for directory contents: whether the directory exists. */
  readonly directoryExists: boolean;
}

interface Expected {
  readonly kind: StreamKind;
  readonly open: (stream: OpenedStream<never>) => void;
  readonly fail: (error: Error) => void;
  readonly released: Promise<void>;
}

interface Offered {
  readonly connectionId: string;
  readonly take: () => AsyncIterable<Uint8Array>;
}

/** A stream that a reader waits for. Give its id to the device, and read the stream that the device opens. Always release it. */
export interface ExpectedStream<T> {
  readonly id: string;
  /** Settles when the device opens the stream; rejects after the opening time-out, or when the device disconnects. */
  readonly opened: Promise<OpenedStream<T>>;
  /** The reader is done, even if it has not read everything. */
  release(): void;
}

/** A stream that a device may fetch, once. Always withdraw it. */
export interface OfferedStream {
  readonly id: string;
  /** Fires with the error to answer when the device does not fetch the stream in time, or does not answer after the last byte. */
  readonly silence: AbortSignal;
  withdraw(): void;
}

/**
 * Connects streams of agents with the readers that asked for them. Items go from the agent's socket to the reader with
 * back-pressure; nothing is queued here. A stream is taken once, in its kind, and only from the connection that was asked.
 */
@Injectable()
export class DeviceStreams {
  private readonly logger = new Logger('DeviceStreams');
  /** The streams that readers wait for, by connection and stream id. */
  private readonly expected = new Map<string, Map<string, Expected>>();
  private readonly offered = new Map<string, Offered>();

  /** Waits for a stream of a device, for `openWithin` milliseconds or as long as the device stays connected. */
  expect<T>(kind: StreamKind, connectionId: string, openWithin: number | 'unlimited'): ExpectedStream<T> {
    const id = newGuid();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let timer: NodeJS.Timeout | undefined;
    const opened = new Promise<OpenedStream<T>>((resolve, reject) => {
      if (openWithin !== 'unlimited') timer = setTimeout(() => reject(deviceSilent()), openWithin);
      this.add(connectionId, id, {
        kind,
        released,
        fail: reject,
        open: (stream) => {
          clearTimeout(timer);
          resolve(stream);
        },
      });
    });
    // A reader may give up before it awaits the stream: the rejection must not count as unhandled.
    opened.catch(() => undefined);
    return {
      id,
      opened,
      release: () => {
        clearTimeout(timer);
        this.take(connectionId, id);
        release();
      },
    };
  }

  /**
   * Passes an agent's stream to its reader and settles when the reader is done. False when no reader waits for the
   * stream: then the caller returns, and the hub drops further items.
   */
  async deliver<T>(kind: StreamKind, id: string, connectionId: string, stream: OpenedStream<T>): Promise<boolean> {
    const expected = this.expected.get(connectionId)?.get(id);
    if (expected === undefined || expected.kind !== kind) {
      this.logger.debug({ message: 'An agent opened a stream that nobody waits for.', streamId: id, connectionId });
      return false;
    }
    this.take(connectionId, id);
    expected.open(stream as OpenedStream<never>);
    await expected.released;
    return true;
  }

  /** Fails the expected streams of a connection that ended. Streams that were already opened end by themselves. */
  connectionEnded(connectionId: string): void {
    const never = this.expected.get(connectionId);
    this.expected.delete(connectionId);
    for (const { fail } of never?.values() ?? []) fail(deviceGone());
  }

  /** Offers bytes to a device, which fetches them with the id. */
  offer(connectionId: string, source: () => AsyncIterable<Uint8Array>, { answerMs, preparationMs }: DeviceTimes): OfferedStream {
    const id = newGuid();
    const silence = new AbortController();
    const silentAfter = (milliseconds: number): NodeJS.Timeout => setTimeout(() => silence.abort(deviceSilent()), milliseconds);
    let timer = silentAfter(answerMs);
    let isWithdrawn = false;

    async function* watched(): AsyncGenerator<Uint8Array> {
      clearTimeout(timer);
      try {
        yield* source();
      } finally {
        // The device may need long for the last bytes, for example because its disk is slow.
        if (!isWithdrawn) timer = silentAfter(preparationMs);
      }
    }

    this.offered.set(id, { connectionId, take: watched });
    return {
      id,
      silence: silence.signal,
      withdraw: () => {
        isWithdrawn = true;
        clearTimeout(timer);
        this.offered.delete(id);
      },
    };
  }

  /** The bytes that were offered to this connection under the id. Undefined when there are none, or they were fetched already. */
  fetch(id: string, connectionId: string): AsyncIterable<Uint8Array> | undefined {
    const offered = this.offered.get(id);
    if (offered === undefined || offered.connectionId !== connectionId) return undefined;
    this.offered.delete(id);
    return offered.take();
  }

  private add(connectionId: string, id: string, expected: Expected): void {
    const ofConnection = this.expected.get(connectionId) ?? new Map<string, Expected>();
    this.expected.set(connectionId, ofConnection.set(id, expected));
  }

  private take(connectionId: string, id: string): void {
    const ofConnection = this.expected.get(connectionId);
    ofConnection?.delete(id);
    if (ofConnection?.size === 0) this.expected.delete(connectionId);
  }
}
