import type { CompletionMessage, Encoding, StreamItemMessage } from '../../protocol/messages.js';
import { ClientStreamError, messageOf } from '../errors.js';
import type { HeldRoom } from '../limits/held-room.js';
import type { HubLimits } from '../limits/hub-limits.js';
import { type StreamOwner, UploadStream } from './upload-stream.js';
import type { WireType } from '../wire-type.js';

interface Upload {
  readonly stream: UploadStream<unknown>;
  readonly items: WireType<unknown>;
  /** The number of calls that the server had made to the client when the stream was opened. */
  readonly askedBefore: number;
  /** The note of the last sweep that saw the consumer take something: items taken, the time, and calls made by then. */
  taken: number;
  seenAt: number;
  askedByThen: number;
}

/**
 * The most items that the streams of one client may hold together when their readers are slow. A full stream takes a few of them a second,
 * so that messages behind it get through.
 */
export const SLOW_STREAM_BUFFER = 128;
/** The part of the room that is left in that buffer which one full stream may take in a sweep. */
const SLOW_STREAM_SHARE = 1 / 16;
/**
 * Time-out of a full stream whose reader takes no item while the server waits for an answer of the same client, which cannot get through
 * until then. The stream fails. One that holds up no answer may stay full.
 */
const STALLED_STREAM_MS = 10_000;

/** The limit for all streams of one client: the bytes of so many streams that are full of the largest items. */
const CROWDED_BUFFERS = 4;

/** The answers that the server awaits from the client that sends the streams. Calls are counted from 1. */
export interface AwaitedAnswers {
  /** The number of calls made so far. */
  readonly asked: number;
  /** True if a call waits for its answer whose number is greater than `after` and at most `upTo`. */
  awaitsAnyBetween(after: number, upTo: number): boolean;
}

/** The parts of their hub that uploads need. */
export interface UploadContext {
  readonly limits: HubLimits;
  readonly heldRoom: HeldRoom;
  /** {@link SLOW_STREAM_BUFFER}, unless a test has changed it. */
  readonly slowStreamBuffer: number;
}

/**
 * The streams that one client sends and whose end has not arrived. All of them come through the same socket, so a full one stops the
 * others: {@link sweep} makes sure that a slow reader does not stop them for good.
 */
export class Uploads implements StreamOwner {
  readonly #uploads = new Map<string, Upload>();
  #fullStreams = 0;
  #heldBytes = 0;
  /** True if all of them hold too many bytes, as far as was noted. */
  #isCrowded = false;

  /** @param onChange called when the connection may have to pause its socket, or to resume it */
  constructor(
    private readonly context: UploadContext,
    private readonly answers: AwaitedAnswers,
    private readonly onChange: () => void,
  ) {}

  /** The number of open streams. */
  get size(): number {
    return this.#uploads.size;
  }

  /** True if a stream holds as many items as it may, or all of them too many bytes, so that the socket has to be paused. */
  get hasFull(): boolean {
    return this.#fullStreams > 0 || this.#isCrowded;
  }

