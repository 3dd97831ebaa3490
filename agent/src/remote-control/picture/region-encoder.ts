import jpeg from '@julusian/jpeg-turbo';
import { ImageFormat, type ScreenRegion, type UpdateCaptureSettings } from '#libs/desktop-stream';
import type { Rectangle } from '../platform.js';
import type { PngThread } from './png-thread.js';
import type { Frame } from './tiles.js';

/** JPEG of this quality without colour subsampling shows no fault to the eye. */
const REFRESH_QUALITY = 95;

/** An encoded rectangle, and whether it lacks something that a refresh would show. */
export interface EncodedRegion {
  readonly region: ScreenRegion;
  readonly isLesser: boolean;
}

/** Encodes rectangles of a frame, several at a time. */
export class RegionEncoder {
  constructor(private readonly png: PngThread) {}

  /** In the format that suits the rectangle, among those that the viewer takes. */
  async encode(frame: Frame, rectangle: Rectangle, quality: number, settings: UpdateCaptureSettings): Promise<EncodedRegion> {
    if (takesPng(settings)) {
      const png = await this.png.encode(frame, rectangle, !takesJpeg(settings));
      if (png !== undefined) return { region: regionOf(rectangle, png, ImageFormat.values.Png), isLesser: false };
    }
    const lossy = await jpegOf(frame, rectangle, quality, jpeg.SAMP_420);
    return { region: regionOf(rectangle, lossy, ImageFormat.values.Jpeg), isLesser: quality < REFRESH_QUALITY };
  }

  /** In full quality: exactly where that is not larger than the best JPEG. */
  async refresh(frame: Frame, rectangle: Rectangle, settings: UpdateCaptureSettings): Promise<ScreenRegion> {
    const [png, best] = await Promise.all([
      takesPng(settings) ? this.png.encode(frame, rectangle, true) : undefined,
      takesJpeg(settings) ? jpegOf(frame, rectangle, REFRESH_QUALITY, jpeg.SAMP_444) : undefined,
    ]);
    if (png !== undefined && (best === undefined || png.length <= best.length)) return regionOf(rectangle, png, ImageFormat.values.Png);
    return regionOf(rectangle, best ?? new Uint8Array(), ImageFormat.values.Jpeg);
  }
}

function takesPng({ mixedFormats, encodingFormat }: UpdateCaptureSettings): boolean {
  return mixedFormats || encodingFormat === ImageFormat.values.Png;
}

/** JPEG also stands for WebP, which this agent cannot encode. A viewer reads the format of each region. */
function takesJpeg({ mixedFormats, encodingFormat }: UpdateCaptureSettings): boolean {
  return mixedFormats || encodingFormat !== ImageFormat.values.Png;
}

async function jpegOf(frame: Frame, rectangle: Rectangle, quality: number, subsampling: number): Promise<Uint8Array> {
  const { width, height } = rectangle;
  return jpeg.compress(frame.from(rectangle), { format: jpeg.FORMAT_BGRX, width, height, stride: frame.width, quality, subsampling });
}

function regionOf({ x, y, width, height }: Rectangle, encodedImage: Uint8Array, imageFormat: ImageFormat): ScreenRegion {
  return { x, y, width, height, encodedImage, imageFormat };
}
