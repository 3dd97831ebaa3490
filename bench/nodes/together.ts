import type { LoadResult } from '../harness/load.js';

/** Results of loads that ran at the same time, as one. Times are those of the slowest. */
export function together(results: readonly LoadResult[]): LoadResult {
  const most = (of: (result: LoadResult) => number): number => Math.max(...results.map(of));
  const sum = (of: (result: LoadResult) => number): number => results.reduce((total, result) => total + of(result), 0);
  return {
    completed: sum(({ completed }) => completed),
    failed: sum(({ failed }) => failed),
    seconds: most(({ seconds }) => seconds),
    cpuSeconds: most(({ cpuSeconds }) => cpuSeconds),
    p50: most(({ p50 }) => p50),
    p99: most(({ p99 }) => p99),
  };
}
