import type { ConnectionClock } from '../limits/connection-clock.js';
import type { Backlog, BacklogOwner } from '../limits/backlog.js';
import { type HubLimits, maximumFrameSize } from '../limits/hub-limits.js';
import type { Transport } from '../../transports/transport.js';
import type { ClientMessages } from '../calls/client-messages.js';
import { Inbox, type InboxReader } from './inbox.js';
import { type Scheduler, type ScheduledReader, Share } from '../limits/scheduler.js';

/** The parts of the hub that reading needs. */
export interface ReadingContext {
  readonly limits: HubLimits;
  readonly clock: ConnectionClock;
  readonly scheduler: Scheduler;
  readonly backlog: Backlog;
}

/** The connection whose bytes are read. */
export interface ReadingOwner {
  readonly isClosed: boolean;
  readonly isUnauthenticated: boolean;
  /** Reads messages from the start of `data`, until `isHeld`. Never throws. @returns the number of bytes used */
  readMessages(data: Buffer, searched: number): number;
  /** Starts messages that wait and may start now. */
  startWaiting(): void;
  giveUp(why: string): void;
  /** Ends the connection of a client that sends more frames without messages in one turn than any honest one. */
  endFlood(): void;
}

/**
 * Reads the bytes of one connection: it keeps bytes that cannot be read yet, reads no more than its share in one turn of the event loop,
 * and pauses its socket while a stream is full, or calls or the connection wait for their turn.
 */
export class ConnectionReading implements BacklogOwner, InboxReader, ScheduledReader {
  /** The time at which the client last sent something, in milliseconds. */
  lastReceived: number;
  /** The time at which the bytes arrived that are being read, by the scheduler's clock in milliseconds. */
  arrivedAt = 0;
  /** The time since which bytes wait that could have been read; undefined while there are none. */
  #waitingSince: number | undefined = undefined;
  readonly #inbox: Inbox;
  readonly #share: Share;
  /** Bytes of a frame whose end has not arrived. */
  #arriving = 0;
  /** True while the backlog knows of unread bytes. */
  #isInBacklog = false;
  /** True while the connection has read its share and waits in the scheduler for its next turn. */
  #isInRota = false;
  #isPaused = false;

  constructor(
    private readonly context: ReadingContext,
    private readonly socket: Pick<Transport, 'pause' | 'resume'>,
    private readonly messages: ClientMessages,
    private readonly owner: ReadingOwner,
  ) {
    this.lastReceived = context.clock.time;
    this.#share = new Share(context.scheduler);
    this.#inbox = new Inbox(this);
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  get isUnauthenticated(): boolean {
    return this.owner.isUnauthenticated;
  }

  /** True if the connection has read its share of this turn. */
  get isSpent(): boolean {
    return this.#share.isSpent;
  }

  /** True while messages stay unread: earlier ones have to come first, or the connection has read its share. */
  get isHeld(): boolean {
    return this.#isInRota || this.messages.isBehindCalls || this.#share.isSpent;
  }

  /** Takes bytes that may have waited for so many milliseconds before they arrived. */
  receive(data: Buffer, waitedMs: number): void {
    this.#arriving = 0;
    if (data.length === 0) {
      this.#noteUnread();
      return this.controlFrame();
    }
    if (this.isHeld || waitedMs > 0) this.#waitingSince ??= this.context.scheduler.now() - waitedMs;
    this.#inbox.receive(data);
    this.#waitIfSpent();
    this.#noteUnread();
  }

  /** Counts bytes of a frame whose end has not arrived, less those of a ping that has ended. @returns the number of its bytes so far */
  arrive(bytes: number): number {
    this.#arriving = Math.min(Math.max(this.#arriving + bytes, 0), maximumFrameSize(this.context.limits));
    this.#noteUnread();
    return this.#arriving;
  }

  /** Counts a frame that holds no message. */
  controlFrame(): void {
    this.#share.count();
    if (this.#share.isFlooded) return this.owner.endFlood();
    if (this.#share.isSpent) this.#waitInRota();
  }

  /** Counts a message that was read, or one that waited and begins. */
  count(): void {
    this.#share.count();
  }

  read(data: Buffer, searched: number): number {
    const begun = this.#share.begin();
    this.arrivedAt = this.#waitingSince ?? begun;
    const used = this.owner.readMessages(data, searched);
    this.#waitingSince = used < data.length && this.isHeld ? this.arrivedAt : undefined;
    // Unread bytes from here on are the start of another message.
    if (used > 0) this.#leaveBacklog();
    this.#share.stop();
    return used;
  }

  /** Reads bytes that stayed unread. Calls that wait already come first. */
  readOn(): void {
    if (this.messages.calls.isStarting) return;
    this.#inbox.readOn();
    this.#waitIfSpent();
    this.#noteUnread();
  }

  takeTurn(): void {
    this.#isInRota = false;
    this.owner.startWaiting();
    this.readOn();
    this.update();
  }

  /** Pauses the socket or resumes it, if something has changed. */
  update(): void {
    if (this.owner.isClosed) return;
    const pause = this.#isInRota || this.messages.hasFullStream || this.messages.isBehindCalls;
    if (pause === this.#isPaused) return;
    this.#isPaused = pause;
    if (pause) return this.socket.pause();
    this.lastReceived = this.context.clock.time;
    this.socket.resume();
    this.readOn();
  }

  /** Drops the unread bytes: the client sends them again. */
  drop(): void {
    this.#arriving = 0;
    this.#waitingSince = undefined;
    this.#inbox.drop();
    this.#leaveBacklog();
  }

  /** Drops the unread bytes and everything to come. */
  close(): void {
    this.context.scheduler.leave(this);
    this.#leaveBacklog();
    this.#inbox.close();
  }

  giveUp(why: string): void {
    this.owner.giveUp(why);
  }

  #noteUnread(): void {
    if (this.owner.isClosed) return;
    const bytes = this.#arriving + this.#inbox.size;
    if (bytes === 0) return this.#leaveBacklog();
    this.#isInBacklog = true;
    this.context.backlog.note(this, bytes);
  }

  #leaveBacklog(): void {
    if (!this.#isInBacklog) return;
    this.#isInBacklog = false;
    this.context.backlog.forget(this);
  }

  /** Lets others read once this connection has read its share and more waits. */
  #waitIfSpent(): void {
    if (this.#share.isSpent && (this.#inbox.hasUnread || this.messages.calls.waiting > 0)) this.#waitInRota();
  }

  #waitInRota(): void {
    if (this.#isInRota || this.owner.isClosed) return;
    this.#isInRota = true;
    this.context.scheduler.wait(this);
    this.update();
  }
}
