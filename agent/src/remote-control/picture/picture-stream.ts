import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { ScreenRegion, UpdateCaptureSettings } from '#libs/desktop-stream';
import type { Rectangle, ScreenCapture } from '../platform.js';
import { byteLimit, qualityFor, RateMeter, USUAL_SETTINGS } from './quality.js';
import type { RegionEncoder } from './region-encoder.js';
import { Frame, TileMarks } from './tiles.js';

const FRAMES_PER_SECOND = 30;
const FRAME_MS = 1_000 / FRAMES_PER_SECOND;
/** A screen that has not changed for this time is at rest. */
const REST_MS = 300;
/** A viewer that sends no settings gets the usual ones. */
const SETTINGS_WITHIN_MS = 500;
/** Pixels of one refresh: small, so that a change does not wait for it. */
const REFRESH_PIXELS = 1_000_000;
/** Most bytes of an encoded pixel: noise takes 3 as PNG, and 2.4 as JPEG in full quality. With a limit of the rate no piece has more than a second's. */
const MOST_PIXEL_BYTES = 4;
/** Upper estimate of the bytes of a region beside its picture, and of a message beside its regions. */
const REGION_BYTES = 80;
/** A failed capture, as while the mode of a display changes, is tried again after this time, so often. */
const RETRY_MS = 100;
const RETRIES = 50;

/** Sends pictures to the viewer. */
export interface PictureSink {
  /** Waits while too much is not acknowledged. */
  whenOpen(): Promise<void>;
  /** Sends regions, and returns the bytes of the message. */
  send(regions: readonly ScreenRegion[]): number;
}

/** Encodes pictures, one of changes or one in full quality. */
export type PictureEncoder = Pick<RegionEncoder, 'encode' | 'refresh'>;

/** Figures since the last call. */
export interface PictureFigures {
  readonly fps: number;
  readonly quality: number;
  readonly mbps: number;
}

/**
 * The pictures of the shown display: what has changed is grabbed, compared with what was sent, encoded, and sent. One frame is encoded
 * ahead while the viewer has not acknowledged enough; then changes collect, and the newest picture is the next one.
 */
export class PictureStream {
  private settings: UpdateCaptureSettings = USUAL_SETTINGS;
  private bounds: Rectangle = { x: 0, y: 0, width: 0, height: 0 };
  private frame = new Frame(0, 0);
  private damaged = new TileMarks(0, 0);
  private lesser = new TileMarks(0, 0);
  private isKeyFrameDue = true;
  private isDamaged = false;
  private isMoved = false;
  private changedAt = 0;
  private frames = 0;
  private countedFrom = performance.now();
  private quality = 0;
  private readonly rate = new RateMeter();
  /** The last message, if it had more than a second's bytes. */
  private excess: { readonly at: number; readonly bytes: number } | undefined;
  private wake: (() => void) | undefined;
  /** Ends the wait for a limit of the rate. */
  private breakOff: (() => void) | undefined;
  private isStopped = false;

  constructor(
    private readonly capture: ScreenCapture,
    private readonly encoder: PictureEncoder,
    private readonly sink: PictureSink,
  ) {
    capture.onChange(() => {
      this.isDamaged = true;
      this.wake?.();
    });
  }

  /** Sends the whole display with these settings. What was being encoded with others is dropped. */
  configure(settings: UpdateCaptureSettings): void {
    this.requestKeyFrame();
    // A viewer that repeats its settings faster than a picture is encoded would get none.
    if (isDeepStrictEqual(settings, this.settings)) return;
    this.settings = settings;
    this.breakOff?.();
  }

  /** Shows another part of the desktop. What was being encoded of the one before is dropped. */
  show(bounds: Rectangle): void {
    this.bounds = bounds;
    this.isMoved = true;
    this.requestKeyFrame();
    this.breakOff?.();
  }

  requestKeyFrame(): void {
    this.isKeyFrameDue = true;
    this.wake?.();
  }

  stop(): void {
    this.isStopped = true;
    this.wake?.();
    this.breakOff?.();
  }

  figures(): PictureFigures {
    const now = performance.now();
    const fps = (this.frames * 1_000) / Math.max(1, now - this.countedFrom);
    this.frames = 0;
    this.countedFrom = now;
    return { fps, quality: this.quality, mbps: this.rate.mbps(now) };
  }

  /** Sends pictures until it is stopped. `configured` resolves when the viewer has sent its settings. */
  async run(configured: Promise<void>): Promise<void> {
    await Promise.race([configured, delay(SETTINGS_WITHIN_MS)]);
    let failures = 0;
    while (!this.isStopped) {
      await this.untilDue();
      if (this.isStopped) return;
      const begin = performance.now();
      try {
        await this.step();
        failures = 0;
      } catch (error) {
        failures += 1;
        if (this.isStopped) return;
        if (failures > RETRIES || !(error instanceof Error) || !('error' in error)) throw error;
        this.isKeyFrameDue = true;
        await delay(RETRY_MS);
      }
      const rest = begin + FRAME_MS - performance.now();
      if (rest > 1) await delay(rest);
    }
  }

