import type { XEvent } from 'x11';
import type { XConnection } from '../x-connection.js';

const PROPERTY_CHANGE = 0x400000;
const INPUT_ONLY = 2;

/** A window that nobody sees, through which selections are exchanged, and the events that come to it. */
export class HiddenWindow {
  readonly id: number;
  private readonly queue: XEvent[] = [];
  private arrived: (() => void) | undefined;
  private readonly listener: (event: XEvent) => void;

  constructor(private readonly connection: XConnection) {
    const { client, root } = connection;
    this.id = client.AllocID();
    client.CreateWindow(this.id, root, 0, 0, 1, 1, 0, 0, INPUT_ONLY, 0, { eventMask: PROPERTY_CHANGE });
    this.listener = (event) => {
      if (event.wid !== this.id && event.requestor !== this.id) return;
      this.queue.push(event);
      this.arrived?.();
    };
  }

  /** Keeps the events from now on. */
  listen(): void {
    this.connection.client.on('event', this.listener);
  }

  /** Keeps no more events, and forgets those that it has. */
  ignore(): void {
    this.connection.client.removeListener('event', this.listener);
    this.forget();
  }

  /** Forgets what has come until now. */
  forget(): void {
    this.queue.length = 0;
  }

  /** The next event that fits; undefined if none comes in time. */
  async next(fits: (event: XEvent) => boolean, milliseconds: number): Promise<XEvent | undefined> {
    const end = performance.now() + milliseconds;
    for (;;) {
      for (let event = this.queue.shift(); event !== undefined; event = this.queue.shift()) if (fits(event)) return event;
      const rest = end - performance.now();
      if (rest <= 0 || this.connection.isOver) return undefined;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, rest);
        this.arrived = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.arrived = undefined;
    }
  }

  destroy(): void {
    this.ignore();
    if (!this.connection.isOver) this.connection.client.DestroyWindow(this.id);
  }
}
