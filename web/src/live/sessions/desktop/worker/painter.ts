import type { ScreenRegion } from '#libs/desktop-stream';

const MEDIA_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const;

/** Draws the regions of a display: decoded at the same time, drawn in the order in which they came. */
export class Painter {
  private readonly context: OffscreenCanvasRenderingContext2D | null;
  /** Settles when everything that came so far is drawn. */
  private drawn: Promise<unknown> = Promise.resolve();

  constructor(readonly canvas: OffscreenCanvas) {
    this.context = canvas.getContext('2d', { alpha: false });
  }

  /** Gives the canvas the size of a display. A canvas of that size keeps its picture. */
  resize({ width, height }: { readonly width: number; readonly height: number }): void {
    // What came for the former size is drawn before.
    this.drawn = this.drawn.then(() => {
      if (this.canvas.width === width && this.canvas.height === height) return;
      this.canvas.width = width;
      this.canvas.height = height;
    });
  }

  /** Draws regions. Settles when they are drawn, with the number of those that are no pictures. */
  async draw(regions: readonly ScreenRegion[]): Promise<number> {
    const pictures = regions.map(decoded);
    const drawing = this.drawn.then(async () => {
      let failed = 0;
      for (const [index, region] of regions.entries()) {
        const picture = await pictures[index];
        if (picture === null || picture === undefined) failed += 1;
        else {
          this.context?.drawImage(picture, region.x, region.y, region.width, region.height);
          picture.close();
        }
      }
      return failed;
    });
    this.drawn = drawing;
    return drawing;
  }

  /** Shows the same picture again, for those that record it: they get a frame for each time something is drawn. */
  redraw(): void {
    if (this.canvas.width > 0) this.context?.drawImage(this.canvas, 0, 0, 1, 1, 0, 0, 1, 1);
  }

  /** The picture as a PNG file; null if nothing is there. */
  async picture(): Promise<Blob | null> {
    await this.drawn;
    return this.canvas.width === 0 ? null : this.canvas.convertToBlob({ type: 'image/png' });
  }
}

/** The picture of a region; null if its bytes are none. */
async function decoded({ encodedImage, imageFormat }: ScreenRegion): Promise<ImageBitmap | null> {
  try {
    return await createImageBitmap(new Blob([Uint8Array.from(encodedImage)], { type: MEDIA_TYPES[imageFormat] }));
  } catch (error) {
    // Pictures that cannot be decoded are counted: the caller asks for the display again.
    if (error instanceof DOMException) return null;
    throw error;
  }
}
