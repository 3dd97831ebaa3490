import { percentile } from '../harness/rounds.js';
import type { Slice } from './slices.js';

/** Slices with less than this share of the operations of a full one were between two rounds of the load. */
const LEAST_SHARE = 0.5;
/** A tenth of the slices has more operations than what counts as a full one. */
const FULL = 0.9;
const RESAMPLES = 2_000;

/** Two slices that follow one another. */
export interface Pair {
  readonly off: Slice;
  readonly on: Slice;
}

/** A ratio, and the bounds within which it is with 95 %. */
export interface Ratio {
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
}

/** The pairs of slices that were both under load. */
export function pairsOf(slices: readonly Slice[]): readonly Pair[] {
  const counts = slices.map(({ operations }) => operations).sort((a, b) => a - b);
  const least = LEAST_SHARE * percentile(counts, FULL);
  const pairs: Pair[] = [];
  for (let at = 0; at + 1 < slices.length;) {
    const [first, second] = [slices[at], slices[at + 1]];
    if (first.isOn === second.isOn) {
      at += 1;
      continue;
    }
    at += 2;
    if (Math.min(first.operations, second.operations) >= least)
      pairs.push(first.isOn ? { on: first, off: second } : { on: second, off: first });
  }
  return pairs;
}

/** Processor time of an operation in these slices, in microseconds. */
export function costOf(slices: readonly Slice[]): number {
  const sum = (of: (slice: Slice) => number): number => slices.reduce((total, slice) => total + of(slice), 0);
  return sum(({ microseconds }) => microseconds) / sum(({ operations }) => operations);
}

/** Processor time of an operation with telemetry over that without it. Its bounds are those of pairs that are drawn again and again. */
export function ratioOf(pairs: readonly Pair[]): Ratio {
  const of = (chosen: readonly Pair[]): number => costOf(chosen.map(({ on }) => on)) / costOf(chosen.map(({ off }) => off));
  const drawn = (): readonly Pair[] => pairs.map(() => pairs[Math.floor(Math.random() * pairs.length)]);
  const ratios = Array.from({ length: RESAMPLES }, () => of(drawn())).sort((a, b) => a - b);
  return { ratio: of(pairs), low: percentile(ratios, 0.025), high: percentile(ratios, 0.975) };
}
