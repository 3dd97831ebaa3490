const SIDE = 8;
const STEP = 4;
const C1 = (0.01 * 255) ** 2;
const C2 = (0.03 * 255) ** 2;

/** The structural similarity of two grey pictures, 1 for equal ones: the mean over windows of 8×8 pixels, four apart. */
export function ssim(one: Uint8Array, other: Uint8Array, width: number, height: number): number {
  if (one.length !== width * height || other.length !== one.length) throw new Error('The pictures differ in size.');
  let sum = 0;
  let windows = 0;
  for (let y = 0; y + SIDE <= height; y += STEP) {
    for (let x = 0; x + SIDE <= width; x += STEP) {
      sum += similarity(one, other, y * width + x, width);
      windows += 1;
    }
  }
  return sum / windows;
}

function similarity(one: Uint8Array, other: Uint8Array, start: number, width: number): number {
  const pixels = SIDE * SIDE;
  let [a, b, aa, bb, ab] = [0, 0, 0, 0, 0];
  for (let row = 0; row < SIDE; row += 1) {
    for (let at = start + row * width; at < start + row * width + SIDE; at += 1) {
      const [p, q] = [one[at], other[at]];
      a += p;
      b += q;
      aa += p * p;
      bb += q * q;
      ab += p * q;
    }
  }
  const [meanA, meanB] = [a / pixels, b / pixels];
  const [varianceA, varianceB] = [aa / pixels - meanA * meanA, bb / pixels - meanB * meanB];
  const covariance = ab / pixels - meanA * meanB;
  return ((2 * meanA * meanB + C1) * (2 * covariance + C2)) / ((meanA * meanA + meanB * meanB + C1) * (varianceA + varianceB + C2));
}
