import type { ViewerMessage } from '../worker/messages.js';

/** A place on the display, from 0 to 1. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Pixels of a wheel that turns by lines or by pages. */
const WHEEL_UNITS = [1, 40, 800] as const;

/** The place of a pointer on a shown display. Beside it is its edge. */
export function placeOn(
  { left, top, width, height }: Pick<DOMRect, 'left' | 'top' | 'width' | 'height'>,
  { clientX, clientY }: Pick<MouseEvent, 'clientX' | 'clientY'>,
): Place {
  const share = (distance: number, whole: number): number => (whole === 0 ? 0 : Math.min(1, Math.max(0, distance / whole)));
  return { x: share(clientX - left, width), y: share(clientY - top, height) };
}

/** The message of a turned wheel. */
export function wheelAt(
  { x, y }: Place,
  { deltaX, deltaY, deltaMode }: Pick<WheelEvent, 'deltaX' | 'deltaY' | 'deltaMode'>,
): ViewerMessage {
  const unit = WHEEL_UNITS[deltaMode] ?? 1;
  // Without the zero that has a sign.
  return {
    name: 'WheelScroll',
    value: { normalizedX: x, normalizedY: y, scrollY: 0 - deltaY * unit, scrollX: deltaX * unit },
  };
}

/** The buttons that are down on the device. */
export class Buttons {
  private readonly down = new Set<number>();
  private last: Place = { x: 0, y: 0 };

  constructor(private readonly send: (message: ViewerMessage) => void) {}

  press(button: number, place: Place): void {
    this.down.add(button);
    this.tell(button, true, place);
  }

  /** Releases a button; one that was pressed elsewhere is no matter of the device. */
  release(button: number, place: Place): void {
    if (this.down.delete(button)) this.tell(button, false, place);
  }

  releaseAll(): void {
    for (const button of this.down) this.tell(button, false, this.last);
    this.down.clear();
  }

  private tell(button: number, isPressed: boolean, place: Place): void {
    this.last = place;
    this.send({ name: 'MouseButtonEvent', value: { button, isPressed, normalizedX: place.x, normalizedY: place.y } });
  }
}
