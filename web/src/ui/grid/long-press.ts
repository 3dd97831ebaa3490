import { type PointerEvent, useEffect, useState } from 'react';

/** A finger that rests so long means the row, not its contents. */
const RESTS_MS = 500;
/** A finger that moves further, in pixels, scrolls. */
const STILL_PX = 10;

const swallow = (event: Event): void => {
  event.preventDefault();
  event.stopPropagation();
};

/** Ignores the click on the element below the finger when it leaves: the choice of a row may have moved something else there. */
function ignoreItsClick(): void {
  addEventListener('click', swallow, { capture: true, once: true });
  addEventListener('pointerdown', () => removeEventListener('click', swallow, { capture: true }), { capture: true, once: true });
}

/** Follows a finger, and calls when it rests. A mouse has a second button instead. */
class LongPress {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private from = { x: 0, y: 0 };
  private isLong = false;

  /** The pointer goes up, or means something else. */
  readonly end = (): void => clearTimeout(this.timer);

  /** True if a menu that comes now belongs to a long press: some browsers open one when a finger rests. */
  isPart(): boolean {
    return this.isLong;
  }

  /** A pointer goes down. `onPress` is called if it is a finger and rests. */
  down({ pointerType, clientX: x, clientY: y }: PointerEvent, onPress: () => void): void {
    this.end();
    this.isLong = false;
    if (pointerType !== 'touch') return;
    this.from = { x, y };
    this.timer = setTimeout(() => {
      this.isLong = true;
      ignoreItsClick();
      onPress();
    }, RESTS_MS);
  }

  /** The pointer moves. */
  move({ clientX, clientY }: PointerEvent): void {
    if (Math.hypot(clientX - this.from.x, clientY - this.from.y) > STILL_PX) this.end();
  }
}

/** Long presses on the rows of a component, which ends them when it goes. */
export function useLongPress(): LongPress {
  const [longPress] = useState(() => new LongPress());
  useEffect(() => longPress.end, [longPress]);
  return longPress;
}
