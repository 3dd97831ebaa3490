import { median } from '../harness/rounds.js';
import { DESKTOP_NEEDS, type DesktopBench } from './desktop-bench.js';
import { Desk } from './desk.js';

const RUNS = 7;

/** R6: time from the click to the first picture. */
export const opening: DesktopBench = {
  title: 'first picture (R6)',
  needs: DESKTOP_NEEDS,
  measure: () =>
    Desk.play(async (desk) => {
      const terminal = desk.screen.terminal('exec ls -lR /usr/share', '-hold');
      try {
        const open = (): Promise<number> => desk.withDesktop(async (page) => page.firstPicture / 1000);
        // Service and agent load code for the first one.
        const first = await open();
        const times: number[] = [];
        for (let run = 0; run < RUNS; run += 1) times.push(await open());
        const value = median(times);
        const finding = {
          goal: 'R6',
          what: 'click to the first picture',
          baseline: '',
          measured: `${value.toFixed(2)} s, at most ${Math.max(...times).toFixed(2)} s, the very first ${first.toFixed(2)} s`,
          value,
          unit: 's',
          better: 'lower',
          floor: 1.5,
          aim: 0.5,
          notes: [],
        } as const;
        return { findings: [finding] };
      } finally {
        await desk.screen.end(terminal);
      }
    }),
};
