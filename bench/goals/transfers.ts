import type { Goal } from '../harness/finding.js';
import { measureTransfer } from '../transfer.js';

const SIZE = 1_073_741_824;
const MIB = 1_048_576;
/** Most growth of either process's memory while a gibibyte passes. Pieces in flight are allowed, the whole file is not. */
const GROWTH_FLOOR_MIB = 64;
const GROWTH_AIM_MIB = 32;

/** The long form of goal 15: a gibibyte over HTTP to the reference agent and back, and its memory use. */
export const transfers: Goal = {
  number: 15,
  title: 'a gibibyte to the reference agent and back',
  measure: async () => {
    const result = await measureTransfer(SIZE);
    const rates = `up ${result.uploadMegabytesPerSecond.toFixed(0)} MB/s, down ${result.downloadMegabytesPerSecond.toFixed(0)} MB/s`;
    const growth = (what: string, bytes: number) =>
      ({
        goal: 15,
        what: `1 GiB over HTTP to the reference agent and back: memory of the ${what}`,
        baseline: '',
        measured: `+${(bytes / MIB).toFixed(0)} MiB (${rates})`,
        value: bytes / MIB,
        unit: 'MiB',
        better: 'lower',
        floor: GROWTH_FLOOR_MIB,
        aim: GROWTH_AIM_MIB,
        notes: [],
      }) as const;
    return [growth('service', result.serviceGrowthBytes), growth('agent', result.agentGrowthBytes)];
  },
};
