/** Entries of one day, in the time zone of the browser. */
export interface Day<T> {
  /** An instant of the day. */
  readonly instant: string;
  readonly entries: readonly T[];
}

/** Splits a list in order of time into its days; an entry that two pages hold counts once. */
export function byDay<T extends { readonly id: string; readonly createdAt: string }>(entries: readonly T[]): readonly Day<T>[] {
  const seen = new Set<string>();
  const days: { key: string; instant: string; entries: T[] }[] = [];
  for (const entry of entries) {
    if (seen.has(entry.id)) continue;
    seen.add(entry.id);
    const key = new Date(entry.createdAt).toDateString();
    const last = days.at(-1);
    if (last?.key === key) last.entries.push(entry);
    else days.push({ key, instant: entry.createdAt, entries: [entry] });
  }
  return days;
}
