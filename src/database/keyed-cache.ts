import { BoundedMap } from '../common/bounded-map.js';

/**
 * Values by key, loaded once and kept until they are forgotten. A value whose loading overlaps with any forgetting is returned
 * but not kept, because it may have been read before the write. When the cache is full, the oldest value is dropped.
 */
export class KeyedCache<T> {
  private readonly values: BoundedMap<string, T>;
  private generation = 0;

  constructor(
    capacity: number,
    private readonly mayKeep: () => boolean,
  ) {
    this.values = new BoundedMap(capacity);
  }

  /** The value of a key, loaded if necessary; null values are not kept. */
  async get(key: string, load: () => Promise<T>): Promise<T> {
    const known = this.values.get(key);
    if (known !== undefined) return known;
    const { generation } = this;
    const value = await load();
    if (value !== null && generation === this.generation && this.mayKeep()) this.values.set(key, value);
    return value;
  }

  /** The kept value of a key, without loading it. */
  peek(key: string): T | undefined {
    return this.values.get(key);
  }

  /** Forgets one key. */
  forget(key: string): void {
    this.generation += 1;
    this.values.delete(key);
  }

  /** Forgets the keys whose values match. */
  forgetWhere(matches: (value: T) => boolean): void {
    this.generation += 1;
    for (const [key, value] of this.values) if (matches(value)) this.values.delete(key);
  }

  /** Forgets everything. */
  clear(): void {
    this.generation += 1;
    this.values.clear();
  }
}
