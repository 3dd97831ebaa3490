import { setTimeout as delay } from 'node:timers/promises';

import type { Goal } from '../harness/finding.js';
import { median } from '../harness/rounds.js';
import { makeDataDirectory, removeDataDirectory, Service } from '../harness/service.js';
import { residentBytes } from '../harness/usage.js';

const STARTS = 3;
/** Pause in milliseconds, long enough for the work that follows the start and for the two collections of an idle process. */
const IDLE_MS = 20_000;
const MIB = 1_048_576;

/**
 * Goal 16: the time from the start of the process until it listens, with an existing schema and including the start of
 * PostgreSQL; and the memory when idle.
 */
export const start: Goal = {
  number: 16,
  title: 'start to listening, and idle memory',
  measure: async () => {
    const directory = await makeDataDirectory();
    try {
      await (await Service.start(directory)).stop();
      const seconds: number[] = [];
      const resident: number[] = [];
      for (let count = 0; count < STARTS; count += 1) {
        const once = await startOnce(directory);
        seconds.push(once.seconds);
        resident.push(once.mebibytes);
      }
      const common = { goal: 16, baseline: '', better: 'lower', notes: [] } as const;
      return [
        {
          ...common,
          what: 'start to listening with the schema there',
          measured: `${median(seconds).toFixed(2)} s`,
          value: median(seconds),
          unit: 's',
          floor: 3,
          aim: 1.2,
        },
        {
          ...common,
          what: 'resident memory when idle',
          measured: `${median(resident).toFixed(0)} MiB`,
          value: median(resident),
          unit: 'MiB',
          floor: 220,
          aim: 150,
        },
      ];
    } finally {
      await removeDataDirectory(directory);
    }
  },
};

/** Starts the service, leaves it idle and stops it. Returns the time until it listened, and its memory when idle. */
export async function startOnce(
  directory: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<{ readonly seconds: number; readonly mebibytes: number }> {
  const service = await Service.start(directory, variables);
  try {
    await delay(IDLE_MS);
    return { seconds: service.startMilliseconds / 1000, mebibytes: (await residentBytes(service.pid)) / MIB };
  } finally {
    await service.stop();
  }
}
