import type { ServerStats } from '../../api/system/server.js';

/** The figures at one moment. */
export interface Sample {
  /** Seconds since 1970. */
  readonly time: number;
  /** Null from the moment on at which the page lost the service, until the next sample. */
  readonly stats: ServerStats | null;
}

/** More points than a chart has pixels. */
const MOST = 2000;

/** Adds a sample. If there are too many, of each two one stays, so that the line still starts at the same time and has its gaps. */
export function withSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  if (sample.stats === null && samples.at(-1)?.stats === null) return samples;
  return [...(samples.length < MOST ? samples : halved(samples)), sample];
}

const halved = (samples: readonly Sample[]): readonly Sample[] =>
  samples.flatMap(({ time, stats }, index) =>
    index % 2 === 0 ? { time, stats: index + 1 < samples.length && samples[index + 1].stats === null ? null : stats } : [],
  );
