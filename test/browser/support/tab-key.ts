import type { ExpectStatic } from 'vitest';

import type { Window } from './front-end.js';
import type { Stop } from './page-checks.js';

/** Limit above the number of any page's stops. */
const MOST_STOPS = 400;

/** Stops by their numbers, in the order in which the Tab key passed them. */
type Way = Map<number, Stop>;

/** The Tab key reaches every control of a page and around it, shows where it is, and comes around to where it began. */
export function expectWayAround(window: Window, expect: ExpectStatic): Promise<void> {
  return expectWay(
    expect,
    () => goAround(window, expect),
    () => window.check.stops(),
  );
}

/** The Tab key goes through every control of a page, from the bar and the navigation that are around all pages, and shows where it is. */
export function expectWayThrough(window: Window, expect: ExpectStatic): Promise<void> {
  return expectWay(
    expect,
    () => goThrough(window, expect),
    async () => (await window.check.stops()).filter(({ isInMain }) => isInMain),
  );
}

/** A way passes all stops, and each is seen to have the focus. */
async function expectWay(expect: ExpectStatic, go: () => Promise<Way>, stops: () => Promise<Stop[]>): Promise<void> {
  const passed = await go();
  const missing = async (): Promise<string[]> => (await stops()).filter(({ number }) => !passed.has(number)).map(({ name }) => name);
  // Some are there only once the focus has been somewhere behind them: the next round comes by them.
  if ((await missing()).length > 0) for (const [number, stop] of await go()) passed.set(number, stop);
  expect.soft(await missing(), 'not reached').toEqual([]);
  const unmarked = [...passed.values()].filter(({ isMarked }) => !isMarked).map(({ name }) => name);
  expect.soft(unmarked, 'not seen to have the focus').toEqual([]);
}

/** Presses Tab until the focus is where it was first, and returns the elements that it passed. */
async function goAround(window: Window, expect: ExpectStatic): Promise<Way> {
  const passed: Way = new Map();
  for (let presses = 0; presses < MOST_STOPS; presses += 1) {
    const stop = await pressTab(window);
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

/** Presses Tab until the focus has left the page, and returns the elements that it passed there. */
async function goThrough(window: Window, expect: ExpectStatic): Promise<Way> {
  const passed: Way = new Map();
  await window.check.focusBeforeMain();
  for (let presses = 0; presses < MOST_STOPS; presses += 1) {
    const stop = await pressTab(window);
    if (stop?.isInMain !== true) return passed;
    passed.set(stop.number, stop);
  }
  expect.unreachable(`Tab did not leave the page within ${MOST_STOPS} stops`);
  return passed;
}

async function pressTab(window: Window): Promise<Stop | null> {
  await window.page.keyboard.press('Tab');
  return window.check.focus();
}
