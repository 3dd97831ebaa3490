import type { Finding } from '../harness/finding.js';

/** Two sides of a comparison and the bounds of their ratio. */
interface Comparison extends Pick<Finding, 'goal' | 'what' | 'better' | 'floor' | 'aim'> {
  readonly base: number;
  readonly measured: number;
  readonly text: (value: number) => string;
  readonly notes?: readonly string[];
}

/** The ratio of a measured value to that of its baseline, as a row of the results. */
export function compared({ base, measured, text, notes = [], ...row }: Comparison): Finding {
  return { ...row, baseline: text(base), measured: text(measured), value: measured / base, unit: '', notes };
}

/** A number of devices from `first` on. */
export function numbers(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}
