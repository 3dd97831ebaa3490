import type { ExpectStatic } from 'vitest';

import type { Window } from './front-end.js';
import type { Stop } from './page-checks.js';

/** More stops than any page has. */
const MOST_STOPS = 400;

/** The Tab key reaches every control of a page, shows where it is, and comes around to where it began. */
export async function expectWayAround(window: Window, expect: ExpectStatic): Promise<void> {
  const passed = await goAround(window, expect);
  const missing = async (): Promise<string[]> =>
    (await window.check.stops()).filter(({ number }) => !passed.has(number)).map(({ name }) => name);
  // Some are there only once the focus has been somewhere behind them: the next round comes by them.
  if ((await missing()).length > 0) for (const [number, stop] of await goAround(window, expect)) passed.set(number, stop);
  expect.soft(await missing(), 'not reached').toEqual([]);
  const unmarked = [...passed.values()].filter(({ isMarked }) => !isMarked).map(({ name }) => name);
  expect.soft(unmarked, 'not seen to have the focus').toEqual([]);
}

/** Presses Tab until the focus is where it was first, and returns what it passed. */
async function goAround(window: Window, expect: ExpectStatic): Promise<Map<number, Stop>> {
  const passed = new Map<number, Stop>();
  for (let presses = 0; presses < MOST_STOPS; presses += 1) {
    await window.page.keyboard.press('Tab');
    const stop = await window.check.focus();
    if (stop === null) continue;
    if (passed.has(stop.number)) {
      expect.soft(stop.number, `Tab leads from ${[...passed.values()].at(-1)?.name} back to`).toBe([...passed.keys()][0]);
      return passed;
    }
    passed.set(stop.number, stop);
  }
  expect.unreachable(`Tab did not come around within ${MOST_STOPS} stops`);
  return passed;
}
