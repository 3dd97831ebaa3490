/** What came of an act on one device. */
export type Outcome =
  { readonly id: string; readonly kind: 'done' } | { readonly id: string; readonly kind: 'refused' | 'failed'; readonly reason: string };

/** How many devices came to which end: `58 done · 2 refused: device.power.manage`. */
export function tally(
  outcomes: readonly Outcome[],
): { readonly kind: Outcome['kind']; readonly reason: string | null; readonly count: number }[] {
  const counts = new Map<string, { kind: Outcome['kind']; reason: string | null; count: number }>();
  for (const outcome of outcomes) {
    const reason = outcome.kind === 'done' ? null : outcome.reason;
    const key = `${outcome.kind} ${reason ?? ''}`;
    const row = counts.get(key) ?? { kind: outcome.kind, reason, count: 0 };
    row.count += 1;
    counts.set(key, row);
  }
  return [...counts.values()];
}
