export interface DurationPart {
  readonly unit: 'hours' | 'minutes' | 'seconds';
  readonly count: number;
}

const UNITS = [
  { unit: 'hours', length: 3_600_000 },
  { unit: 'minutes', length: 60_000 },
  { unit: 'seconds', length: 1000 },
] as const;

/** A time span in its two largest units, without those that are 0; nothing for less than a second. */
export function durationParts(milliseconds: number): readonly DurationPart[] {
  const first = UNITS.findIndex(({ length }) => milliseconds >= length);
  if (first === -1) return [];
  const [large, small] = [UNITS[first], UNITS.at(first + 1)];
  const parts: DurationPart[] = [{ unit: large.unit, count: Math.floor(milliseconds / large.length) }];
  if (small !== undefined) parts.push({ unit: small.unit, count: Math.floor((milliseconds % large.length) / small.length) });
  return parts.filter(({ count }) => count > 0);
}
