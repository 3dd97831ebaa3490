/** A map of limited size: when a new key would exceed it, the key that was added first is dropped. */
export class BoundedMap<K, V> extends Map<K, V> {
  /** @param capacity the most keys that it holds */
  constructor(private readonly capacity: number) {
    super();
  }

  override set(key: K, value: V): this {
    if (this.size >= this.capacity && !this.has(key)) {
      const first = this.keys().next();
      if (!first.done) this.delete(first.value);
    }
    return super.set(key, value);
  }
}