  private async untilDue(): Promise<void> {
    if (this.isKeyFrameDue || this.isDamaged || this.isStopped) return;
    const restsIn = this.lesser.isEmpty ? undefined : Math.max(0, this.changedAt + REST_MS - performance.now());
    if (restsIn === 0) return;
    await new Promise<void>((resolve) => {
      const timer = restsIn === undefined ? undefined : setTimeout(resolve, restsIn);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.wake = undefined;
  }

  private async step(): Promise<void> {
    if (this.isMoved) {
      this.isMoved = false;
      const { width, height } = this.bounds;
      this.frame = new Frame(width, height);
      this.damaged = new TileMarks(width, height);
      this.lesser = new TileMarks(width, height);
      await this.capture.show(this.bounds);
    }
    if (this.isKeyFrameDue || this.isDamaged) {
      await this.sendChanges();
      return;
    }
    if (performance.now() >= this.changedAt + REST_MS) await this.sendRefresh();
  }

  private async sendChanges(): Promise<void> {
    const isKeyFrame = this.isKeyFrameDue;
    const { settings } = this;
    this.isKeyFrameDue = false;
    this.isDamaged = false;
    for (const rectangle of await this.capture.changes()) this.damaged.add(rectangle);
    const whole = { x: 0, y: 0, width: this.frame.width, height: this.frame.height };
    const looked = isKeyFrame ? [whole] : this.damaged.rectangles();
    this.damaged.clear();
    if (looked.length === 0) return;
    const changed = new TileMarks(this.frame.width, this.frame.height);
    const grabbed = await this.capture.grab(looked);
    let offset = 0;
    for (const rectangle of looked) {
      const size = rectangle.width * rectangle.height * 4;
      this.frame.update(grabbed.subarray(offset, offset + size), rectangle, changed);
      offset += size;
    }
    const rectangles = isKeyFrame ? [whole] : changed.rectangles();
    if (rectangles.length === 0) return;
    const now = performance.now();
    this.changedAt = now;
    this.quality = qualityFor(settings, this.rate.mbps(now));
    for (const group of groupsOf(rectangles, isKeyFrame, settings)) {
      const encoded = await Promise.all(group.map(async (each) => this.encoder.encode(this.frame, each, this.quality, settings)));
      const regions = encoded.map(({ region }) => region);
      if (!(await this.send(regions, settings))) return;
      for (const { region, isLesser } of encoded) {
        if (isLesser && settings.isAutoQualityEnabled) this.lesser.add(region);
        else this.lesser.remove(region);
      }
    }
    this.frames += 1;
  }

  /** Sends in full quality what was sent in lesser quality, a part at a time. */
  private async sendRefresh(): Promise<void> {
    const { settings } = this;
    const rectangles: Rectangle[] = [];
    let pixels = 0;
    for (const rectangle of this.lesser.rectangles().flatMap((each) => pieces(each, REFRESH_PIXELS))) {
      pixels += rectangle.width * rectangle.height;
      if (rectangles.length > 0 && pixels > REFRESH_PIXELS) break;
      rectangles.push(rectangle);
    }
    const limited = rectangles.flatMap((each) => groupsOf([each], false, settings)).flat();
    for (const rectangle of limited) {
      const region = await this.encoder.refresh(this.frame, rectangle, settings);
      if (!(await this.send([region], settings))) return;
      this.lesser.remove(rectangle);
      if (this.isDamaged) return;
    }
  }

  /** False if another display or other settings were chosen, or the session has ended, before the regions could be sent. */
  private async send(regions: readonly ScreenRegion[], settings: UpdateCaptureSettings): Promise<boolean> {
    const isWanted = (): boolean => !this.isStopped && !this.isMoved && settings === this.settings;
    await this.sink.whenOpen();
    if (!isWanted()) return false;
    const limit = byteLimit(settings);
    const expected = regions.reduce((sum, { encodedImage }) => sum + encodedImage.length + REGION_BYTES, REGION_BYTES);
    const wait = Math.max(this.paidAt(limit), this.rate.freeAt(expected, limit)) - performance.now();
    if (wait > 0) await this.pause(Math.ceil(wait) + 1);
    if (!isWanted()) return false;
    const bytes = this.sink.send(regions);
    const now = performance.now();
    this.rate.add(bytes, now);
    this.excess = bytes > limit ? { at: now, bytes } : undefined;
    return true;
  }

  /** The time at which a key frame of more than a second's bytes is paid for. */
  private paidAt(limit: number): number {
    return this.excess === undefined ? -Infinity : this.excess.at + (this.excess.bytes * 1_000) / limit;
  }

  /** Waits, unless what is to be sent is wanted no more. */
  private async pause(milliseconds: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.breakOff = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.breakOff = undefined;
  }
}

/** The rectangles of each message: all in one, or small pieces where the rate has a limit. A key frame is one rectangle. */
function groupsOf(
  rectangles: readonly Rectangle[],
  isKeyFrame: boolean,
  settings: UpdateCaptureSettings,
): readonly (readonly Rectangle[])[] {
  const limit = byteLimit(settings);
  if (isKeyFrame || limit === Infinity) return [rectangles];
  return rectangles.flatMap((rectangle) => pieces(rectangle, limit / MOST_PIXEL_BYTES)).map((piece) => [piece]);
}

/** Bands of a rectangle with at most so many pixels each, whose corners stay on tiles. */
function pieces({ x, y, width, height }: Rectangle, pixels: number): readonly Rectangle[] {
  const columns = Math.max(64, Math.floor(pixels / 64 / 64) * 64);
  const rows = columns < width ? 64 : Math.max(64, Math.floor(pixels / width / 64) * 64);
  const parts: Rectangle[] = [];
  for (let top = y; top < y + height; top += rows)
    for (let left = x; left < x + width; left += Math.min(columns, width))
      parts.push({ x: left, y: top, width: Math.min(columns, x + width - left), height: Math.min(rows, y + height - top) });
  return parts;
}
