import type { Frame } from '../../protocol/hub-protocol.js';
import { type HubMessage, MessageType, ProtocolError } from '../../protocol/messages.js';
import type { ReplayRoom } from '../limits/replay-room.js';
import { KeptMemory } from './kept-memory.js';

/** Bytes that may arrive before they are acknowledged at once. Clients hold back calls from 100,000 bytes without an answer. */
const ACKNOWLEDGE_BYTES = 32_768;

/** The most bytes that may be sent before the client acknowledges them. */
export interface ReplayLimits {
  /** The room of each client. */
  readonly replayBufferSize: number;
  /** The room of a client while there is shared room. */
  readonly replayBurstSize: number;
}

/**
 * The messages and numbers that both sides need to go on after the client's socket was lost. Messages about calls are numbered from 1 in
 * each direction, without saying so on the wire. Each side keeps what it has sent until the other one acknowledges it, and sends it again
 * over the new socket; the receiver drops those that it has already.
 */
export class Replay {
  /** The messages that may have to be sent again, and the number of the first of them. */
  #kept: Frame[] = [];
  readonly #memory = new KeptMemory();
  #keptBytes = 0;
  #firstKept = 1;
  /** The highest number that the client has acknowledged, and the unacknowledged bytes. */
  #heard = 0;
  #bytes = 0;
  /** The highest number that was sent again, and the unacknowledged bytes that were sent only once. */
  #resent = 0;
  #freshBytes = 0;
  /** The highest number that was received, and the one that the client's next message has. */
  #received = 0;
  #next = 1;
  /** The highest number that was acknowledged to the client, and the bytes that have arrived since. */
  #acknowledged = 0;
  #unacknowledgedBytes = 0;
  /** True while the socket is lost and the client has not come back. */
  #isAway = false;
  /** True until the client has named the number of its next message. */
  #awaitsSequence = false;

  /** The bytes of the shared room that it takes. */
  #shared = 0;
  #isOver = false;

  constructor(
    private readonly limits: ReplayLimits,
    private readonly room: ReplayRoom,
  ) {}

  /** The number of bytes that the client has not acknowledged. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The number of bytes of {@link repeated}: more than {@link bytes} when messages that were sent again are acknowledged, and no newer ones. */
  get keptBytes(): number {
    return this.#keptBytes;
  }

  /** True while the socket is lost and the client has not come back. */
  get isAway(): boolean {
    return this.#isAway;
  }

  /**
   * True if streams and replaceable messages have to wait until the client has acknowledged something. Messages sent again do not count:
   * .NET clients do not acknowledge them if they had them already and their acknowledgement was lost.
   */
  get isFull(): boolean {
    const { replayBufferSize, replayBurstSize } = this.limits;
    return this.#freshBytes > replayBufferSize && (this.#freshBytes > replayBurstSize || this.room.isTaken);
  }

  /** The messages to send again, and the number of the first of them. */
  get repeated(): { readonly first: number; readonly frames: readonly Frame[] } {
    return { first: this.#firstKept, frames: this.#kept };
  }

  /** Keeps a message that is sent. */
  keep(frame: Frame): void {
    this.#kept.push(this.#memory.own(frame));
    this.#keptBytes += frame.length;
    this.#bytes += frame.length;
    this.#freshBytes += frame.length;
    this.#share();
  }

  /**
   * Notes that the client has received everything up to this number. Messages sent again are kept until the client has acknowledged a newer
   * one: it counts again from the first of them, and if its socket is lost before, it cannot go on from its present number.
   * @throws ProtocolError when fewer messages were sent
   */
  acknowledge(sequenceId: number): void {
    const count = sequenceId - this.#firstKept + 1;
    if (count > this.#kept.length) throw new ProtocolError('The client acknowledges a message that it was not sent.');
    for (; this.#heard < sequenceId; this.#heard += 1) this.#bytes -= this.#kept[this.#heard + 1 - this.#firstKept].length;
    this.#share();
    if (count <= 0 || sequenceId <= this.#resent) return;
    this.#kept.splice(0, count);
    this.#firstKept += count;
    if (this.#kept.length === 0) this.#memory.release();
    // What is left is not acknowledged.
    this.#keptBytes = this.#bytes;
    this.#freshBytes = this.#bytes;
  }

  /** Notes that the socket is lost: nothing over a new one counts before the client has named the number at which it goes on. */
  lose(): void {
    this.#isAway = true;
    this.#awaitsSequence = true;
  }

  /** Notes that the client has come back over another socket: it gets {@link repeated}. */
  comeBack(): void {
    this.#isAway = false;
    this.#resent = this.#firstKept + this.#kept.length - 1;
    this.#freshBytes = 0;
  }

  /** Gives back the shared room, because the connection has ended. */
  end(): void {
    this.#isOver = true;
    this.#share();
  }

  /** Takes the number of the client's next message. @throws ProtocolError when messages are missing before it */
  resume(sequenceId: number): void {
    if (sequenceId > this.#received + 1 || sequenceId < 1) {
      throw new ProtocolError('The sequence id leaves out messages that were not received.');
    }
    this.#awaitsSequence = false;
    this.#next = sequenceId;
    // The client keeps everything from there on: the last acknowledgement may have been lost with the socket.
    this.#acknowledged = sequenceId - 1;
  }

  /** Counts a message that has arrived. False when it was received before, or belongs to nothing. */
  admits(message: HubMessage): boolean {
    if (this.#awaitsSequence) return message.type === MessageType.Sequence;
    if (!isNumbered(message)) return true;
    const number = this.#next;
    this.#next += 1;
    if (number <= this.#received) return false;
    this.#received = number;
    return true;
  }

  /** Counts bytes that have arrived. @returns true if the client should soon get an acknowledgement */
  countBytes(bytes: number): boolean {
    this.#unacknowledgedBytes += bytes;
    return this.#unacknowledgedBytes >= ACKNOWLEDGE_BYTES;
  }

  /** The number up to which the client should now get an acknowledgement. Undefined when it has that already, or is away. */
  takeAcknowledgement(): number | undefined {
    if (this.#isAway) return undefined;
    this.#unacknowledgedBytes = 0;
    if (this.#received === this.#acknowledged) return undefined;
    this.#acknowledged = this.#received;
    return this.#received;
  }

  /** Takes as much of the shared room as it needs beyond its own. */
  #share(): void {
    const needed = this.#isOver ? 0 : Math.max(0, this.#bytes - this.limits.replayBufferSize);
    if (needed === this.#shared) return;
    this.room.take(needed - this.#shared);
    this.#shared = needed;
  }
}

/** True for a message about a call. */
function isNumbered({ type }: HubMessage): boolean {
  switch (type) {
    case MessageType.Invocation:
    case MessageType.StreamItem:
    case MessageType.Completion:
    case MessageType.StreamInvocation:
    case MessageType.CancelInvocation:
      return true;
    case MessageType.Ping:
    case MessageType.Close:
    case MessageType.Ack:
    case MessageType.Sequence:
      return false;
  }
}
