/** Counts by a key; keys without a count take no memory. */
export class KeyedCounter {
  private readonly counts = new Map<string, number>();

  /** Number of keys with a count. */
  get size(): number {
    return this.counts.size;
  }

  /** The keys with a count. */
  keys(): IterableIterator<string> {
    return this.counts.keys();
  }

  of(key: string): number {
    return this.counts.get(key) ?? 0;
  }

  add(key: string, difference: 1 | -1): void {
    const count = this.of(key) + difference;
    if (count === 0) this.counts.delete(key);
    else this.counts.set(key, count);
  }
}
