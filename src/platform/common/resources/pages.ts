/** A list that is read page by page, so that its length costs no memory. The next page is read after the consumer took the last one. */
export type Pages<T> = AsyncIterable<readonly T[]>;

/** An answer in which one list is still read while the answer is written. */
export type WithPages<T, List extends keyof T> = Omit<T, List> & {
  readonly [K in List]: T[K] extends readonly (infer Item)[] ? Pages<Item> : never;
};

/** Default number of items per page. */
const PAGE_SIZE = 500;

/** The division of a list into pages. */
interface Paging {
  /** Number of items of the first page. */
  readonly first?: number;
  /** Number of items of each later page. */
  readonly next?: number;
  /** Waits before each later page, given the milliseconds that the page before took, from its query until the consumer took it. */
  readonly pause?: (pageMs: number) => Promise<void>;
}

/**
 * Reads a list by keyset pagination. `read` returns at most `limit` items that follow the given one. A shorter page is
 * the last one. No connection is held between pages.
 */
export async function* pagesOf<T>(
  read: (after: T | null, limit: number) => Promise<readonly T[]>,
  { first = PAGE_SIZE, next = PAGE_SIZE, pause }: Paging = {},
): AsyncGenerator<readonly T[]> {
  let after: T | null = null;
  for (let limit = first; ; limit = next) {
    const started = performance.now();
    const items: readonly T[] = await read(after, limit);
    yield items;
    if (items.length < limit) return;
    after = items[items.length - 1];
    await pause?.(performance.now() - started);
  }
}

/** The same list with each item mapped. */
export async function* mapPages<T, R>(pages: Pages<T>, change: (item: T) => R): AsyncGenerator<readonly R[]> {
  for await (const items of pages) yield items.map(change);
}
