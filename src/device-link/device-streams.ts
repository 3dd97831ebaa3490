import { Injectable, Logger } from '@nestjs/common';

import { newGuid } from '../common/guid.js';
import { deviceSilent } from './device-failures.js';

/** How long a device may take to open a stream that it was asked for. */
const OPENING_TIMEOUT_MS = 30_000;

/** What the items of a stream are; streams of different kinds never mix. */
export type StreamKind = 'bytes' | 'entries';

/** A stream that a device opened. */
export interface OpenedStream<T> {
  readonly items: AsyncIterable<T>;
  /** Only for directory contents: whether the directory exists. */
  readonly directoryExists: boolean;
}

interface Expected {
  readonly kind: StreamKind;
  readonly connectionId: string;
  readonly open: (stream: OpenedStream<never>) => void;
  readonly released: Promise<void>;
}

interface Offered {
  readonly connectionId: string;
  readonly take: () => AsyncIterable<Uint8Array>;
}

/** A stream that is waited for: hand its id to the device, then read what it opens. Always release it. */
export interface ExpectedStream<T> {
  readonly id: string;
  /** Settles when the device opens the stream; rejects after the opening time-out. */
  readonly opened: Promise<OpenedStream<T>>;
  /** The reader is done, whether or not it read everything. */
  release(): void;
}

/** A stream that a device may fetch once. Always withdraw it. */
export interface OfferedStream {
  readonly id: string;
  withdraw(): void;
}

/**
 * Brings streams of agents together with those who asked for them. Items go from the agent's socket to the reader with
 * back-pressure; nothing is queued here. A stream is taken only from the connection that was asked, once, in its kind.
 */
@Injectable()
export class DeviceStreams {
  private readonly logger = new Logger('DeviceStreams');
  private readonly expected = new Map<string, Expected>();
  private readonly offered = new Map<string, Offered>();

  /** Waits for a stream of a device. */
  expect<T>(kind: StreamKind, connectionId: string): ExpectedStream<T> {
    const id = newGuid();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let timer: NodeJS.Timeout | undefined;
    const opened = new Promise<OpenedStream<T>>((resolve, reject) => {
      timer = setTimeout(() => reject(deviceSilent()), OPENING_TIMEOUT_MS);
      this.expected.set(id, {
        kind,
        connectionId,
        released,
        open: (stream) => {
          clearTimeout(timer);
          resolve(stream);
        },
      });
    });
    // A reader that gives up before it looks must not leave a rejection behind that nobody handles.
    opened.catch(() => undefined);
    return {
      id,
      opened,
      release: () => {
        clearTimeout(timer);
        this.expected.delete(id);
        release();
      },
    };
  }

  /**
   * Hands an agent's stream to its reader; settles when the reader is done. False when nobody waits for it: the caller
   * returns, and the hub drains what still arrives.
   */
  async deliver<T>(kind: StreamKind, id: string, connectionId: string, stream: OpenedStream<T>): Promise<boolean> {
    const expected = this.expected.get(id);
    if (expected === undefined || expected.kind !== kind || expected.connectionId !== connectionId) {
      this.logger.warn({ message: 'An agent opened a stream that nobody waits for.', streamId: id, connectionId });
      return false;
    }
    this.expected.delete(id);
    expected.open(stream as OpenedStream<never>);
    await expected.released;
    return true;
  }

  /** Offers bytes to a device, which fetches them by the id. */
  offer(connectionId: string, source: () => AsyncIterable<Uint8Array>): OfferedStream {
    const id = newGuid();
    this.offered.set(id, { connectionId, take: source });
    return { id, withdraw: () => this.offered.delete(id) };
  }

  /** The bytes that were offered to this connection under the id; undefined when there are none or they were fetched. */
  fetch(id: string, connectionId: string): AsyncIterable<Uint8Array> | undefined {
    const offered = this.offered.get(id);
    if (offered === undefined || offered.connectionId !== connectionId) return undefined;
    this.offered.delete(id);
    return offered.take();
  }
}
