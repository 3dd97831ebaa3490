/**
 * Room that the clients of a hub share for what they have not acknowledged, besides what each of them has for itself. A client acknowledges
 * once a second, so what may be sent to it in that time is its speed; most have nothing to send most of the time.
 */
export class ReplayRoom {
  #taken = 0;

  /** @param limits `sharedReplaySize`: how many bytes it has */
  constructor(private readonly limits: { readonly sharedReplaySize: number }) {}

  /** Whether nobody may take more. */
  get isTaken(): boolean {
    return this.#taken >= this.limits.sharedReplaySize;
  }

  /** Takes so many bytes, or gives back so many if they are negative. */
  take(bytes: number): void {
    this.#taken += bytes;
  }
}
