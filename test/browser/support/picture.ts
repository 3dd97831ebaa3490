import { decode } from 'jpeg-js';
import type { Locator } from 'playwright-core';

/** Largest difference of colours that still look the same: pictures are compressed. */
const TOLERANCE = 40;

/** Picture of an element as the screen shows it. */
export class Picture {
  private constructor(
    readonly width: number,
    readonly height: number,
    private readonly pixels: Uint8Array,
  ) {}

  static async of(element: Locator): Promise<Picture> {
    const { width, height, data } = decode(await element.screenshot({ type: 'jpeg', quality: 100 }));
    return new Picture(width, height, data);
  }

  /** Returns true if a place shows a colour, 0xRRGGBB. `x` and `y` are shares of the picture's size. */
  shows(colour: number, x: number, y: number): boolean {
    const at = (Math.floor(y * this.height) * this.width + Math.floor(x * this.width)) * 4;
    return [16, 8, 0].every((shift, index) => Math.abs(this.pixels[at + index] - ((colour >> shift) & 0xff)) < TOLERANCE);
  }
}
