import type { Cursor, DrawnPointer, Rectangle, ScreenCapture } from '../platform.js';

const PIXEL_BYTES = 4;
const OPAQUE = 255;
/** The pointer is looked for in this interval: X tells nobody that it moves. */
const LOOK_MS = 50;

/** Draws the pointer into what a capture gives, for viewers who do not draw it themselves. */
export class CapturedPointer implements ScreenCapture {
  private readonly listeners: (() => void)[] = [];
  private bounds: Rectangle = { x: 0, y: 0, width: 0, height: 0 };
  private isOn = false;
  private isLooking = false;
  private timer: NodeJS.Timeout | undefined;
  /** The pointer as it is now; undefined while none is drawn. */
  private pointer: DrawnPointer | undefined;
  /** Places in which the pointer was, and is now. They are of the whole desktop. */
  private touched: Rectangle[] = [];

  constructor(
    private readonly capture: ScreenCapture,
    private readonly cursor: Cursor,
    /** Is called when the pointer cannot be read. */
    private readonly failed: (error: unknown) => void,
  ) {}

  get mode(): string {
    return this.capture.mode;
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
    this.capture.onChange(listener);
  }

  /** Chooses if the pointer is part of the picture. */
  draw(isOn: boolean): void {
    if (isOn === this.isOn) return;
    this.isOn = isOn;
    if (isOn) this.look();
    else this.stop();
  }

  /** Looks for the pointer no more. */
  stop(): void {
    this.isOn = false;
    clearTimeout(this.timer);
    this.take(undefined);
  }

  async show(bounds: Rectangle): Promise<void> {
    this.bounds = bounds;
    await this.capture.show(bounds);
  }

  async changes(): Promise<readonly Rectangle[]> {
    const touched = this.touched.flatMap((each) => this.shown(each) ?? []);
    this.touched = [];
    return [...(await this.capture.changes()), ...touched];
  }

  async grab(rectangles: readonly Rectangle[]): Promise<Buffer> {
    const pixels = await this.capture.grab(rectangles);
    const { pointer } = this;
    const place = pointer === undefined ? undefined : this.shown(pointer.bounds);
    if (pointer === undefined || place === undefined) return pixels;
    let offset = 0;
    for (const rectangle of rectangles) {
      const common = overlap(rectangle, place);
      if (common !== undefined) this.blend(pixels, offset, rectangle, common, pointer);
      offset += rectangle.width * rectangle.height * PIXEL_BYTES;
    }
    return pixels;
  }

  private look(): void {
    // A look that is under way serves a viewer who has changed its mind, too.
    if (this.isLooking) return;
    this.isLooking = true;
    this.cursor.drawn().then((pointer) => {
      this.isLooking = false;
      if (!this.isOn) return;
      this.take(pointer);
      this.timer = setTimeout(() => this.look(), LOOK_MS);
    }, this.failed);
  }

  private take(pointer: DrawnPointer | undefined): void {
    const before = this.pointer;
    if (before?.shape === pointer?.shape && before?.bounds.x === pointer?.bounds.x && before?.bounds.y === pointer?.bounds.y) return;
    this.pointer = pointer;
    for (const each of [before, pointer]) if (each !== undefined) this.touched.push(each.bounds);
    for (const listener of this.listeners) listener();
  }

  /** The part of a rectangle of the desktop that is shown, relative to it. */
  private shown({ x, y, width, height }: Rectangle): Rectangle | undefined {
    const { bounds } = this;
    return overlap({ x: x - bounds.x, y: y - bounds.y, width, height }, { x: 0, y: 0, width: bounds.width, height: bounds.height });
  }

  /** Draws a part of the pointer over the pixels of a rectangle, which begin at an offset. */
  private blend(pixels: Buffer, offset: number, rectangle: Rectangle, common: Rectangle, { bounds, bgra }: DrawnPointer): void {
    for (let y = common.y; y < common.y + common.height; y += 1)
      for (let x = common.x; x < common.x + common.width; x += 1) {
        const from = ((y + this.bounds.y - bounds.y) * bounds.width + x + this.bounds.x - bounds.x) * PIXEL_BYTES;
        const to = offset + ((y - rectangle.y) * rectangle.width + x - rectangle.x) * PIXEL_BYTES;
        const rest = OPAQUE - bgra[from + 3];
        for (let colour = 0; colour < 3; colour += 1)
          pixels[to + colour] = Math.min(OPAQUE, bgra[from + colour] + Math.round((pixels[to + colour] * rest) / OPAQUE));
      }
  }
}

function overlap(one: Rectangle, other: Rectangle): Rectangle | undefined {
  const [x, y] = [Math.max(one.x, other.x), Math.max(one.y, other.y)];
  const width = Math.min(one.x + one.width, other.x + other.width) - x;
  const height = Math.min(one.y + one.height, other.y + other.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : undefined;
}
