/** The result of a goal, as a row of the results table. */
export interface Finding {
  readonly goal: number | string;
  readonly what: string;
  /** The baseline of the same run with its unit; empty if the goal has none. */
  readonly baseline: string;
  readonly measured: string;
  /** The value that floor and aim refer to: a ratio to the baseline, or the figure itself. */
  readonly value: number;
  /** Nothing stands for a ratio. */
  readonly unit: '' | 'ms' | 'µs' | 'KiB' | 'MiB' | 's' | '%' | 'ms/MB' | 'frames/s' | 'SSIM';
  readonly better: 'higher' | 'lower';
  readonly floor: number;
  readonly aim: number;
  /** Remarks for the reader of the figure, for example that a load program was the bottleneck. */
  readonly notes: readonly string[];
}

/** One goal of the performance table. */
export interface Goal {
  readonly number: number;
  readonly title: string;
  measure(): Promise<Finding[]>;
}

export type Verdict = 'aim' | 'floor' | 'missed';

/** Returns the verdict on a finding: reached its aim, reached its floor, or missed both. */
export function verdictOf({ value, better, floor, aim }: Finding): Verdict {
  const reaches = (bound: number): boolean => (better === 'higher' ? value >= bound : value <= bound);
  if (reaches(aim)) return 'aim';
  return reaches(floor) ? 'floor' : 'missed';
}
