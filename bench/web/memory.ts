import type { CDPSession, Page } from 'playwright-core';

import type { Measurement, WebBench } from './measurement.js';
import { LOADED_ROW, openDevices, Stage } from './stage.js';

const DEVICES = 100_000;
const ROW_HEIGHT = 40;
const STEP = 4_000;
const JUMPS = 30;
const BYTES_PER_MB = 1e6;

const SCROLLER = `document.querySelector('[role="grid"]')`;

/** Moves down the whole list, a step each frame. */
const ALL_THE_WAY = `new Promise((resolve) => {
  const scroller = ${SCROLLER};
  const move = () => {
    if (scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 1) return resolve();
    scroller.scrollTop += ${STEP};
    requestAnimationFrame(move);
  };
  move();
})`;

/** Returns the bytes that a page holds in memory once nothing is left to be collected. */
export async function heldBytes(devTools: CDPSession): Promise<number> {
  await devTools.send('HeapProfiler.collectGarbage');
  const { usedSize, backingStorageSize } = await devTools.send('Runtime.getHeapUsage');
  return usedSize + (backingStorageSize ?? 0);
}

/** Memory that a list leaves behind after it was looked at from end to end. */
export const memory: WebBench = {
  title: 'memory of the list of devices',
  measure: () =>
    Stage.play(DEVICES, async (stage): Promise<Measurement[]> => {
      const { page, devTools, close } = await openDevices(stage);
      try {
        const before = await heldBytes(devTools);
        await page.evaluate(ALL_THE_WAY);
        for (let jump = 1; jump <= JUMPS; jump += 1) await jumpTo(page, (jump * 0.618) % 1);
        const after = await heldBytes(devTools);
        const { nodes } = await devTools.send('Memory.getDOMCounters');
        const what = `list of ${DEVICES.toLocaleString('en-US')} devices after ${(DEVICES * ROW_HEIGHT).toLocaleString('en-US')} px and ${JUMPS} jumps`;
        const more = `${(before / BYTES_PER_MB).toFixed(1)} MB before`;
        return [
          { what: `${what}: heap`, value: after / BYTES_PER_MB, unit: 'MB', atMost: 30, more },
          { what: `${what}: nodes of the document`, value: nodes, unit: '', atMost: 3000 },
        ];
      } finally {
        await close();
      }
    }),
};

/** Jumps to a place in the list, and waits until its devices are there. */
async function jumpTo(page: Page, share: number): Promise<void> {
  await page.evaluate(`${SCROLLER}.scrollTop = Math.round(${share} * (${SCROLLER}.scrollHeight - ${SCROLLER}.clientHeight))`);
  await page.evaluate(`new Promise((resolve) => {
    const look = () => (isThere() ? resolve() : requestAnimationFrame(look));
    const isThere = () => {
    const { top, bottom } = ${SCROLLER}.getBoundingClientRect();
    const rows = [...document.querySelectorAll('[role="rowgroup"] [role="row"]')].filter((row) => {
      const box = row.getBoundingClientRect();
      return box.bottom > top && box.top < bottom;
    });
    return rows.length > 0 && rows.every((row) => row.matches('${LOADED_ROW}'));
    };
    look();
  })`);
}
