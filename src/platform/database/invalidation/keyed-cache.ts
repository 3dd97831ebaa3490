import { BoundedMap } from '../../common/collections/bounded-map.js';
import { observeCache } from './cache-metrics.js';

/**
 * Values by key, loaded once and kept until they are forgotten. Callers that ask for a key while it is loaded share the loading. A
 * value whose loading overlaps with any forgetting may have been read before the write: it is returned to those who asked before
 * the forgetting, and neither kept nor shared with those who ask after it. When the cache is full, the oldest value is dropped.
 */
export class KeyedCache<T> {
  private readonly values: BoundedMap<string, T>;
  private loads = new Map<string, Promise<T>>();

  private hits = 0;
  private misses = 0;

  /** @param name name of the cache in metrics */
  constructor(
    name: string,
    capacity: number,
    private readonly mayKeep: () => boolean,
  ) {
    this.values = new BoundedMap(capacity);
    observeCache(name, () => ({ hits: this.hits, misses: this.misses, size: this.values.size }));
  }

  /** The value of a key, loaded if necessary; null values are not kept. */
  async get(key: string, load: () => Promise<T>): Promise<T> {
    const known = this.values.get(key);
    if (known !== undefined) {
      this.hits += 1;
      return known;
    }
    this.misses += 1;
    // A value that may not be kept may not be shared either: nothing would tell that it is stale.
    if (!this.mayKeep()) return load();
    // All wait for the same promise, so that they continue in the order in which they asked.
    return this.loads.get(key) ?? this.beginLoad(key, load);
  }

  /** The kept value of a key, without loading it. */
  peek(key: string): T | undefined {
    const known = this.values.get(key);
    // Who does not find it loads it, and counts as a miss there.
    if (known !== undefined) this.hits += 1;
    return known;
  }

  /** Forgets one key. */
  forget(key: string): void {
    this.abandonLoads();
    this.values.delete(key);
  }

  /** Forgets the keys whose values match. */
  forgetWhere(matches: (value: T) => boolean): void {
    this.abandonLoads();
    for (const [key, value] of this.values) if (matches(value)) this.values.delete(key);
  }

  /** Forgets everything. */
  clear(): void {
    this.abandonLoads();
    this.values.clear();
  }

  private beginLoad(key: string, load: () => Promise<T>): Promise<T> {
    const { loads } = this;
    const loading = load()
      .then((value) => {
        if (value !== null && loads === this.loads && this.mayKeep()) this.values.set(key, value);
        return value;
      })
      .finally(() => loads.delete(key));
    loads.set(key, loading);
    return loading;
  }

  /** Keeps loads that are under way from all callers but those that wait for them already. */
  private abandonLoads(): void {
    if (this.loads.size > 0) this.loads = new Map();
  }
}
