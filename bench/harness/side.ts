import { rateOf, wasBottleneck, type LoadResult } from './load.js';
import { median } from './rounds.js';

/** One round of a load against one server. */
export interface Round {
  readonly load: LoadResult;
  /** Processor time of the server per operation, in microseconds. */
  readonly serverMicroseconds: number;
}

/** Runs a load and measures the server's processor time. A refused operation is an error, because goals measure completed work. */
export async function countedRound(cpuSeconds: () => Promise<number>, run: () => Promise<LoadResult>): Promise<Round> {
  const before = await cpuSeconds();
  const load = await run();
  const spent = (await cpuSeconds()) - before;
  if (load.failed > 0) throw new Error(`${load.failed} of ${load.failed + load.completed} operations failed.`);
  return { load, serverMicroseconds: (spent * 1e6) / load.completed };
}

/** The rounds of one side. */
export class Side {
  constructor(private readonly rounds: readonly Round[]) {}

  get rate(): number {
    return median(this.rounds.map(({ load }) => rateOf(load)));
  }

  get p50(): number {
    return median(this.rounds.map(({ load }) => load.p50));
  }

  get p99(): number {
    return median(this.rounds.map(({ load }) => load.p99));
  }

  get cpu(): number {
    return median(this.rounds.map(({ serverMicroseconds }) => serverMicroseconds));
  }

  get isLimitedByLoad(): boolean {
    return this.rounds.filter(({ load }) => wasBottleneck(load)).length * 2 > this.rounds.length;
  }

  /** Rate and processor time as text. */
  get text(): string {
    return `${whole(this.rate)}/s, ${this.cpu.toFixed(1)} µs`;
  }
}

/** Notes about load programs that could not keep up with a server. */
export function loadNotes(baseline: Side, measured: Side): string[] {
  return [
    ...(baseline.isLimitedByLoad ? ['the load was the bottleneck of the baseline'] : []),
    ...(measured.isLimitedByLoad ? ['the load was the bottleneck of the service'] : []),
  ];
}

/** A whole number with separated thousands. */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en-GB');
}
