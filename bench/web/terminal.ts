import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import type { CDPSession, Page } from 'playwright-core';

import { deviceIdOf } from '../harness/database.js';
import { ReferenceAgent } from '../harness/reference-agent.js';
import { median, percentile } from '../harness/rounds.js';
import { heldBytes } from './memory.js';
import type { Measurement, WebBench } from './measurement.js';
import { Stage, type OpenPage } from './stage.js';

const DEVICE_ID = deviceIdOf(0);
const RUNS = 5;
/** `seq` to here prints about three megabytes. */
const LAST_NUMBER = 450_000;
const KEYS = 60;
const KEY_PAUSE_MS = 60;
const TERMINALS = 3;
/** Number of lines above the 10,000 that a terminal keeps. */
const FILLING = 12_000;
const BYTES_PER_MB = 1e6;
/** A page is idle that takes at most this share of a processor for so long. A cursor that blinks takes less. */
const IDLE_SHARE = 0.1;
const IDLE_MS = 300;
/** Time-out, in milliseconds: longer than any command here takes. Output that is lost on the way never comes. */
const TIMEOUT_MS = 120_000;

/** Notes keys, and the output of devices, as it comes through the page's sockets. */
const WATCH_SOCKETS = `
  const watch = window.benchTerminal = { keyAt: 0, echoes: [], text: '', marker: '', heard: () => undefined };
  window.benchUntil = (marker) => {
    watch.marker = marker;
    watch.arrival = new Promise((resolve, reject) => {
      watch.heard = resolve;
      setTimeout(() => reject(new Error('The terminal did not print ' + marker + ' within ${TIMEOUT_MS} ms.')), ${TIMEOUT_MS});
    });
  };
  addEventListener('keydown', () => { watch.keyAt = performance.now(); }, { capture: true });
  const hear = ({ data }) => {
    if (typeof data !== 'string' || !data.includes('ReceiveTerminalOutput')) return;
    const now = performance.now();
    if (watch.keyAt !== 0) watch.echoes.push(now - watch.keyAt);
    watch.keyAt = 0;
    watch.text = (watch.text + data).slice(-200);
    if (watch.marker !== '' && (watch.text.includes(watch.marker) || data.includes(watch.marker))) watch.heard(now);
  };
  window.WebSocket = class extends WebSocket {
    constructor(...args) {
      super(...args);
      this.addEventListener('message', hear);
    }
  };`;

/** Without WebGL a terminal is drawn with elements, whose text can be read. */
const WITHOUT_WEBGL = `
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
    return kind.startsWith('webgl') ? null : getContext.call(this, kind, ...more);
  };`;

