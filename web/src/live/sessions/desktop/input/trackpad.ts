import type { Size } from '../shown-size.js';
import type { Point } from './gestures.js';
import type { Place } from './pointer.js';

/** Way of the pointer for a pixel of the finger: less for a slow finger, which aims, more for a fast one. */
const SLOWEST = 0.7;
const FASTEST = 2.5;

/** The place of a pointer on a display that is shown in this size, after a finger has moved on a trackpad. */
export function nudged({ x, y }: Place, by: Point, ms: number, { width, height }: Size): Place {
  const speed = Math.hypot(by.x, by.y) / Math.max(1, ms);
  const gain = Math.min(FASTEST, SLOWEST + speed);
  const moved = (from: number, way: number, whole: number): number =>
    whole === 0 ? from : Math.min(1, Math.max(0, from + (way * gain) / whole));
  return { x: moved(x, by.x, width), y: moved(y, by.y, height) };
}
