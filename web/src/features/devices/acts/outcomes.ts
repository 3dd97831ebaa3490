/** What came of an act on one device. */
export type Outcome = { readonly id: string } & (
  | { readonly kind: 'done' }
  /** For want of a permission: its name, where that is known. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'offline' }
  | { readonly kind: 'failed'; readonly reason: string }
);

const reasonOf = (outcome: Outcome): string | null => ('reason' in outcome ? outcome.reason : null);

interface Tally {
  readonly kind: Outcome['kind'];
  readonly reason: string | null;
  readonly count: number;
}

/** How many devices came to which end: `58 done · 2 refused: device.power.manage · 3 offline`. */
export function tally(outcomes: readonly Outcome[]): Tally[] {
  const counts = new Map<string, Tally>();
  for (const outcome of outcomes) {
    const { kind } = outcome;
    const reason = reasonOf(outcome);
    const key = `${kind} ${reason ?? ''}`;
    counts.set(key, { kind, reason, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()];
}

/** The devices for which another attempt may help: a refusal stays one. */
export const retried = (outcomes: readonly Outcome[]): string[] =>
  outcomes.filter(({ kind }) => kind === 'failed' || kind === 'offline').map(({ id }) => id);

const ATTENTION: Readonly<Record<Outcome['kind'], number>> = { failed: 0, refused: 1, offline: 2, done: 3 };

/** First what wants attention, each kind in the order in which it came. */
export const byAttention = (outcomes: readonly Outcome[]): Outcome[] =>
  outcomes.toSorted((one, other) => ATTENTION[one.kind] - ATTENTION[other.kind]);
