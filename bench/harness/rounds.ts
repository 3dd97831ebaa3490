/** Runs the sides of a comparison in turn. The first side changes with each round, so that a disturbance affects all of them. */
export async function inTurns<const S extends Readonly<Record<string, () => Promise<unknown>>>>(
  count: number,
  sides: S,
): Promise<{ readonly [K in keyof S]: Awaited<ReturnType<S[K]>>[] }> {
  const names: (keyof S)[] = Object.keys(sides);
  const results: Partial<Record<keyof S, unknown[]>> = {};
  for (let round = 0; round < count; round += 1) {
    const order = round % 2 === 0 ? names : names.toReversed();
    for (const name of order) (results[name] ??= []).push(await sides[name]());
  }
  return results as { [K in keyof S]: Awaited<ReturnType<S[K]>>[] };
}

/** The median: the middle sample, or the mean of the two middle ones. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The value that this share of the samples does not exceed. */
export function percentile(sorted: readonly number[] | Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
