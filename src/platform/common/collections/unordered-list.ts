interface Entry<T> {
  readonly value: T;
  /** Its place in the list; −1 once it was removed. */
  index: number;
}

/**
 * Holds values that come and go all the time, in any order. V8 copies a `Set` after every few removals. Old copies stay in memory until the
 * next full garbage collection, with the values that they held. An array is changed in place.
 */
export class UnorderedList<T> {
  private readonly entries: Entry<T>[] = [];

  get size(): number {
    return this.entries.length;
  }

  /** Adds a value. Returns a function that removes it, which may be called more than once. */
  add(value: T): () => void {
    const entry = { value, index: this.entries.length };
    this.entries.push(entry);
    return () => this.remove(entry);
  }

  /** The values that it holds now. */
  values(): T[] {
    return this.entries.map(({ value }) => value);
  }

  private remove(entry: Entry<T>): void {
    if (entry.index < 0) return;
    const last = this.entries.pop() as Entry<T>;
    if (last !== entry) {
      last.index = entry.index;
      this.entries[last.index] = last;
    }
    entry.index = -1;
  }
}
