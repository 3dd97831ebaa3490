import { describe, expect, it } from 'vitest';

import { BatchedLookup } from './batched-lookup.js';

describe('BatchedLookup', () => {
  it('reads what is asked for in one turn by one query, and answers null for what is not there', async () => {
    const queries: (readonly string[])[] = [];
    const lookup = new BatchedLookup((ids) => {
      queries.push(ids);
      return Promise.resolve(ids.filter((id) => id !== 'missing').map((id) => ({ id })));
    });
    expect(await Promise.all([lookup.find('a'), lookup.find('missing'), lookup.find('b')])).toEqual([{ id: 'a' }, null, { id: 'b' }]);
    expect(queries).toEqual([['a', 'missing', 'b']]);
  });

  it('reads at most 500 ids in a query, and the rest in the next ones', async () => {
    const queries: number[] = [];
    const lookup = new BatchedLookup((ids) => {
      queries.push(ids.length);
      return Promise.resolve(ids.map((id) => ({ id })));
    });
    await Promise.all(Array.from({ length: 1_100 }, (_, index) => lookup.find(String(index))));
    expect(queries).toEqual([500, 500, 100]);
  });

  it('fails those that share a query, and goes on with the next one', async () => {
    let attempts = 0;
    const lookup = new BatchedLookup((ids) => {
      attempts += 1;
      return attempts === 1 ? Promise.reject(new Error('The database is away.')) : Promise.resolve(ids.map((id) => ({ id })));
    });
    const failed = await Promise.allSettled([lookup.find('a'), lookup.find('b')]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await lookup.find('a')).toEqual({ id: 'a' });
  });
});
