import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { RepeatableGoal } from '../goals/repeatable.js';
import type { Finding } from '../harness/finding.js';
import { Scene } from '../harness/scene.js';
import { makeDataDirectory, removeDataDirectory } from '../harness/service.js';
import { costOf, pairsOf, ratioOf } from './pairs.js';
import { Receiver, withMetrics, withTraces, type TelemetrySettings } from './settings.js';
import type { Slice } from './slices.js';
import type { TelemetryBench } from './telemetry-bench.js';

const MAIN = fileURLToPath(new URL('./switched-service.js', import.meta.url));
const SECONDS = 150;
/** Share of the traces that a large installation records. */
const SAMPLED = 0.01;
/** Most traces are sent within their slice: after so many milliseconds instead of 5 s. */
const SENT_WITHIN_MS = 250;

/** A goal as a measurement: in one service telemetry is on in some slices of its time and off in the others. */
export function slicedBench({ goal, title, devices, prepare }: RepeatableGoal): TelemetryBench {
  const compare = async (what: string, { variables }: TelemetrySettings): Promise<Finding> => {
    const slices = await slicesOf(variables, devices, prepare);
    const pairs = pairsOf(slices);
    const { ratio, low, high } = ratioOf(pairs);
    const share = (value: number): string => `${value.toFixed(3)}×`;
    return {
      goal,
      what: `${title}: ${what}`,
      baseline: `${costOf(pairs.map(({ off }) => off)).toFixed(1)} µs`,
      measured: `${costOf(pairs.map(({ on }) => on)).toFixed(1)} µs (95 %: ${share(1 / high)} to ${share(1 / low)}, ${pairs.length} pairs of slices)`,
      value: 1 / ratio,
      unit: '',
      better: 'higher',
      floor: 0.98,
      aim: 0.99,
      notes: [],
    };
  };
  const measure = async (): Promise<readonly Finding[]> => {
    const receiver = await Receiver.open();
    try {
      return [
        await compare('metrics', await withMetrics()),
        await compare('metrics, and one trace of a hundred', await withTraces(receiver, SAMPLED)),
      ];
    } finally {
      receiver.close();
    }
  };
  return { title, measure };
}

/** The slices in which the service was under load. */
async function slicesOf(
  variables: Readonly<Record<string, string>>,
  devices: number,
  prepare: RepeatableGoal['prepare'],
): Promise<readonly Slice[]> {
  const directory = await makeDataDirectory();
  try {
    const file = join(directory, 'slices.json');
    const settings = { ...variables, BENCH_SLICES: file, OTEL_BSP_SCHEDULE_DELAY: String(SENT_WITHIN_MS) };
    const [from, until] = await Scene.play(
      devices,
      async (scene) => {
        const run = await prepare(scene);
        await run();
        const begun = Date.now();
        while (Date.now() - begun < SECONDS * 1_000) await run();
        return [begun, Date.now()] as const;
      },
      settings,
      MAIN,
    );
    const slices = JSON.parse(await readFile(file, 'utf8')) as readonly Slice[];
    return slices.filter(({ endedAt }) => endedAt > from && endedAt <= until);
  } finally {
    await removeDataDirectory(directory);
  }
}
