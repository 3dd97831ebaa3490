import { percentile } from './rounds.js';

/** The measurements of a load program. Only completed operations count, so failures never raise a rate. */
export interface LoadResult {
  readonly completed: number;
  readonly failed: number;
  readonly seconds: number;
  /** Processor time of the load program itself. */
  readonly cpuSeconds: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** Share of a core above which the load program was the bottleneck and the server could have done more. */
const BUSY = 0.9;

/** Returns true if the load program limited the rate, and not the server. */
export function wasBottleneck({ cpuSeconds, seconds }: LoadResult): boolean {
  return cpuSeconds / seconds > BUSY;
}

export function rateOf({ completed, seconds }: LoadResult): number {
  return completed / seconds;
}

/** Counts and times the operations of one run, inside the load program. */
export class Recorder {
  private latencies: number[] = [];
  private started = performance.now();
  private cpu = process.cpuUsage();
  private failed = 0;

  /** Counts an operation that began at `since` (of `performance.now()`) and succeeded. */
  completed(since: number): void {
    this.latencies.push(performance.now() - since);
  }

  /** Forgets everything so far: the load begins now. */
  restart(): void {
    this.latencies = [];
    this.failed = 0;
    this.started = performance.now();
    this.cpu = process.cpuUsage();
  }

  /** Counts an operation that was refused or failed. */
  fail(): void {
    this.failed += 1;
  }

  result(): LoadResult {
    const seconds = (performance.now() - this.started) / 1000;
    const { user, system } = process.cpuUsage(this.cpu);
    const sorted = Float64Array.from(this.latencies).sort();
    return {
      completed: sorted.length,
      failed: this.failed,
      seconds,
      cpuSeconds: (user + system) / 1e6,
      p50: percentile(sorted, 0.5),
      p99: percentile(sorted, 0.99),
    };
  }
}
