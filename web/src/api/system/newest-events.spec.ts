import { describe, expect, it } from 'vitest';

import { KEPT_EVENTS, PAGE_SIZE, withNewest } from './newest-events.js';

const eventsOf = (newest: number, count: number) => Array.from({ length: count }, (_, at) => ({ id: String(newest - at) }));
type Data = Parameters<typeof withNewest<{ readonly id: string }>>[0];
const idsOf = ({ pages }: Data): string[] => pages.flatMap(({ items }) => items.map(({ id }) => id));

describe('the newest event of a list', () => {
  const two: Data = {
    pages: [
      { items: eventsOf(100, 50), next: '51' },
      { items: eventsOf(50, 50), next: null },
    ],
    pageParams: ['latest', '51'],
  };

  it('stands before the others, once', () => {
    const more = withNewest(two, { id: '101' });
    expect(idsOf(more)).toEqual(eventsOf(101, 101).map(({ id }) => id));
    expect(more.pages[1]).toEqual(two.pages[1]);
    expect(withNewest(more, { id: '101' })).toBe(more);
    expect(withNewest({ pages: [{ items: [], next: null }], pageParams: ['latest'] }, { id: '1' }).pages).toEqual([
      { items: [{ id: '1' }], next: null },
    ]);
  });

  it('takes the place of the oldest in a list that was open for long, which can be read again', () => {
    let data: Data = two;
    for (let id = 101; id <= 5000; id += 1) {
      data = withNewest(data, { id: String(id) });
      expect(data.pageParams).toHaveLength(data.pages.length);
    }
    const ids = idsOf(data);
    expect(ids).toEqual(eventsOf(5000, KEPT_EVENTS + PAGE_SIZE).map(({ id }) => id));
    expect(data.pages.at(-1)?.next).toBe(ids.at(-1));
  });
});
