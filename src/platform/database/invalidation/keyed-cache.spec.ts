import { beforeEach, describe, expect, it } from 'vitest';

import { KeyedCache } from './keyed-cache.js';

let mayKeep: boolean;
let cache: KeyedCache<string | null>;
/** The loads that were started, each with the way to end it. */
let loads: { readonly end: (value: string | null) => void; readonly fail: (error: Error) => void }[];

const load = (): Promise<string | null> => new Promise((end, fail) => loads.push({ end, fail }));

beforeEach(() => {
  mayKeep = true;
  loads = [];
  cache = new KeyedCache<string | null>('test', 10, () => mayKeep);
});

describe('a key that is asked for while it is loaded', () => {
  it('is loaded once', async () => {
    const answers = [cache.get('key', load), cache.get('key', load), cache.get('key', load)];
    expect(loads).toHaveLength(1);
    loads[0].end('value');
    expect(await Promise.all(answers)).toEqual(['value', 'value', 'value']);
    expect(await cache.get('key', load)).toBe('value');
    expect(loads).toHaveLength(1);
  });

  it('is handed to waiting callers in the order in which they asked', async () => {
    const order: number[] = [];
    const answers = [1, 2, 3].map((number) => cache.get('key', load).then(() => order.push(number)));
    loads[0].end('value');
    await Promise.all(answers);
    expect(order).toEqual([1, 2, 3]);
  });

  it('does not hold up other keys', async () => {
    const slow = cache.get('slow', load);
    const fast = cache.get('fast', load);
    loads[1].end('fast');
    expect(await fast).toBe('fast');
    loads[0].end('slow');
    expect(await slow).toBe('slow');
  });

  it('fails for all waiting callers, and is loaded again for the next', async () => {
    const answers = [cache.get('key', load), cache.get('key', load)];
    loads[0].fail(new Error('away'));
    for (const answer of await Promise.allSettled(answers)) expect(answer.status).toBe('rejected');
    const next = cache.get('key', load);
    loads[1].end('value');
    expect(await next).toBe('value');
  });

  it.each<[string, (forgetting: KeyedCache<string | null>) => void]>([
    ['the key', (forgetting) => forgetting.forget('key')],
    ['another key, whose group may bring this one', (forgetting) => forgetting.forget('other')],
    ['values that match', (forgetting) => forgetting.forgetWhere(() => false)],
    ['everything', (forgetting) => forgetting.clear()],
  ])('is loaded again for callers that ask after the cache forgot %s', async (_what, forget) => {
    const before = cache.get('key', load);
    forget(cache);
    const after = cache.get('key', load);
    expect(loads).toHaveLength(2);
    loads[1].end('new');
    loads[0].end('old');
    expect(await Promise.all([before, after])).toEqual(['old', 'new']);
    // The abandoned load ended last and has not replaced the newer value.
    expect(await cache.get('key', load)).toBe('new');
    expect(loads).toHaveLength(2);
  });

  it('is loaded for each caller while no notification would announce a write', async () => {
    mayKeep = false;
    const answers = [cache.get('key', load), cache.get('key', load)];
    expect(loads).toHaveLength(2);
    loads[0].end('old');
    loads[1].end('new');
    expect(await Promise.all(answers)).toEqual(['old', 'new']);
  });

  it('is loaded again when it had no value', async () => {
    const first = cache.get('key', load);
    loads[0].end(null);
    expect(await first).toBeNull();
    void cache.get('key', load);
    expect(loads).toHaveLength(2);
  });
});
