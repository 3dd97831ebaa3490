import { describe, expect, it } from 'vitest';

import { roomFor } from './room.js';

/** The content of a line of this width. */
function shownIn(width: number, text: string, names: readonly string[]): string[] {
  const { tags, more } = roomFor(text, names);
  return [
    ...tags.filter(({ from }) => width >= from).map(({ name }) => name),
    ...more.filter(({ from, to }) => width >= from && width < to).map(({ count }) => `+${count}`),
  ];
}

describe('the tags behind a text', () => {
  const names = ['server', 'critical', 'backup', 'lab'];

  it('are shown as far as there is room, and the others are counted', () => {
    expect(shownIn(1000, 'srv-01', names)).toEqual(['server', 'critical', 'backup', '+1']);
    expect(shownIn(230, 'srv-01', names)).toEqual(['server', 'critical', '+2']);
    expect(shownIn(150, 'srv-01', names)).toEqual(['server', '+3']);
    expect(shownIn(80, 'srv-01', names)).toEqual(['+4']);
  });

  it('are all shown without a number if they have room', () => {
    expect(shownIn(400, 'srv-01', names.slice(0, 2))).toEqual(['server', 'critical']);
    expect(shownIn(110, 'srv-01', names.slice(0, 1))).toEqual(['server']);
  });

  it('leave a long text its room', () => {
    expect(shownIn(240, 'workstation-accounting-1', names)).toEqual(['+4']);
  });

  it('have exactly one number in every line that does not show them all', () => {
    for (let width = 0; width < 600; width += 1) {
      const numbers = shownIn(width, 'front-desk-01', names).filter((each) => each.startsWith('+'));
      expect(numbers).toHaveLength(1);
    }
  });

  it('take no room if there are none', () => {
    expect(roomFor('srv-01', [])).toEqual({ tags: [], more: [] });
  });
});
