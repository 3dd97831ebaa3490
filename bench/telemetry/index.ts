import { REPEATABLE_GOALS } from '../goals/repeatable.js';
import { idle } from './idle.js';
import { notes } from './notes.js';
import { slicedBench } from './sliced-bench.js';
import { everyTraceBench, type TelemetryBench } from './telemetry-bench.js';

/** The goals that telemetry may slow down by 2 % at most, and what it costs an idle service. */
export const TELEMETRY_BENCHES: readonly TelemetryBench[] = [
  ...REPEATABLE_GOALS.flatMap((goal) => [slicedBench(goal), everyTraceBench(goal)]),
  notes,
  idle,
];
