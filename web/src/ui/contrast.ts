/*
 * Contrast as WCAG 2.2 defines it.
 */

export type Colour = readonly [red: number, green: number, blue: number];

/** A colour from `#rrggbb`. */
export function colour(hex: string): Colour {
  const [red, green, blue] = [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16));
  return [red, green, blue];
}

/** From 1, for the same colour, to 21, for black and white. */
export function contrast(one: Colour, other: Colour): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colours: Colour): number {
  const [red, green, blue] = colours.map((channel) => {
    const share = channel / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