  /** Opens a stream of `items`. Undefined when the id is in use. */
  open(streamId: string, items: WireType<unknown>): UploadStream<unknown> | undefined {
    if (this.#uploads.has(streamId)) return undefined;
    const stream = new UploadStream<unknown>(this, this.context.limits.streamBufferCapacity);
    this.#uploads.set(streamId, { stream, items, askedBefore: this.answers.asked, taken: -1, seenAt: 0, askedByThen: 0 });
    this.onChange();
    return stream;
  }

  /** Takes an item from the client, in a message of so many bytes. An item that does not fit ends its stream; one of a stream that is not open is dropped. */
  receive({ invocationId, item }: StreamItemMessage, encoding: Encoding, size: number): void {
    const upload = this.#uploads.get(invocationId);
    if (upload === undefined) return;
    try {
      const value = upload.items.decode(item, encoding);
      upload.stream.push(value, sizeOf(value, size));
    } catch (error) {
      this.#uploads.delete(invocationId);
      upload.stream.fail(new ClientStreamError(`A stream item does not fit: ${messageOf(error)}`, { cause: error }));
      this.onChange();
    }
  }

  /** Ends the stream that the client has completed. False when the message is about no open stream. */
  complete({ invocationId, error }: CompletionMessage): boolean {
    const upload = this.#uploads.get(invocationId);
    if (upload === undefined) return false;
    this.#uploads.delete(invocationId);
    if (error === undefined) upload.stream.complete();
    else upload.stream.fail(new ClientStreamError(error));
    this.onChange();
    return true;
  }

  /** Drops streams that nobody reads any more, with the items that still arrive. Does not touch a newer stream with the id of an ended one. */
  abandon(streams: readonly UploadStream<unknown>[]): void {
    for (const stream of streams) stream.abandon();
    for (const [streamId, { stream }] of this.#uploads) if (streams.includes(stream)) this.#uploads.delete(streamId);
    this.onChange();
  }

  /** Ends all streams with the connection: every reader gets the items that arrived, then `error`. */
  failAll(error: Error): void {
    for (const { stream } of this.#uploads.values()) stream.fail(error);
    this.#uploads.clear();
  }

  /** Lets other messages through although readers are slow; `time` is in milliseconds. */
  sweep(time: number): void {
    // Other clients may have given back room.
    this.#noteCrowd();
    if (!this.hasFull) return;
    this.#failStalled(time);
    this.#letTrickle();
  }

  streamFilled(): void {
    this.#fullStreams++;
    this.onChange();
  }

  streamDrained(): void {
    this.#fullStreams--;
    this.onChange();
  }

  streamHolds(bytes: number): void {
    this.#heldBytes += bytes;
    this.context.heldRoom.take(bytes);
    this.#noteCrowd();
  }

  #noteCrowd(): void {
    const isCrowded = this.#heldBytes >= this.context.heldRoom.shareOf(CROWDED_BUFFERS * this.context.limits.streamBufferCapacity);
    if (isCrowded === this.#isCrowded) return;
    this.#isCrowded = isCrowded;
    this.onChange();
  }

  /**
   * Fails full streams that stand still. One that nothing has begun to read fails after a while: it holds up everything else that the
   * client sends. One whose reader takes nothing more may keep the socket paused as long as the server waits for nothing else from the
   * client. Once an answer is overdue that was asked for after the stream was opened, the stream fails.
   */
  #failStalled(time: number): void {
    for (const [streamId, upload] of this.#uploads) {
      const { stream } = upload;
      const isStalled = (stream.isFull || (this.#isCrowded && stream.held > 0)) && stream.taken === upload.taken;
      if (isStalled && !stream.isBegun && time - upload.seenAt >= this.context.limits.unreadStreamMs) {
        this.#uploads.delete(streamId);
        stream.fail(new Error('Nobody began to read the stream in time.'));
        continue;
      }
      if (isStalled && time - upload.seenAt < STALLED_STREAM_MS) continue;
      if (isStalled && this.answers.awaitsAnyBetween(upload.askedBefore, upload.askedByThen)) {
        this.#uploads.delete(streamId);
        stream.fail(new Error('The stream was not read for too long, and held up the answers of its sender.'));
      }
      Object.assign(upload, { taken: stream.taken, seenAt: time, askedByThen: this.answers.asked });
    }
  }

  /**
   * The protocol cannot hold back one stream without holding back everything behind it. So each sweep lets a full stream
   * take some more items: fewer the more all streams hold, until they arrive at the pace at which they are read.
   */
  #letTrickle(): void {
    const uploads = [...this.#uploads.values()];
    let room = this.context.slowStreamBuffer - uploads.reduce((held, { stream }) => held + stream.held, 0);
    for (const { stream } of uploads) {
      if (!stream.isFull) continue;
      const items = Math.ceil(Math.max(0, room) * SLOW_STREAM_SHARE);
      room -= items;
      stream.allow(items);
    }
  }
}

/** The bytes of an item, which came in a message of so many bytes. */
function sizeOf(item: unknown, messageSize: number): number {
  return item instanceof Uint8Array || typeof item === 'string' ? item.length : messageSize;
}
