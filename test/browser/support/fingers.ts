import type { CDPSession, Page } from 'playwright-core';

type Point = readonly [x: number, y: number];

/** Longest way of a finger between two events, in pixels: the browser tells of each finger by itself. */
const STEP = 8;
/** The longest way of a single finger. Its first event already goes farther than the trembling of a finger that rests. */
const STEP_ALONE = 16;

/** Fingers on the screen of a window that has one (`hasTouch`). */
export class Fingers {
  private constructor(private readonly devTools: CDPSession) {}

  static async of(page: Page): Promise<Fingers> {
    return new Fingers(await page.context().newCDPSession(page));
  }

  /** Taps with one or several fingers. Their events follow each other at once, however busy the machine is. */
  async tap(...at: readonly Point[]): Promise<void> {
    await Promise.all([this.down(...at), this.up()]);
  }

  async doubleTap(at: Point): Promise<void> {
    await Promise.all([this.tap(at), this.tap(at)]);
  }

  async down(...at: readonly Point[]): Promise<void> {
    await this.send('touchStart', at);
  }

  async up(): Promise<void> {
    await this.send('touchEnd', []);
  }

  /** Moves fingers that are down in a straight line. */
  async move(...ways: readonly { readonly from: Point; readonly to: Point }[]): Promise<void> {
    const longest = Math.max(...ways.map(({ from, to }) => Math.hypot(to[0] - from[0], to[1] - from[1])));
    const steps = Math.ceil(longest / (ways.length === 1 ? STEP_ALONE : STEP));
    for (let step = 1; step <= steps; step += 1) {
      const at = (from: number, to: number): number => from + ((to - from) * step) / steps;
      await this.send(
        'touchMove',
        ways.map(({ from, to }) => [at(from[0], to[0]), at(from[1], to[1])] as const),
      );
    }
  }

  /** Puts fingers down, moves them, and lifts them. They begin to move at once, however busy the machine is: resting is a long press. */
  async drag(...ways: readonly { readonly from: Point; readonly to: Point }[]): Promise<void> {
    await Promise.all([this.down(...ways.map(({ from }) => from)), this.move(...ways)]);
    await this.up();
  }

  private async send(type: 'touchStart' | 'touchMove' | 'touchEnd', at: readonly Point[]): Promise<void> {
    await this.devTools.send('Input.dispatchTouchEvent', { type, touchPoints: at.map(([x, y], id) => ({ x, y, id })) });
  }
}
