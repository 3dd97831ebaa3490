import type { InputDevice, Place } from './platform.js';

/** Actions that wait for others, which take longer than they come. */
const MAX_WAITING = 10_000;

/** Input in the order in which it came. Of moves that wait, only the last one is done. */
export class InputQueue {
  private readonly waiting: { act(device: InputDevice): void | Promise<void>; done(): void; failed(error: unknown): void }[] = [];
  private place: Place | undefined;
  private isBusy = false;
  private isStopped = false;

  constructor(private readonly device: InputDevice) {}

  /** Moves the pointer. At most one move waits, and it is forgotten when another action tells a later place. */
  move(place: Place): void {
    this.place = place;
    if (!this.isBusy) void this.work();
  }

  /** Resolves when the action was done. Rejects when it failed. Actions of a viewer that sends too many are left out. */
  async add(act: (device: InputDevice) => void | Promise<void>): Promise<void> {
    if (this.isStopped || this.waiting.length >= MAX_WAITING) return;
    const { place } = this;
    this.place = undefined;
    const dealing = new Promise<void>((resolve, reject) => {
      const withMove = (device: InputDevice): void | Promise<void> => {
        if (place !== undefined) device.move(place);
        return act(device);
      };
      this.waiting.push({ act: withMove, done: resolve, failed: reject });
    });
    if (!this.isBusy) void this.work();
    return dealing;
  }

  /** Leaves out what waits. */
  stop(): void {
    this.isStopped = true;
    this.place = undefined;
    for (const each of this.waiting.splice(0)) each.done();
  }

  private async work(): Promise<void> {
    this.isBusy = true;
    // Moves that come in the same turn are joined.
    await new Promise<void>((resolve) => setImmediate(resolve));
    for (;;) {
      const next = this.waiting.shift();
      if (next === undefined) break;
      try {
        await next.act(this.device);
        next.done();
      } catch (error) {
        next.failed(error);
      }
    }
    const { place } = this;
    this.place = undefined;
    this.isBusy = false;
    if (place !== undefined && !this.isStopped) this.device.move(place);
  }
}
