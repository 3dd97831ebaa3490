import type { XCursorImage, XEvent } from 'x11';
import { transparentPng } from '../picture/png.js';
import type { Cursor, CursorImage, DrawnPointer } from '../platform.js';
import type { XConnection } from './x-connection.js';

const DISPLAY_CURSOR = 1;
/** Shapes whose pictures are kept. */
const KEPT = 64;
/** Larger pointers are not sent. */
const MAX_SIDE = 256;
const PIXEL_BYTES = 4;

/** The pointer's shape, told by XFixes. */
export class XCursor implements Cursor {
  private readonly images = new Map<number, CursorImage>();
  private readonly listeners: (() => void)[] = [];

  constructor(private readonly connection: XConnection) {
    const { client, root, extensions } = connection;
    extensions.fixes.SelectCursorInput(root, DISPLAY_CURSOR);
    client.on('event', ({ name }: XEvent) => {
      if (name === 'CursorNotify') for (const listener of this.listeners) listener();
    });
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  async read(): Promise<CursorImage | undefined> {
    const image = await this.image();
    const { width, height, cursorSerial, xhot, yhot } = image;
    const known = this.images.get(cursorSerial);
    if (known !== undefined) return known;
    if (!isShown(image)) return undefined;
    const read = { png: transparentPng(width, height, straight(image.cursorImage)), xHotspot: xhot, yHotspot: yhot };
    if (this.images.size === KEPT) this.images.clear();
    this.images.set(cursorSerial, read);
    return read;
  }

  async drawn(): Promise<DrawnPointer | undefined> {
    const image = await this.image();
    if (!isShown(image)) return undefined;
    const { x, y, xhot, yhot, width, height, cursorSerial: shape, cursorImage: bgra } = image;
    return { shape, bounds: { x: x - xhot, y: y - yhot, width, height }, bgra };
  }

  private async image(): Promise<XCursorImage> {
    const { fixes } = this.connection.extensions;
    return this.connection.ask<XCursorImage>((reply) => fixes.GetCursorImage(reply));
  }
}

const isShown = ({ width, height }: XCursorImage): boolean => width >= 1 && height >= 1 && width <= MAX_SIDE && height <= MAX_SIDE;

/** Red, green, blue and alpha of pixels whose colours X has multiplied by alpha. */
function straight(argb: Buffer): Buffer {
  const rgba = Buffer.alloc(argb.length);
  for (let at = 0; at < argb.length; at += PIXEL_BYTES) {
    const alpha = argb[at + 3];
    if (alpha === 0) continue;
    for (let colour = 0; colour < 3; colour += 1) rgba[at + colour] = Math.min(255, Math.round((argb[at + 2 - colour] * 255) / alpha));
    rgba[at + 3] = alpha;
  }
  return rgba;
}
