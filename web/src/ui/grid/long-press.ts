import { type PointerEvent, useEffect, useRef } from 'react';

/** A finger that rests so long means the row, not what is in it. */
const RESTS_MS = 500;
/** A finger that moves further, in pixels, scrolls. */
const STILL_PX = 10;

interface LongPress {
  /** For the element that is pressed. */
  readonly handlers: (onPress: () => void) => {
    readonly onPointerDown: (event: PointerEvent) => void;
    readonly onPointerMove: (event: PointerEvent) => void;
    readonly onPointerUp: () => void;
    readonly onPointerCancel: () => void;
  };
  /** Whether a menu that comes now belongs to a long press: some browsers open one when a finger rests. */
  readonly isPart: () => boolean;
}

const swallow = (event: Event): void => {
  event.preventDefault();
  event.stopPropagation();
};

/** What lies below the finger when it leaves is not meant: the choice of a row may have moved something else there. */
function ignoreItsClick(): void {
  addEventListener('click', swallow, { capture: true, once: true });
  addEventListener('pointerdown', () => removeEventListener('click', swallow, { capture: true }), { capture: true, once: true });
}

/** Long presses by a finger. A mouse has a second button instead. */
export function useLongPress(): LongPress {
  const press = useRef<{ timer: ReturnType<typeof setTimeout> | undefined; x: number; y: number; isLong: boolean }>({
    timer: undefined,
    x: 0,
    y: 0,
    isLong: false,
  });
  useEffect(() => () => clearTimeout(press.current.timer), []);
  const end = (): void => clearTimeout(press.current.timer);
  return {
    handlers: (onPress) => ({
      onPointerDown({ pointerType, clientX: x, clientY: y }) {
        end();
        if (pointerType !== 'touch') return void (press.current.isLong = false);
        const timer = setTimeout(() => {
          press.current.isLong = true;
          ignoreItsClick();
          onPress();
        }, RESTS_MS);
        press.current = { timer, x, y, isLong: false };
      },
      onPointerMove({ clientX, clientY }) {
        if (Math.hypot(clientX - press.current.x, clientY - press.current.y) > STILL_PX) end();
      },
      onPointerUp: end,
      onPointerCancel: end,
    }),
    isPart: () => press.current.isLong,
  };
}
