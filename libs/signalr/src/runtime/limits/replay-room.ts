/**
 * Room that the clients of a hub share for unacknowledged messages, besides the room of each. A client acknowledges once a second, so the
 * bytes that may be sent to it in that time are its speed; most have nothing to send most of the time.
 */
export class ReplayRoom {
  #taken = 0;

  /** @param limits `sharedReplaySize`: its size in bytes */
  constructor(private readonly limits: { readonly sharedReplaySize: number }) {}

  /** True if no client may take more. */
  get isTaken(): boolean {
    return this.#taken >= this.limits.sharedReplaySize;
  }

  /** Takes so many bytes, or gives back so many if they are negative. */
  take(bytes: number): void {
    this.#taken += bytes;
  }
}
