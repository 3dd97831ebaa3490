import { inTurns, median, percentile } from '../harness/rounds.js';
import { DESKTOP_NEEDS, type DesktopBench } from './desktop-bench.js';
import { Desk } from './desk.js';
import type { DesktopPage } from './desktop-page.js';

const ROUNDS = 3;
const KEYS = 30;
/** Pauses between keys, in milliseconds: they differ, so that keys do not follow the beat of the pictures. */
const SHORTEST_PAUSE = 60;
const PAUSE_STEPS = 7;
const PAUSE_STEP = 11;

/** R1: time from a key in the page until its letter is on the page's canvas. */
export const keys: DesktopBench = {
  title: 'keys (R1)',
  needs: DESKTOP_NEEDS,
  measure: () =>
    Desk.play(async (desk) => {
      const { times } = await inTurns(ROUNDS, { times: () => desk.withDesktop((page) => typed(desk, page)) });
      const all = times.flat().sort((one, other) => one - other);
      const value = median(times.map(median));
      const finding = {
        goal: 'R1',
        what: 'key in the page to its letter on the canvas, the pixels compared',
        baseline: '',
        measured: `${value.toFixed(1)} ms, p95 ${percentile(all, 0.95).toFixed(0)} ms of ${all.length} keys`,
        value,
        unit: 'ms',
        better: 'lower',
        floor: 40,
        aim: 15,
        notes: [],
      } as const;
      return { findings: [finding] };
    }),
};

/** Types letters into a terminal without a cursor, and returns the time of each, in milliseconds. */
async function typed({ screen }: Desk, page: DesktopPage): Promise<number[]> {
  await page.watch();
  const terminal = screen.terminal(`printf '\\033[?25l'; exec cat > /dev/null`);
  try {
    await page.untilDrawn();
    await page.click();
    // The first letter wakes everything up.
    await page.press('a');
    const times: number[] = [];
    for (let key = 0; key < KEYS; key += 1) {
      await page.pause(SHORTEST_PAUSE + PAUSE_STEP * (key % PAUSE_STEPS));
      times.push(await page.press(String.fromCharCode(0x61 + (key % 26))));
    }
    return times;
  } finally {
    await screen.end(terminal);
  }
}
