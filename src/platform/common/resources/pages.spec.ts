import { describe, expect, it } from 'vitest';

import { mapPages, pagesOf } from './pages.js';

/** Reads the numbers from 1 to `total` and records what it is asked for. */
function counting(total: number) {
  const asked: (readonly [number | null, number])[] = [];
  const read = (after: number | null, limit: number): Promise<number[]> => {
    asked.push([after, limit]);
    const start = after ?? 0;
    return Promise.resolve(Array.from({ length: Math.min(limit, total - start) }, (_, n) => start + n + 1));
  };
  return { asked, read };
}

async function collect<T>(pages: AsyncIterable<readonly T[]>): Promise<T[][]> {
  const found: T[][] = [];
  for await (const page of pages) found.push([...page]);
  return found;
}

describe('pages', () => {
  it('start after the last item of the page before and end with a page that is not full', async () => {
    const { asked, read } = counting(5);
    expect(await collect(pagesOf(read, { first: 1, next: 3 }))).toEqual([[1], [2, 3, 4], [5]]);
    expect(asked).toEqual([
      [null, 1],
      [1, 3],
      [4, 3],
    ]);
  });

  it('end with an empty page when the last one was full or the list is empty', async () => {
    expect(await collect(pagesOf(counting(2).read, { first: 1, next: 1 }))).toEqual([[1], [2], []]);
    expect(await collect(pagesOf(counting(0).read))).toEqual([[]]);
  });

  it('wait before each page but the first, until the pause ends', async () => {
    const { asked, read } = counting(5);
    const askedBefore: number[] = [];
    const pause = (pageMs: number): Promise<void> => {
      expect(pageMs).toBeGreaterThanOrEqual(0);
      askedBefore.push(asked.length);
      return new Promise(setImmediate).then(() => void askedBefore.push(asked.length));
    };
    expect(await collect(pagesOf(read, { first: 2, next: 2, pause }))).toEqual([[1, 2], [3, 4], [5]]);
    expect(askedBefore).toEqual([1, 1, 2, 2]);
  });

  it('are not read ahead', async () => {
    const { asked, read } = counting(100);
    for await (const page of pagesOf(read, { first: 10, next: 10 })) if (page.includes(20)) break;
    expect(asked).toHaveLength(2);
  });

  it('can be mapped to other items', async () => {
    expect(await collect(mapPages(pagesOf(counting(3).read, { first: 2, next: 2 }), (item) => `n${item}`))).toEqual([['n1', 'n2'], ['n3']]);
  });
});
