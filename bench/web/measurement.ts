/** A figure of the front end, as a row of its table. */
export interface Measurement {
  readonly what: string;
  readonly value: number;
  readonly unit: Unit;
  /** The most that the figure may be, or the least; without either there is no budget. */
  readonly atMost?: number;
  readonly atLeast?: number;
  /** Remark behind the figure. */
  readonly more?: string;
  /** Remarks for the reader of the figure. */
  readonly notes?: readonly string[];
}

export type Unit = '' | 'kB' | 'MB' | 'MB/s' | 'ms' | 's' | 'µs' | '%';

/** Figures that are taken together. */
export interface WebBench {
  readonly title: string;
  measure(): Promise<Measurement[]>;
}

/** Budgets of times and frames are for this machine. */
export const FOUR_CORES = 'the budget is for a quiet machine with four cores, on which the browser has some for itself';

/** Returns true if a figure keeps its budget; null without one. */
export function isHeld({ value, atMost, atLeast }: Measurement): boolean | null {
  if (atMost === undefined && atLeast === undefined) return null;
  return value <= (atMost ?? Infinity) && value >= (atLeast ?? -Infinity);
}
