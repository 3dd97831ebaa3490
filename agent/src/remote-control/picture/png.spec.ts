import { describe, expect, it } from 'vitest';
import { decodePng } from './png.fixture.js';
import { palettePng, trueColourPng, type PixelArea } from './png.js';

/** A part of a larger picture whose pixels have so many colours. */
function areaOf(colours: number, width = 33, height = 21): PixelArea {
  const stride = width + 7;
  const pixels = new Uint32Array(stride * (height + 3));
  for (let index = 0; index < pixels.length; index += 1)
    pixels[index] = 0xff000000 + ((Math.imul(index % colours, 0x12345) + 0x010203) & 0xffffff);
  return { pixels, stride, x: 5, y: 2, width, height };
}

function rgbOf({ pixels, stride, x, y, width, height }: PixelArea): number[] {
  return Array.from(
    { length: width * height },
    (_, index) => pixels[(y + Math.floor(index / width)) * stride + x + (index % width)],
  ).flatMap((pixel) => [(pixel >>> 16) & 0xff, (pixel >>> 8) & 0xff, pixel & 0xff]);
}

describe('PNG', () => {
  it.each([1, 2, 3, 4, 5, 16, 17, 256])('of %i colours has a palette, and is exact', (colours) => {
    const area = areaOf(colours);
    const png = palettePng(area);
    expect(png?.[25]).toBe(3);
    expect([...decodePng(png ?? new Uint8Array()).rgb]).toEqual(rgbOf(area));
  });

  it('of more colours has no palette, and is exact', () => {
    const area = areaOf(257);
    expect(palettePng(area)).toBeUndefined();
    expect([...decodePng(trueColourPng(area)).rgb]).toEqual(rgbOf(area));
  });
});
