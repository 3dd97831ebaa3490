import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ImageFormat, type ScreenRegion, type UpdateCaptureSettings } from '#libs/desktop-stream';
import { until } from '../../waiting.fixture.js';
import type { Rectangle, ScreenCapture } from '../platform.js';
import { PictureStream, type PictureEncoder } from './picture-stream.js';
import { USUAL_SETTINGS } from './quality.js';

const WHOLE = { x: 0, y: 0, width: 640, height: 480 };
const LIMITED = { ...USUAL_SETTINGS, isMaxBandwidthEnabled: true, maxBandwidthMbps: 4 };
const LIMIT_BYTES = 500_000;
/** Bytes that a pixel of noise takes: as PNG, as JPEG in usual quality, and as JPEG in full quality. */
const NOISE = { png: 3, usual: 0.6, full: 2.42 };

/** A screen of which every pixel changes at once. */
class Screen implements ScreenCapture {
  readonly mode = 'test';
  private readonly listeners: (() => void)[] = [];
  private changed: readonly Rectangle[] = [];
  private colour = 0;

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  async show(): Promise<void> {
    // There is one display.
  }

  change(): void {
    this.colour += 1;
    this.changed = [WHOLE];
    for (const listener of this.listeners) listener();
  }

  async changes(): Promise<readonly Rectangle[]> {
    const { changed } = this;
    this.changed = [];
    return changed;
  }

  async grab(rectangles: readonly Rectangle[]): Promise<Buffer> {
    return Buffer.alloc(
      rectangles.reduce((sum, { width, height }) => sum + width * height * 4, 0),
      this.colour,
    );
  }
}

const isPng = ({ encodingFormat }: UpdateCaptureSettings): boolean => encodingFormat === ImageFormat.values.Png;

function region({ x, y, width, height }: Rectangle, settings: UpdateCaptureSettings, lossy: number): ScreenRegion {
  const encodedImage = new Uint8Array(width * height * (isPng(settings) ? NOISE.png : lossy));
  return { x, y, width, height, encodedImage, imageFormat: settings.encodingFormat };
}

/** Makes pictures as large as those of noise. */
const encoder: PictureEncoder = {
  encode: async (_frame, rectangle, _quality, settings) => ({
    region: region(rectangle, settings, NOISE.usual),
    isLesser: !isPng(settings),
  }),
  refresh: async (_frame, rectangle, settings) => region(rectangle, settings, NOISE.full),
};

describe('pictures', () => {
  let screen: Screen;
  let stream: PictureStream;
  let over: Promise<void>;
  let sent: { readonly bytes: number; readonly regions: readonly ScreenRegion[] }[];
  let whenOpen: () => Promise<void>;

  beforeEach(() => {
    sent = [];
    whenOpen = async () => undefined;
    screen = new Screen();
    stream = new PictureStream(screen, encoder, {
      whenOpen: async () => whenOpen(),
      send: (regions) => {
        const bytes = regions.reduce((sum, { encodedImage }) => sum + encodedImage.length, 0);
        sent.push({ bytes, regions });
        return bytes;
      },
    });
    stream.show(WHOLE);
  });

  afterEach(async () => {
    stream.stop();
    await over;
  });

  const begin = (settings: UpdateCaptureSettings): void => {
    stream.configure(settings);
    over = stream.run(Promise.resolve());
  };

  it('in full quality at rest are no more at once than the limit of a second', async () => {
    begin(LIMITED);
    const refresh = await until(() => sent[1]);
    expect(refresh.bytes).toBeLessThanOrEqual(LIMIT_BYTES);
  });

  it('of changes as PNG are no more at once than the limit of a second', async () => {
    begin({ ...LIMITED, encodingFormat: ImageFormat.values.Png });
    await until(() => sent[0]);
    screen.change();
    const change = await until(() => sent[1]);
    expect(change.bytes).toBeLessThanOrEqual(LIMIT_BYTES);
  });

  it('that were encoded before the viewer changed its settings are not sent after that', async () => {
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    let isWaiting = false;
    whenOpen = async () => {
      isWaiting = true;
      return opened;
    };
    begin(USUAL_SETTINGS);
    await until(() => isWaiting || undefined);
    stream.configure({ ...USUAL_SETTINGS, encodingFormat: ImageFormat.values.Png });
    open();
    const [first] = await until(() => sent[0]?.regions);
    expect(first).toMatchObject({ ...WHOLE, imageFormat: ImageFormat.values.Png });
  });

  it('are sent to a viewer that repeats its settings all the time', async () => {
    whenOpen = async () => stream.configure({ ...USUAL_SETTINGS });
    begin({ ...USUAL_SETTINGS });
    expect(await until(() => sent[1]?.regions[0])).toMatchObject(WHOLE);
  });

  it('wait no longer for a limit that the viewer has taken back', async () => {
    // The first picture has more than the bytes of a minute.
    begin({ ...LIMITED, maxBandwidthMbps: 0.02 });
    await until(() => sent[0]);
    stream.configure(USUAL_SETTINGS);
    expect(await until(() => sent[1]?.regions[0])).toMatchObject(WHOLE);
  });
});
