import type { ConnectionClock } from './connection-clock.js';

/** A connection with bytes that are not read yet. */
export interface BacklogOwner {
  /** True while the program has not vouched for it. */
  readonly isUnauthenticated: boolean;
  /** True while the server itself has stopped reading from it. */
  readonly isPaused: boolean;
  /** Ends it, because its bytes are too many or too old. */
  giveUp(why: string): void;
}

interface Unread {
  bytes: number;
  /** The time at which the message began whose start they are. */
  since: number;
}

/** The longest time for a message from its first byte to its last, besides the time that its size needs. */
export const MESSAGE_TIMEOUT_MS = 30_000;
/** The slowest pace of a large message: 4,000 bytes a second, as over a bad mobile connection. */
const SLOWEST_BYTES_PER_MS = 4;

/**
 * Bytes that clients have sent and the server has not read: messages that have begun and not ended, and messages that wait for their turn.
 * They are limited in all, because many connections could fill the memory with a little each. Above the limit, the oldest of the
 * unauthenticated ones end first, then the oldest of the others: honest messages are young. A message that takes too long ends its
 * connection.
 */
export class Backlog {
  /** The oldest first. */
  readonly #unread = new Map<BacklogOwner, Unread>();
  #bytes = 0;

  constructor(
    private readonly maximumBytes: number,
    private readonly clock: ConnectionClock,
  ) {}

  /** The number of unread bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Notes that the connection has so many unread bytes now, of the same message as before. */
  note(owner: BacklogOwner, bytes: number): void {
    const known = this.#unread.get(owner);
    this.#bytes += bytes - (known?.bytes ?? 0);
    if (known === undefined) this.#unread.set(owner, { bytes, since: this.clock.time });
    else known.bytes = bytes;
    while (this.#bytes > this.maximumBytes) this.#endOldest();
  }

  /** Forgets the unread bytes of a connection: its message was read, or it has ended. */
  forget(owner: BacklogOwner): void {
    this.#bytes -= this.#unread.get(owner)?.bytes ?? 0;
    this.#unread.delete(owner);
  }

  /** Ends the connections whose messages take too long. */
  sweep(): void {
    const { time } = this.clock;
    for (const [owner, unread] of this.#unread) {
      if (owner.isPaused) unread.since = time;
      else if (time - unread.since > MESSAGE_TIMEOUT_MS + unread.bytes / SLOWEST_BYTES_PER_MS) {
        this.#end(owner, 'A message took too long to arrive.');
      }
    }
  }

  #endOldest(): void {
    let oldest: BacklogOwner | undefined;
    for (const owner of this.#unread.keys()) {
      oldest ??= owner;
      if (!owner.isUnauthenticated) continue;
      oldest = owner;
      break;
    }
    if (oldest !== undefined) this.#end(oldest, 'The server holds too many unfinished messages.');
  }

  #end(owner: BacklogOwner, why: string): void {
    this.forget(owner);
    owner.giveUp(why);
  }
}