/** Speed and memory of a terminal, through the reference agent, the service, the hub and the page. */
export const terminal: WebBench = {
  title: 'terminals',
  measure: () =>
    Stage.play(1, async (stage) => {
      const folder = await mkdtemp(join(tmpdir(), 'bench-terminal-'));
      try {
        const agent = await ReferenceAgent.start(stage.service, stage.fleet, DEVICE_ID, folder);
        try {
          return [
            ...(await withTerminal(stage, WITHOUT_WEBGL, (opened) => measureElements(opened))),
            ...(await withTerminal(stage, '', (opened) => measureCanvas(opened))),
          ];
        } finally {
          await agent.stop();
        }
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    }),
};

/** Opens a terminal of the device, and waits for its prompt. */
async function withTerminal<T>(stage: Stage, script: string, act: (opened: OpenPage) => Promise<T>): Promise<T> {
  const opened = await stage.open({}, `${WATCH_SOCKETS}${script}`);
  try {
    const { page } = opened;
    page.on('dialog', (dialog) => void dialog.accept());
    await page.goto(`/devices/${DEVICE_ID}/terminal`);
    await untilReady(page);
    return await act(opened);
  } finally {
    await opened.close();
  }
}

/** Waits for a shell that answers. */
async function untilReady(page: Page): Promise<void> {
  await page.getByText(/^\d+×\d+$/).waitFor();
  await run(page, 'PS1="$ "', 'ready');
}

/** Types a line and waits until its last output has reached the page. Returns the time from Enter, in milliseconds. */
async function run(page: Page, line: string, name: string): Promise<number> {
  await page.locator('.xterm-helper-textarea:visible, .xterm-helper-textarea').last().focus();
  // The typed text differs from the printed one.
  await page.keyboard.type(`${line}; echo ${name}-$((40+2))`);
  await page.evaluate(`window.benchUntil('${name}-42')`);
  const begin = await page.evaluate<number>('performance.now()');
  await page.keyboard.press('Enter');
  return (await page.evaluate<number>('window.benchTerminal.arrival')) - begin;
}

/** Waits until the page has drawn the rest of an earlier run: it has more of it than it has drawn. */
async function untilIdle(devTools: CDPSession): Promise<void> {
  for (let before = Number.NEGATIVE_INFINITY; ; await setTimeout(IDLE_MS)) {
    const { metrics } = await devTools.send('Performance.getMetrics');
    const busy = metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
    if (busy - before < IDLE_SHARE * (IDLE_MS / 1000)) return;
    before = busy;
  }
}

/** The renderer that every browser has: what is drawn can be read. */
async function measureElements({ page }: OpenPage): Promise<Measurement[]> {
  const drawn: number[] = [];
  for (let time = 0; time < RUNS; time += 1) {
    const begin = performance.now();
    await run(page, `seq ${LAST_NUMBER}`, `drawn${time}`);
    await page.locator('.xterm-rows', { hasText: `drawn${time}-42` }).waitFor();
    drawn.push(performance.now() - begin);
  }
  return [{ what: `terminal, 3 MB of \`seq\` until they are drawn with elements`, value: rateOf(drawn), unit: 'MB/s' }];
}

async function measureCanvas({ page, devTools }: OpenPage): Promise<Measurement[]> {
  const echoes = await measureEchoes(page);
  const arrived: number[] = [];
  for (let time = 0; time < RUNS; time += 1) {
    await untilIdle(devTools);
    arrived.push(await run(page, `seq ${LAST_NUMBER}`, `arrived${time}`));
  }
  const sorted = [...echoes].sort((a, b) => a - b);
  return [
    {
      what: 'terminal, 3 MB of `seq` until the page has them',
      value: rateOf(arrived),
      unit: 'MB/s',
      atLeast: 5,
      notes: ['the budget is for a machine with a graphics card'],
    },
    {
      what: 'terminal, echo of a key',
      value: percentile(sorted, 0.5),
      unit: 'ms',
      atMost: 10,
      more: `p95 ${percentile(sorted, 0.95).toFixed(0)} ms`,
    },
    { what: 'terminal with 10,000 lines: memory', value: (await bytesOfTerminal(page, devTools)) / BYTES_PER_MB, unit: 'MB', atMost: 25 },
  ];
}

/** Times from a key to the first output after it, in milliseconds. */
async function measureEchoes(page: Page): Promise<number[]> {
  await page.evaluate('window.benchTerminal.echoes = []');
  for (let key = 0; key < KEYS; key += 1) {
    await page.keyboard.press('x');
    await page.waitForTimeout(KEY_PAUSE_MS);
  }
  const echoes = await page.evaluate<number[]>('window.benchTerminal.echoes');
  if (echoes.length < KEYS / 2) throw new Error(`Only ${echoes.length} of ${KEYS} keys were answered.`);
  await page.keyboard.press('Control+u');
  return echoes;
}

/** Returns the bytes that one more terminal with all its lines adds to the page's memory. */
async function bytesOfTerminal(page: Page, devTools: OpenPage['devTools']): Promise<number> {
  const before = await heldBytes(devTools);
  for (let number = 0; number < TERMINALS; number += 1) {
    await page.getByRole('button', { name: 'New terminal' }).click();
    // The one that is there besides those that were opened here.
    await page
      .getByRole('group', { name: 'Terminals' })
      .locator(`button[aria-pressed="true"]:nth-of-type(${number + 2})`)
      .waitFor();
    await untilReady(page);
    await run(page, `seq ${FILLING}`, `filled${number}`);
  }
  return ((await heldBytes(devTools)) - before) / TERMINALS;
}

const rateOf = (milliseconds: readonly number[]): number =>
  median(milliseconds.map((time) => sizeOfSequence / BYTES_PER_MB / (time / 1000)));

/** Bytes that `seq` prints up to the last number: each number and a line end, which the terminal makes two characters. */
const sizeOfSequence = Array.from({ length: LAST_NUMBER }, (_, index) => String(index + 1).length + 2).reduce((sum, size) => sum + size, 0);
