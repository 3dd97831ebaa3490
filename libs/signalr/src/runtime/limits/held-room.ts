import type { HubLimits } from './hub-limits.js';

/**
 * Room that the clients of a hub share for what was read from them and waits in memory: calls that wait for their turn, and items of streams.
 * A client that sends much alone fills its own part; many such clients together fill the room.
 */
export class HeldRoom {
  #held = 0;

  constructor(private readonly limits: Pick<HubLimits, 'maximumMessageSize' | 'sharedHeldSize'>) {}

  /** Takes so many bytes, or gives back so many if they are negative. */
  take(bytes: number): void {
    this.#held += bytes;
  }

  /** The bytes from which on one client has to wait: those of so many of the largest messages, or of one while the room is full. */
  shareOf(messages: number): number {
    const { maximumMessageSize, sharedHeldSize } = this.limits;
    return (this.#held >= sharedHeldSize ? 1 : messages) * maximumMessageSize;
  }
}
