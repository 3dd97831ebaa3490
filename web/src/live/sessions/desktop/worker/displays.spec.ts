import { describe, expect, it } from 'vitest';

import { canBeDrawn, shownOf } from './displays.js';

const display = (displayId: string, isPrimary: boolean, width = 1920) => ({
  displayId,
  isPrimary,
  capturePixelSize: { width, height: 1080 },
  index: 0,
  layoutBounds: { x: 0, y: 0, width, height: 1080 },
  layoutCoordinateSpace: 0 as const,
  name: displayId,
  nativePixelSize: null,
});

describe('the shown display', () => {
  const displays = [display('a', false), display('b', true)];

  it('is the wanted one, else the primary one, else the first', () => {
    expect(shownOf(displays, 'a')?.displayId).toBe('a');
    expect(shownOf(displays, 'gone')?.displayId).toBe('b');
    expect(shownOf(displays.slice(0, 1), null)?.displayId).toBe('a');
    expect(shownOf([], 'a')).toBeNull();
  });

  it('has a size that can be drawn', () => {
    expect(canBeDrawn(display('8k', true, 7680))).toBe(true);
    expect(canBeDrawn(display('none', true, 0))).toBe(false);
    expect(canBeDrawn(display('huge', true, 20_000))).toBe(false);
  });
});
