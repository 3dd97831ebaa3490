import type { ServerStats } from '../../api/system/server.js';

/** The figures at one moment. */
export interface Sample {
  /** Seconds since 1970. */
  readonly time: number;
  readonly stats: ServerStats;
}

/** More points than a chart has pixels. */
const MOST = 2000;

/** Adds a sample. If there are too many, every second one is dropped, so that the line still starts at the same time. */
export function withSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const kept = samples.length < MOST ? samples : samples.filter((_, index) => index % 2 === 0);
  return [...kept, sample];
}
