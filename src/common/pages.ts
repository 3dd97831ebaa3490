/** A list that is read page by page, the next one when the last one was taken, so that its length costs no memory. */
export type Pages<T> = AsyncIterable<readonly T[]>;

/** An answer one of whose lists is read while it is written. */
export type WithPages<T, List extends keyof T> = Omit<T, List> & {
  readonly [K in List]: T[K] extends readonly (infer Item)[] ? Pages<Item> : never;
};

/** Items of a page, unless a list has reasons for other sizes. */
const PAGE_SIZE = 500;

/**
 * Reads a list by keys: `read` answers the next items behind one, at most `limit` of them, and all that are left if they are
 * fewer. No connection is held between pages.
 */
export async function* pagesOf<T>(
  read: (after: T | null, limit: number) => Promise<readonly T[]>,
  { first = PAGE_SIZE, next = PAGE_SIZE } = {},
): AsyncGenerator<readonly T[]> {
  let after: T | null = null;
  for (let limit = first; ; limit = next) {
    const items: readonly T[] = await read(after, limit);
    yield items;
    if (items.length < limit) return;
    after = items[items.length - 1];
  }
}

/** The same list with each item turned into another. */
export async function* mapPages<T, R>(pages: Pages<T>, change: (item: T) => R): AsyncGenerator<readonly R[]> {
  for await (const items of pages) yield items.map(change);
}
