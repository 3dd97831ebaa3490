import type { Display } from '#libs/desktop-stream';

/** Longest side of a display in pixels: browsers draw nothing larger. */
const LONGEST_SIDE = 16_384;

/** The display to show: the wanted one if it is there, else the primary one, else the first. Null if the device has none. */
export function shownOf(displays: readonly Display[], wanted: string | null): Display | null {
  return displays.find(({ displayId }) => displayId === wanted) ?? displays.find(({ isPrimary }) => isPrimary) ?? displays.at(0) ?? null;
}

/** True if a display can be drawn here. */
export const canBeDrawn = ({ capturePixelSize: { width, height } }: Display): boolean =>
  width >= 1 && height >= 1 && width <= LONGEST_SIDE && height <= LONGEST_SIDE;
