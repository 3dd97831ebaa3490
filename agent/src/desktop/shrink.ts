/** Pixels of four bytes: red, green, blue, opacity. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

const MAX_WIDTH = 1920;
const MAX_HEIGHT = 1200;

/** The picture in a size of at most 1920 × 1200, each pixel the mean of those that it stands for. */
export function shrunk(picture: Picture, maxWidth = MAX_WIDTH, maxHeight = MAX_HEIGHT): Picture {
  const factor = Math.max(picture.width / maxWidth, picture.height / maxHeight);
  if (factor <= 1) return picture;
  const width = Math.max(1, Math.round(picture.width / factor));
  const height = Math.max(1, Math.round(picture.height / factor));
  const data = new Uint8Array(width * height * 4);
  const columns = Array.from({ length: width }, (_, x) => rangeOf(x, picture.width, width));
  for (let y = 0, target = 0; y < height; y++) {
    const [top, bottom] = rangeOf(y, picture.height, height);
    for (const [left, right] of columns) {
      let [red, green, blue] = [0, 0, 0];
      for (let row = top; row < bottom; row++) {
        for (let source = (row * picture.width + left) * 4, end = (row * picture.width + right) * 4; source < end; source += 4) {
          red += picture.data[source];
          green += picture.data[source + 1];
          blue += picture.data[source + 2];
        }
      }
      const count = (bottom - top) * (right - left);
      data[target++] = red / count;
      data[target++] = green / count;
      data[target++] = blue / count;
      data[target++] = 255;
    }
  }
  return { width, height, data };
}

/** Range of the `from` pixels that the pixel stands for if there are only `to`. */
function rangeOf(index: number, from: number, to: number): [first: number, end: number] {
  return [Math.floor((index * from) / to), Math.floor(((index + 1) * from) / to)];
}
