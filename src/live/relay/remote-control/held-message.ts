import { Shares } from '../../../platform/common/concurrency/shares.js';
import { CloseCode, ProtocolViolation } from '../pipe/frames.js';

const FIRST_BYTES = 1_024;

/** Room for messages that have begun and not ended. */
export interface Room {
  /** Takes room; false if there is not enough. */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

/** Room for the messages of all sessions, which tenants share: a message that never ends holds its room. */
export class HeldRoom {
  private readonly shares: Shares;

  constructor(bytes: number) {
    this.shares = new Shares(() => bytes);
  }

  /** The room of a tenant. */
  of(share: string): Room {
    return {
      take: (bytes) => this.shares.take(share, bytes),
      give: (bytes) => this.shares.give(share, bytes),
    };
  }
}

/** A message that is kept until it is complete. */
export class HeldMessage {
  private memory = Buffer.alloc(0);
  private length = 0;

  constructor(private readonly room: Room) {}

  /** The bytes that have come. */
  get bytes(): Buffer {
    return this.memory.subarray(0, this.length);
  }

  get isEmpty(): boolean {
    return this.length === 0;
  }

  /** Adds bytes. @throws ProtocolViolation when the sessions of the tenant, or all, hold too much */
  add(bytes: Buffer, start: number, end: number): void {
    const length = this.length + end - start;
    if (length > this.memory.length) this.grow(Math.max(FIRST_BYTES, length, 2 * this.memory.length));
    bytes.copy(this.memory, this.length, start, end);
    this.length = length;
  }

  /** Forgets the message. */
  clear(): void {
    this.room.give(this.memory.length);
    this.memory = Buffer.alloc(0);
    this.length = 0;
  }

  private grow(size: number): void {
    if (!this.room.take(size - this.memory.length)) {
      throw new ProtocolViolation('The relay holds too many unfinished messages.', CloseCode.TryAgainLater);
    }
    const memory = Buffer.allocUnsafe(size);
    this.memory.copy(memory, 0, 0, this.length);
    this.memory = memory;
  }
}
