import type { Frame, HubProtocol } from '../protocol/hub-protocol.js';
import { jsonProtocol } from '../protocol/json-protocol.js';
import { messagePackProtocol } from '../protocol/messagepack-protocol.js';
import { type CloseMessage, type HubMessage, MessageType } from '../protocol/messages.js';
import type { Transport } from '../transports/transport.js';
import type { ClientCall } from './client-call.js';
import type { ConnectionClock } from './connection-clock.js';
import type { HubLimits } from './hub-options.js';

/** What an outbox needs of its hub. */
export interface OutboxContext {
  readonly limits: HubLimits;
  readonly clock: ConnectionClock;
}

/** Told when the client reads too slowly to stay connected. */
export interface OutboxOwner {
  clientReadsTooSlowly(why: string): void;
}

const PING = { json: jsonProtocol.write({ type: MessageType.Ping }), messagepack: messagePackProtocol.write({ type: MessageType.Ping }) };

/**
 * What the server sends to one client. Messages go to the transport at once; the outbox watches how many bytes the
 * transport still holds. When those are too many, streams wait, `deliverLatest` keeps only the newest message of each key,
 * and in the end the owner is told to give up. Outside of the time between {@link open} and {@link close} messages are dropped.
 */
export class Outbox {
  /** Set while the outbox is open. */
  #protocol: HubProtocol | undefined = undefined;
  #lastSent: number;
  /** Frames that wait for the congestion to end, by their key. */
  #latest: Map<string, Frame> | undefined = undefined;
  #latestBytes = 0;
  #drainWaiters: (() => void)[] | undefined = undefined;
  /** When the transport was asked to report that it is empty; undefined once it has reported. */
  #drainRequestedAt: number | undefined = undefined;

  constructor(
    private readonly transport: Transport,
    private readonly context: OutboxContext,
    private readonly owner: OutboxOwner,
  ) {
    this.#lastSent = context.clock.time;
  }

  /** Whether the transport holds so many bytes that streams and replaceable messages have to wait. */
  get isCongested(): boolean {
    return this.transport.bufferedAmount > this.context.limits.sendHighWaterMark;
  }

  /** The handshake is done: from now on messages are sent, in the encoding of `protocol`. */
  open(protocol: HubProtocol): void {
    this.#protocol = protocol;
  }

  /** Sends a message that was made for this client. @throws TypeError when a value in it has no form in the encoding */
  send(message: HubMessage): void {
    if (this.#protocol !== undefined) this.write(this.#protocol.write(message));
  }

  /** Sends a call that other clients may receive as well. @throws TypeError when an argument has no form in the encoding */
  deliver(call: ClientCall): void {
    if (this.#protocol !== undefined) this.write(call.frame(this.#protocol));
  }

  /** Like {@link deliver}; while the client reads too slowly, a newer call replaces the one that waits under the same key. */
  deliverLatest(key: string, call: ClientCall): void {
    if (this.#protocol === undefined) return;
    const frame = call.frame(this.#protocol);
    if (this.#latest === undefined && !this.isCongested) return this.write(frame);
    this.#latest ??= new Map();
    this.#latestBytes += frame.length - (this.#latest.get(key)?.length ?? 0);
    this.#latest.set(key, frame);
    if (this.#latestBytes > this.context.limits.maximumUnsentBytes) this.#giveUpOverfull();
    else this.#requestDrain();
  }

  /** Sends a message that is encoded already. */
  write(frame: Frame): void {
    if (this.#protocol === undefined) return;
    // The limit is checked before the frame is added: one large message is no sign of a slow reader.
    if (this.transport.bufferedAmount + this.#latestBytes > this.context.limits.maximumUnsentBytes) return this.#giveUpOverfull();
    this.#lastSent = this.context.clock.time;
    this.transport.write(frame, this.#protocol.binary);
  }

  /** Sends the message that announces the end of the connection, however much is unsent. */
  announceClose(message: CloseMessage): void {
    if (this.#protocol !== undefined) this.transport.write(this.#protocol.write(message), this.#protocol.binary);
  }

  /** Drops what waits and everything to come. */
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

  /** The transport reports that everything sent has left the process. */
  transportDrained(): void {
    this.#drainRequestedAt = undefined;
    this.#flushLatest();
    this.#endDrainWait();
  }

  /** Checks at `time`, in milliseconds, for a client that does not read, and pings one that has heard nothing for long. */
  sweep(time: number): void {
    if (this.#protocol === undefined) return;
    const { limits } = this.context;
    if (this.#drainRequestedAt !== undefined && time - this.#drainRequestedAt >= limits.drainTimeoutMs) {
      return this.owner.clientReadsTooSlowly(`what was sent has not left for ${limits.drainTimeoutMs} ms`);
    }
    if (time - this.#lastSent < limits.keepAliveMs) return;
    if (this.isCongested) this.#requestDrain();
    else this.write(PING[this.#protocol.name]);
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
