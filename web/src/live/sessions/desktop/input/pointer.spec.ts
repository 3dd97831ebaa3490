import { describe, expect, it } from 'vitest';

import type { ViewerMessage } from '../worker/messages.js';
import { Buttons, placeOn, wheelAt } from './pointer.js';

describe('a pointer', () => {
  const shown = { left: 100, top: 50, width: 200, height: 100 };

  it('has its place on the display, and at its edge beside it', () => {
    expect(placeOn(shown, { clientX: 150, clientY: 100 })).toEqual({ x: 0.25, y: 0.5 });
    expect(placeOn(shown, { clientX: 0, clientY: 900 })).toEqual({ x: 0, y: 1 });
    expect(placeOn({ ...shown, width: 0 }, { clientX: 150, clientY: 100 }).x).toBe(0);
  });

  it('scrolls up where the wheel says down, by pixels, lines and pages', () => {
    const scrolled = (deltaY: number, deltaMode: number): unknown => wheelAt({ x: 0, y: 1 }, { deltaX: 0, deltaY, deltaMode }).value;
    expect(scrolled(120, 0)).toEqual({ normalizedX: 0, normalizedY: 1, scrollX: 0, scrollY: -120 });
    expect(scrolled(-3, 1)).toMatchObject({ scrollY: 120 });
    expect(scrolled(0, 2)).toMatchObject({ scrollY: 0 });
  });

  it('releases what it has pressed, where it was last', () => {
    const sent: ViewerMessage[] = [];
    const buttons = new Buttons((message) => sent.push(message));
    buttons.release(0, { x: 0, y: 0 });
    buttons.press(2, { x: 0.5, y: 0.25 });
    buttons.releaseAll();
    buttons.releaseAll();
    expect(sent.map(({ value }) => value)).toEqual([
      { button: 2, isPressed: true, normalizedX: 0.5, normalizedY: 0.25 },
      { button: 2, isPressed: false, normalizedX: 0.5, normalizedY: 0.25 },
    ]);
  });
});
