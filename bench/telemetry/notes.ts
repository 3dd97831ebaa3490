import { Program } from '../harness/program.js';
import { inTurns } from '../harness/rounds.js';
import type { NotedCalls } from '../loads/noted-calls.js';
import type { TelemetryBench } from './telemetry-bench.js';

const CALLS = 200_000;
const ROUNDS = 15;

/**
 * Processor time that metrics add to a round trip, without everything else that a round trip takes: 2 % of it are too few for the rates of a
 * machine with other programs.
 */
export const notes: TelemetryBench = {
  title: 'metrics of a call and of the question to a device',
  measure: async () => {
    const load = Program.start<NotedCalls>(new URL('../loads/noted-calls.js', import.meta.url));
    try {
      await load.call('start', undefined);
      const rounds = await inTurns(ROUNDS, { bare: () => load.call('bare', CALLS), noted: () => load.call('noted', CALLS) });
      // Other programs can only make a round longer.
      const [bare, noted] = [Math.min(...rounds.bare), Math.min(...rounds.noted)];
      return [
        {
          goal: 4,
          what: 'metrics of a viewer’s call and of the question to its device: processor time that they add',
          baseline: `${bare.toFixed(2)} µs`,
          measured: `${noted.toFixed(2)} µs`,
          value: noted - bare,
          unit: 'µs',
          better: 'lower',
          floor: 0.5,
          aim: 0.3,
          notes: [],
        },
      ];
    } finally {
      await load.stop();
    }
  },
};
