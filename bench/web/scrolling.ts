import { median } from '../harness/rounds.js';
import { FOUR_CORES, type Measurement, type WebBench } from './measurement.js';
import { openDevices, Stage, type OpenPage } from './stage.js';

const FLEETS = [1_000, 10_000, 100_000] as const;
const RUNS = 3;
const SLOW = { speed: 1_500, distance: 6_000 };
const FAST = { speed: 8_000, distance: 24_000 };
const DRAG_STEPS = 120;
/** Half the width of a scroll bar, and where its thumb is when the list is at its top: below the arrow. */
const BAR = { fromEdge: 7, fromTop: 24 };
/** The list loads what it shows once it stands still. */
const SEARCH_PATH = '/devices/search';

const SCROLLER = `document.querySelector('[role="grid"]')`;

/** Notes the time of each frame, and checks that rows cover the visible part of the list. */
const WATCH_FRAMES = `(() => {
  const scroller = ${SCROLLER};
  const height = Number.parseFloat(getComputedStyle(scroller.parentElement).getPropertyValue('--row-height'));
  const head = scroller.querySelector('[role="row"]').offsetHeight;
  const body = scroller.querySelector('[role="rowgroup"]');
  const watch = window.benchFrames = { on: true, lengths: [], uncovered: 0, last: 0 };
  const look = (now) => {
    if (!watch.on) return;
    if (watch.last !== 0) watch.lengths.push(now - watch.last);
    watch.last = now;
    const top = Math.max(0, scroller.scrollTop);
    const bottom = Math.min(scroller.scrollTop + scroller.clientHeight - head, body.offsetHeight);
    const first = Number(body.firstElementChild.dataset.index) * height;
    const last = (Number(body.lastElementChild.dataset.index) + 1) * height;
    if (first > top || last < bottom) watch.uncovered += 1;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()`;
const READ_FRAMES = `(() => {
  const { lengths, uncovered } = window.benchFrames;
  window.benchFrames.on = false;
  return { lengths, uncovered, top: ${SCROLLER}.scrollTop };
})()`;
const BACK_TO_TOP = `new Promise((resolve) => {
  ${SCROLLER}.scrollTop = 0;
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 300)));
})`;

interface Frames {
  readonly lengths: readonly number[];
  readonly uncovered: number;
  /** Position of the list at the end, in pixels. */
  readonly top: number;
}

interface Ride extends Frames {
  /** The most searches that were under way at once. */
  readonly searches: number;
}

/** Scrolling of the list of devices: at a reading speed, fast, and by its bar. */
export const scrolling: WebBench = {
  title: 'scrolling the list of devices',
  async measure() {
    const measurements: Measurement[] = [];
    for (const devices of FLEETS) measurements.push(...(await Stage.play(devices, (stage) => measureFleet(stage, devices))));
    return measurements;
  },
};

async function measureFleet(stage: Stage, devices: number): Promise<Measurement[]> {
  const opened = await openDevices(stage);
  try {
    const slow = await rides(opened, () => wheel(opened, SLOW));
    const fast = await rides(opened, () => wheel(opened, FAST));
    const dragged = await rides(opened, () => drag(opened));
    const of = `of ${devices.toLocaleString('en-US')} devices`;
    return [
      ...framesOf(`wheel at 1,500 px/s over the list ${of}`, slow, 0),
      ...framesOf(`wheel at 8,000 px/s over the list ${of}`, fast),
      ...framesOf(`bar of the list ${of}, dragged from top to bottom`, dragged),
      {
        what: `bar of the list ${of}, dragged: searches under way at once`,
        value: Math.max(...dragged.map(({ searches }) => searches)),
        unit: '',
        atMost: 2,
      },
    ];
  } finally {
    await opened.close();
  }
}

/** Runs a movement several times, each from the top of the list. The first one warms up. */
async function rides({ page }: OpenPage, move: () => Promise<void>): Promise<Ride[]> {
  const results: Ride[] = [];
  for (let run = 0; run <= RUNS; run += 1) {
    await page.evaluate(BACK_TO_TOP);
    const underWay = { now: 0, most: 0 };
    const begin = (request: { url(): string }): void => {
      if (!request.url().includes(SEARCH_PATH)) return;
      underWay.now += 1;
      underWay.most = Math.max(underWay.most, underWay.now);
    };
    const end = (request: { url(): string }): void => {
      if (request.url().includes(SEARCH_PATH)) underWay.now -= 1;
    };
    page.on('request', begin).on('requestfinished', end).on('requestfailed', end);
    await page.evaluate(WATCH_FRAMES);
    await move();
    const frames = await page.evaluate<Frames>(READ_FRAMES);
    page.off('request', begin).off('requestfinished', end).off('requestfailed', end);
    if (frames.top === 0) throw new Error('The list did not move.');
    if (run > 0) results.push({ ...frames, searches: underWay.most });
  }
  return results;
}

/** Turns the wheel as the browser's own gesture, at a steady speed in pixels per second. */
async function wheel(
  { page, devTools }: OpenPage,
  { speed, distance }: { readonly speed: number; readonly distance: number },
): Promise<void> {
  const { x, y } = await middle(page);
  await devTools.send('Input.synthesizeScrollGesture', {
    x,
    y,
    yDistance: -distance,
    speed,
    gestureSourceType: 'mouse',
    preventFling: true,
  });
}

/** Drags the thumb of the scroll bar from the top to the bottom. */
async function drag({ page }: OpenPage): Promise<void> {
  const { left, top, right, bottom } = await boxOf(page);
  if (right - left < 100) throw new Error('The list is too narrow to have a scroll bar.');
  const x = right - BAR.fromEdge;
  await page.mouse.move(x, top + BAR.fromTop);
  await page.mouse.down();
  await page.mouse.move(x, bottom - BAR.fromTop, { steps: DRAG_STEPS });
  await page.mouse.up();
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

function boxOf(page: OpenPage['page']): Promise<Box> {
  return page.evaluate<Box>(`(() => {
    const { left, top, right, bottom } = ${SCROLLER}.getBoundingClientRect();
    return { left, top, right, bottom };
  })()`);
}

async function middle(page: OpenPage['page']): Promise<{ x: number; y: number }> {
  const { left, top, right, bottom } = await boxOf(page);
  return { x: Math.round((left + right) / 2), y: Math.round((top + bottom) / 2) };
}

function framesOf(what: string, results: readonly Ride[], mostUncovered?: number): Measurement[] {
  const p95 = median(results.map(({ lengths }) => [...lengths].sort((a, b) => a - b)[Math.floor(lengths.length * 0.95)]));
  const shares = results.map(({ uncovered, lengths }) => (100 * uncovered) / Math.max(1, lengths.length));
  return [
    {
      what: `${what}: length of a frame, p95`,
      value: p95,
      unit: 'ms',
      ...(mostUncovered === undefined ? {} : { atMost: 20, notes: [FOUR_CORES] }),
    },
    { what: `${what}: frames that rows do not cover`, value: median(shares), unit: '%', atMost: mostUncovered },
  ];
}
