import type { Frame, HubProtocol } from '../../protocol/hub-protocol.js';
import {
  type AckMessage,
  type CloseMessage,
  type HubMessage,
  MessageType,
  type PingMessage,
  type SequenceMessage,
} from '../../protocol/messages.js';
import type { Transport } from '../../transports/transport.js';
import type { ConnectionClock } from '../limits/connection-clock.js';
import type { Diagnostics } from '../diagnostics.js';
import type { HubLimits } from '../limits/hub-limits.js';
import type { OutgoingCall } from '../calls/outgoing-call.js';
import type { Replay } from './replay.js';

/** The parts of its hub that an outbox needs. */
export interface OutboxContext {
  readonly limits: HubLimits;
  readonly clock: ConnectionClock;
  readonly diagnostics: Diagnostics | undefined;
}

/** Learns that the client reads too slowly to stay connected. */
export interface OutboxOwner {
  clientReadsTooSlowly(why: string): void;
}

const PING: PingMessage = { type: MessageType.Ping };

/**
 * The messages of the server to one client. They go to the transport at once; the outbox watches how many bytes the transport still holds.
 * Above the limits, streams wait, `deliverLatest` keeps only the newest message of each key, and at last the owner has to give up. Outside
 * of the time between {@link open} and {@link close} messages are dropped.
 */
export class Outbox {
  /** Set while the outbox is open. */
  #protocol: HubProtocol | undefined = undefined;
  #lastSent: number;
  /** Frames that wait for the congestion to end, by their key. */
  #latest: Map<string, Frame> | undefined = undefined;
  #latestBytes = 0;
  #drainWaiters: (() => void)[] | undefined = undefined;
  /** The time at which the transport was asked to report that it is empty; undefined once it has reported. */
  #drainRequestedAt: number | undefined = undefined;
  /** Set if the client may come back after its socket was lost. */
  #replay: Replay | undefined = undefined;
  /** True while the transport is empty, but there is no room before the client has acknowledged earlier messages. */
  #awaitsAcknowledgement = false;

  constructor(
    private readonly transport: Transport,
    private readonly context: OutboxContext,
    private readonly owner: OutboxOwner,
  ) {
    this.#lastSent = context.clock.time;
  }

  /** True while the client reads so slowly that streams and replaceable messages have to wait. */
  get isCongested(): boolean {
    return this.#isSocketFull || this.#replay?.isFull === true;
  }

