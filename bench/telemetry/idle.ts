import { startOnce } from '../goals/start.js';
import type { Finding } from '../harness/finding.js';
import { inTurns, median } from '../harness/rounds.js';
import { makeDataDirectory, removeDataDirectory, Service } from '../harness/service.js';
import { Receiver, withMetrics, withTraces } from './settings.js';
import type { TelemetryBench } from './telemetry-bench.js';

const STARTS = 5;

/** Start and memory of a service that has nothing to do, with telemetry off and on. */
export const idle: TelemetryBench = {
  title: 'start to listening, and idle memory',
  measure: async () => {
    const directory = await makeDataDirectory();
    const receiver = await Receiver.open();
    try {
      await (await Service.start(directory)).stop();
      const [metrics, traces] = [await withMetrics(), await withTraces(receiver, 1)];
      const starts = await inTurns(STARTS, {
        off: () => startOnce(directory),
        metrics: () => startOnce(directory, metrics.variables),
        traces: () => startOnce(directory, traces.variables),
      });
      const figuresOf = (side: keyof typeof starts): { readonly seconds: number; readonly mebibytes: number } => ({
        seconds: median(starts[side].map(({ seconds }) => seconds)),
        mebibytes: median(starts[side].map(({ mebibytes }) => mebibytes)),
      });
      const off = figuresOf('off');
      return (['metrics', 'traces'] as const).flatMap((side): Finding[] => {
        const on = figuresOf(side);
        const what = side === 'metrics' ? 'metrics' : 'metrics, and every trace';
        const common = { goal: 16, better: 'lower', notes: [] } as const;
        return [
          {
            ...common,
            what: `start to listening: ${what}`,
            baseline: `${off.seconds.toFixed(2)} s`,
            measured: `${on.seconds.toFixed(2)} s`,
            value: on.seconds - off.seconds,
            unit: 's',
            floor: 0.5,
            aim: 0.2,
          },
          {
            ...common,
            what: `resident memory when idle: ${what}`,
            baseline: `${off.mebibytes.toFixed(0)} MiB`,
            measured: `${on.mebibytes.toFixed(0)} MiB`,
            value: on.mebibytes - off.mebibytes,
            unit: 'MiB',
            floor: 40,
            aim: 20,
          },
        ];
      });
    } finally {
      receiver.close();
      await removeDataDirectory(directory);
    }
  },
};
