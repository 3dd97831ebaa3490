/** What a goal found, as it stands in the table of results. */
export interface Finding {
  readonly goal: number;
  readonly what: string;
  /** The baseline of the same run, with its unit; empty where the goal has none. */
  readonly baseline: string;
  readonly measured: string;
  /** What floor and aim speak of: a ratio to the baseline, or the figure itself. */
  readonly value: number;
  readonly unit: '' | 'ms' | 'µs' | 'KiB' | 'MiB' | 's';
  readonly better: 'higher' | 'lower';
  readonly floor: number;
  readonly aim: number;
  /** What a reader of the figure must know, such as a load program that was the bottleneck. */
  readonly notes: readonly string[];
}

/** One goal of the performance table. */
export interface Goal {
  readonly number: number;
  readonly title: string;
  measure(): Promise<Finding[]>;
}

export type Verdict = 'aim' | 'floor' | 'missed';

/** How far a finding got. */
export function verdictOf({ value, better, floor, aim }: Finding): Verdict {
  const reaches = (bound: number): boolean => (better === 'higher' ? value >= bound : value <= bound);
  if (reaches(aim)) return 'aim';
  return reaches(floor) ? 'floor' : 'missed';
}