  get #isSocketFull(): boolean {
    return this.transport.bufferedAmount > this.context.limits.sendHighWaterMark;
  }

  /** Begins to send, in the encoding of `protocol`, because the handshake is done. With `replay`, messages are kept there as well. */
  open(protocol: HubProtocol, replay?: Replay): void {
    this.#protocol = protocol;
    this.#replay = replay;
  }

  /** Sends a message that was made for this client. @throws TypeError when a value in it has no form in the encoding */
  send(message: HubMessage): void {
    if (this.#protocol !== undefined) this.write(this.#protocol.write(message));
  }

  /**
   * Sends a call that other clients may receive as well, and that has waited since then, by the monotonic clock in milliseconds.
   * @throws TypeError when an argument has no form in the encoding
   */
  deliver(call: OutgoingCall, since?: number): void {
    if (this.#protocol !== undefined) this.write(call.frame(this.#protocol), since);
  }

  /** Like {@link deliver}; while the client reads too slowly, a newer call replaces the one that waits under the same key. */
  deliverLatest(key: string, call: OutgoingCall): void {
    if (this.#protocol === undefined) return;
    const frame = call.frame(this.#protocol);
    if (this.#latest === undefined && !this.isCongested) return this.write(frame);
    this.#latest ??= new Map();
    this.#latestBytes += frame.length - (this.#latest.get(key)?.length ?? 0);
    this.#latest.set(key, frame);
    if (this.#latestBytes > this.context.limits.maximumUnsentBytes) this.#giveUpOverfull();
    else this.#requestDrain();
  }

  /** Sends a message that is encoded already, and has waited since then. */
  write(frame: Frame, since?: number): void {
    if (this.#protocol === undefined) return;
    // The limit is checked before the frame is added: one large message is no sign of a slow reader.
    const unsent = Math.max(this.transport.bufferedAmount, this.#replay?.bytes ?? 0);
    const { maximumUnsentBytes } = this.context.limits;
    // Messages that are kept although they were acknowledged have a limit of their own. An honest client acknowledges newer ones within a second.
    const isOverfull = unsent + this.#latestBytes > maximumUnsentBytes || (this.#replay?.keptBytes ?? 0) > 2 * maximumUnsentBytes;
    if (isOverfull) return this.#giveUpOverfull();
    this.#lastSent = this.context.clock.time;
    this.#replay?.keep(frame);
    this.#transmit(frame, this.#protocol, since);
  }

  /** Sends a message about the connection, not about a call: it is not kept. */
  signal(message: PingMessage | CloseMessage | AckMessage | SequenceMessage): void {
    if (this.#protocol !== undefined) this.#transmit(this.#protocol.write(message), this.#protocol);
  }

  /** Sends again the messages that a client that has come back may not have received. */
  resend({ repeated: { first, frames } }: Replay): void {
    if (this.#protocol === undefined) return;
    this.signal({ type: MessageType.Sequence, sequenceId: first });
    for (const frame of frames) this.#transmit(frame, this.#protocol);
    this.acknowledged();
  }

  /** Wakes up those that wait for room, because the client has acknowledged messages or has come back. */
  acknowledged(): void {
    if (!this.#awaitsAcknowledgement || this.#replay?.isFull === true) return;
    this.#awaitsAcknowledgement = false;
    this.transport.requestDrain();
  }

  /** Drops the messages that wait and everything to come. */
  close(): void {
    this.#protocol = undefined;
    this.#latest = undefined;
    this.#latestBytes = 0;
    this.#endDrainWait();
  }

  /** Waits until everything sent has left the process, or the outbox is closed. */
  drained(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#protocol === undefined) return resolve();
      (this.#drainWaiters ??= []).push(resolve);
      this.#requestDrain();
    });
  }

  /** Notes that everything sent has left the process. */
  transportDrained(): void {
    if (this.#replay?.isFull === true) {
      this.#awaitsAcknowledgement = true;
      return;
    }
    this.#drainRequestedAt = undefined;
    this.#flushLatest();
    this.#endDrainWait();
  }

  /** Checks at `time`, in milliseconds, for a client that does not read, and pings one to which nothing was sent for long. */
  sweep(time: number): void {
    if (this.#protocol === undefined) return;
    const { limits } = this.context;
    if (this.#drainRequestedAt !== undefined && time - this.#drainRequestedAt >= limits.drainTimeoutMs) {
      return this.owner.clientReadsTooSlowly(`what was sent has not left for ${limits.drainTimeoutMs} ms`);
    }
    if (time - this.#lastSent < limits.keepAliveMs) return;
    if (this.#isSocketFull) return this.#requestDrain();
    if (this.transport.hasInherentKeepAlive === true) return;
    this.#lastSent = time;
    this.signal(PING);
  }

  #transmit(frame: Frame, { binary }: HubProtocol, since?: number): void {
    this.context.diagnostics?.sent(frame);
    this.transport.write(frame, binary, since);
  }

  #flushLatest(): void {
    const latest = this.#latest;
    if (latest === undefined) return;
    for (const [key, frame] of latest) {
      if (this.isCongested) return this.#requestDrain();
      latest.delete(key);
      this.#latestBytes -= frame.length;
      this.write(frame);
      if (this.#protocol === undefined) return;
    }
    this.#latest = undefined;
  }

  #requestDrain(): void {
    if (this.#drainRequestedAt !== undefined) return;
    this.#drainRequestedAt = this.context.clock.time;
    this.transport.requestDrain();
  }

  #endDrainWait(): void {
    const waiters = this.#drainWaiters;
    this.#drainWaiters = undefined;
    waiters?.forEach((resolve) => resolve());
  }

  #giveUpOverfull(): void {
    this.owner.clientReadsTooSlowly(`more than ${this.context.limits.maximumUnsentBytes} bytes are unsent`);
  }
}
