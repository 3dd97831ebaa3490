import type { Finding } from '../harness/finding.js';
import { Program } from '../harness/program.js';
import { inTurns } from '../harness/rounds.js';
import type { NotedCalls } from '../loads/noted-calls.js';
import type { TelemetryBench } from './telemetry-bench.js';

const CALLS = 200_000;
const ROUNDS = 15;

/**
 * Processor time that metrics add to a round trip and to a report, without everything else that these take: 2 % of it are too few for the rates
 * of a machine with other programs.
 */
export const notes: TelemetryBench = {
  title: 'metrics of a call, of the question to a device, and of a report',
  measure: async () => {
    const load = Program.start<NotedCalls>(new URL('../loads/noted-calls.js', import.meta.url));
    try {
      await load.call('start', undefined);
      const rounds = await inTurns(ROUNDS, {
        bare: () => load.call('bare', CALLS),
        noted: () => load.call('noted', CALLS),
        bareReport: () => load.call('bareReport', CALLS),
        notedReport: () => load.call('notedReport', CALLS),
      });
      const added = (goal: number, what: string, without: readonly number[], withIt: readonly number[]): Finding => {
        // Other programs can only make a round longer.
        const [bare, noted] = [Math.min(...without), Math.min(...withIt)];
        return {
          goal,
          what: `${what}: processor time that they add`,
          baseline: `${bare.toFixed(2)} µs`,
          measured: `${noted.toFixed(2)} µs`,
          value: noted - bare,
          unit: 'µs',
          better: 'lower',
          floor: 0.5,
          aim: 0.3,
          notes: [],
        };
      };
      return [
        added(2, 'metrics of a report', rounds.bareReport, rounds.notedReport),
        added(4, 'metrics of a viewer’s call and of the question to its device', rounds.bare, rounds.noted),
      ];
    } finally {
      await load.stop();
    }
  },
};
