import type { XEvent, XShmSegment } from 'x11';
import type { Rectangle, ScreenCapture } from '../platform.js';
import type { XConnection } from './x-connection.js';

const ALL_PLANES = 0xffffffff;
const Z_PIXMAP = 2;
const PIXEL_BYTES = 4;

/** Reads the root window: through shared memory where the server takes it, else by requests. */
export class XCapture implements ScreenCapture {
  private readonly region: number;
  private readonly damage: number;
  private bounds: Rectangle = { x: 0, y: 0, width: 0, height: 0 };
  private segment: XShmSegment | undefined;
  private pixels: Buffer = Buffer.alloc(0);
  private readonly listeners: (() => void)[] = [];

  private constructor(
    private readonly connection: XConnection,
    private readonly hasSharedMemory: boolean,
  ) {
    const { client, root, extensions } = connection;
    this.region = client.AllocID();
    this.damage = client.AllocID();
    extensions.fixes.CreateRegion(this.region, []);
    extensions.damage.Create(this.damage, root, extensions.damage.ReportLevel.NonEmpty);
    client.on('event', ({ name, damage }: XEvent) => {
      if (name === 'DamageNotify' && damage === this.damage) for (const listener of this.listeners) listener();
    });
  }

  static async start(connection: XConnection): Promise<XCapture> {
    const { shm } = connection.extensions;
    const hasSharedMemory =
      shm !== undefined && (await new Promise<boolean>((resolve) => shm.usable((error, isUsable) => resolve(error === null && isUsable))));
    return new XCapture(connection, hasSharedMemory);
  }

  get mode(): string {
    return this.segment === undefined ? 'X11 requests' : 'X11 shared memory';
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  async show(bounds: Rectangle): Promise<void> {
    this.bounds = bounds;
    const bytes = bounds.width * bounds.height * PIXEL_BYTES;
    const { segment } = this;
    this.segment = undefined;
    if (segment !== undefined) await new Promise<void>((resolve) => segment.detach(resolve));
    this.segment = await this.newSegment(bytes);
    this.pixels = Buffer.alloc(this.segment === undefined ? bytes : 0);
  }

  async changes(): Promise<readonly Rectangle[]> {
    const { extensions } = this.connection;
    extensions.damage.Subtract(this.damage, 0, this.region);
    const { rectangles } = await this.connection.ask<{ readonly rectangles: readonly Rectangle[] }>((reply) =>
      extensions.fixes.FetchRegion(this.region, reply),
    );
    return rectangles.flatMap((rectangle) => within(rectangle, this.bounds));
  }

  async grab(rectangles: readonly Rectangle[]): Promise<Buffer> {
    let size = 0;
    const offsets = rectangles.map(({ width, height }) => {
      const offset = size;
      size += width * height * PIXEL_BYTES;
      return offset;
    });
    const { segment } = this;
    if (segment === undefined) {
      await Promise.all(rectangles.map(async (rectangle, index) => this.request(rectangle, offsets[index])));
      return this.pixels.subarray(0, size);
    }
    await Promise.all(rectangles.map(async (rectangle, index) => this.share(segment, rectangle, offsets[index])));
    segment.readback(0, size);
    return segment.buffer.subarray(0, size);
  }

  /** Undefined where the server does not take shared memory, or not as much: a large display may need more than it can have. */
  private async newSegment(bytes: number): Promise<XShmSegment | undefined> {
    const { shm } = this.connection.extensions;
    if (shm === undefined || !this.hasSharedMemory) return undefined;
    return new Promise((resolve) => shm.createSegment(bytes, (error, segment) => resolve(error === null ? segment : undefined)));
  }

  private async share({ shmseg }: XShmSegment, { x, y, width, height }: Rectangle, offset: number): Promise<void> {
    const { root, extensions } = this.connection;
    await this.connection.ask((reply) =>
      extensions.shm?.GetImage(root, this.bounds.x + x, this.bounds.y + y, width, height, ALL_PLANES, Z_PIXMAP, shmseg, offset, reply),
    );
  }

  private async request({ x, y, width, height }: Rectangle, offset: number): Promise<void> {
    const { root, client } = this.connection;
    const { data } = await this.connection.ask<{ readonly data: Buffer }>((reply) =>
      client.GetImage(Z_PIXMAP, root, this.bounds.x + x, this.bounds.y + y, width, height, ALL_PLANES, reply),
    );
    data.copy(this.pixels, offset, 0, width * height * PIXEL_BYTES);
  }
}

/** The part of a rectangle of the desktop that lies within the bounds, relative to them. */
function within({ x, y, width, height }: Rectangle, bounds: Rectangle): readonly Rectangle[] {
  const left = Math.max(0, x - bounds.x);
  const top = Math.max(0, y - bounds.y);
  const right = Math.min(bounds.width, x - bounds.x + width);
  const bottom = Math.min(bounds.height, y - bounds.y + height);
  return right > left && bottom > top ? [{ x: left, y: top, width: right - left, height: bottom - top }] : [];
}
