import { median } from '../harness/rounds.js';
import { sizeOf } from './built-files.js';
import { FOUR_CORES, type Measurement, type WebBench } from './measurement.js';
import { LOADED_ROW, Stage, type Limits } from './stage.js';

const DEVICES = 100_000;
const RUNS = 7;
const MS_PER_S = 1000;

/** Notes when the page shows something, when it shows devices, and which tasks are long. Chromium reports a paint some time after it. */
const WATCH = `
  const marks = window.benchMarks = { paint: 0, rows: 0, longest: 0 };
  window.benchShown = new Promise((resolve) => {
    marks.note = () => { if (marks.paint !== 0 && marks.rows !== 0) resolve(); };
  });
  new PerformanceObserver((list) => {
    marks.paint = list.getEntriesByName('first-contentful-paint')[0]?.startTime ?? marks.paint;
    marks.note();
  }).observe({ type: 'paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) marks.longest = Math.max(marks.longest, duration);
  }).observe({ type: 'longtask', buffered: true });
  const observer = new MutationObserver(() => {
    if (marks.rows !== 0 || document.querySelector('${LOADED_ROW}') === null) return;
    observer.disconnect();
    // The frame after the one that draws them.
    requestAnimationFrame(() => setTimeout(() => {
      marks.rows = performance.now();
      marks.note();
    }));
  });
  observer.observe(document, { childList: true, subtree: true });`;

/** Reads the times that the page noted, and the scripts and styles that were asked for before the devices were there. */
const READ = `(() => {
  const { paint, rows, longest } = window.benchMarks;
  const files = performance.getEntriesByType('resource').filter(({ name, startTime }) => startTime < rows && /[.](?:js|css)$/.test(name));
  return { paint, rows, longest, files: files.map(({ name }) => new URL(name).pathname.slice(1)) };
})()`;

interface Load {
  readonly paint: number;
  readonly rows: number;
  readonly longest: number;
  /** Processor time of the page's thread, in milliseconds. */
  readonly busy: number;
  readonly files: readonly string[];
}

interface Line {
  readonly name: string;
  readonly limits: Limits;
  /** Seconds. */
  readonly paint: number;
  readonly rows: number;
}

const LINES: readonly Line[] = [
  { name: 'over a LAN', limits: {}, paint: 0.8, rows: 1.2 },
  { name: 'over 10 Mbit/s and 40 ms', limits: { megabitsPerSecond: 10, milliseconds: 40 }, paint: 1, rows: 1.5 },
  {
    name: 'over 10 Mbit/s and 40 ms, processor of the browser ÷ 4',
    limits: { megabitsPerSecond: 10, milliseconds: 40, processor: 4 },
    paint: 2,
    rows: 3,
  },
];

/** The first visit to the list of devices, with nothing cached. */
export const firstLoad: WebBench = {
  title: 'first load of the list of devices',
  measure: () =>
    Stage.play(DEVICES, async (stage) => {
      // The service compiles its code while it answers the first ones.
      for (let run = 0; run < 2; run += 1) await load(stage, {});
      const measurements: Measurement[] = [];
      for (const line of LINES) {
        const loads: Load[] = [];
        for (let run = 0; run < RUNS; run += 1) loads.push(await load(stage, line.limits));
        if (line === LINES[0]) measurements.push(...(await weightOf(loads)), ...workOf(loads));
        measurements.push(...timesOf(line, loads));
      }
      return measurements;
    }),
};

async function load(stage: Stage, limits: Limits): Promise<Load> {
  const { page, devTools, close } = await stage.open(limits, WATCH);
  try {
    await page.goto('/devices');
    await page.evaluate('window.benchShown');
    const { metrics } = await devTools.send('Performance.getMetrics');
    const busy = (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * MS_PER_S;
    return { ...(await page.evaluate<Omit<Load, 'busy'>>(READ)), busy };
  } finally {
    await close();
  }
}

/** The weight of what the first rows wait for. In some runs the hub connection is already under way, so the least counts. */
async function weightOf(loads: readonly Load[]): Promise<Measurement[]> {
  const [files] = loads.map((each) => each.files).sort((one, other) => one.length - other.length);
  const scripts = files.filter((file) => file.startsWith('assets/') && file.endsWith('.js'));
  const styles = files.filter((file) => file.endsWith('.css'));
  const what = 'first load of the list of devices';
  return [
    { what: `${what}: scripts`, value: await sizeOf(scripts, 'gz'), unit: 'kB', atMost: 140, more: `${scripts.length} files` },
    { what: `${what}: scripts, brotli`, value: await sizeOf(scripts, 'br'), unit: 'kB' },
    { what: `${what}: styles`, value: await sizeOf(styles, 'gz'), unit: 'kB', atMost: 12, more: `${styles.length} files` },
  ];
}

function workOf(loads: readonly Load[]): Measurement[] {
  return [
    { what: 'first load: processor time of the main thread', value: median(loads.map(({ busy }) => busy)), unit: 'ms', atMost: 350 },
    {
      what: 'first load: longest task',
      value: median(loads.map(({ longest }) => longest)),
      unit: 'ms',
      atMost: 150,
      notes: [FOUR_CORES],
    },
  ];
}

function timesOf({ name, paint, rows }: Line, loads: readonly Load[]): Measurement[] {
  const seconds = (time: (each: Load) => number): number => median(loads.map(time)) / MS_PER_S;
  const notes = [FOUR_CORES];
  return [
    { what: `first load ${name}: first paint`, value: seconds((each) => each.paint), unit: 's', atMost: paint, notes },
    {
      what: `first load ${name}: first rows of ${DEVICES.toLocaleString('en-US')} devices`,
      value: seconds((each) => each.rows),
      unit: 's',
      atMost: rows,
      notes,
    },
  ];
}
