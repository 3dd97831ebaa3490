import { describe, expect, it, vi, type Mock } from 'vitest';

import { Bulkhead, KeyedBulkhead } from './bulkhead.js';

const LIMITS = { running: 2, waiting: 2, what: 'passwords' };

/** A work that ends when it is told to. */
function work(): { readonly run: Mock<() => Promise<string>>; readonly end: () => void; readonly fail: (error: Error) => void } {
  let end: () => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const ended = new Promise<string>((resolve, reject) => {
    end = (): void => resolve('done');
    fail = reject;
  });
  return { run: vi.fn(() => ended), end, fail };
}

describe('Bulkhead', () => {
  it('runs work at once up to its limit, and the rest in order of arrival', async () => {
    const bulkhead = new Bulkhead(LIMITS);
    const works = [work(), work(), work(), work()];
    const results = works.map(({ run }) => bulkhead.run(run));
    expect(works.map(({ run }) => run.mock.calls.length)).toEqual([1, 1, 0, 0]);

    works[1].end();
    await results[1];
    expect(works.map(({ run }) => run.mock.calls.length)).toEqual([1, 1, 1, 0]);

    for (const { end } of works) end();
    expect(await Promise.all(results)).toEqual(['done', 'done', 'done', 'done']);
    expect(bulkhead.isIdle).toBe(true);
  });

  it('refuses work beyond its queue with 503 and the time of the next try', async () => {
    const bulkhead = new Bulkhead(LIMITS);
    const under = [work(), work(), work(), work()];
    const results = under.map(({ run }) => bulkhead.run(run));
    const refused = work();
    await expect(bulkhead.run(refused.run)).rejects.toMatchObject({
      code: 'Unavailable',
      message: 'Too many passwords are under way. Try again in a second.',
      headers: { 'Retry-After': '1' },
    });
    expect(refused.run).not.toHaveBeenCalled();
    for (const { end } of under) end();
    await Promise.all(results);
  });

  it('hands the place of a work that failed to the next', async () => {
    const bulkhead = new Bulkhead({ ...LIMITS, running: 1 });
    const first = work();
    const second = work();
    const failing = bulkhead.run(first.run);
    const waiting = bulkhead.run(second.run);
    first.fail(new Error('no luck'));
    await expect(failing).rejects.toThrow('no luck');
    second.end();
    expect(await waiting).toBe('done');
  });

  it('never starts a work whose caller has left', async () => {
    const bulkhead = new Bulkhead({ ...LIMITS, running: 1 });
    const first = work();
    const left = work();
    const running = bulkhead.run(first.run);
    const caller = new AbortController();
    const waiting = bulkhead.run(left.run, caller.signal);
    caller.abort(new Error('The caller has left.'));
    await expect(waiting).rejects.toThrow('The caller has left.');
    first.end();
    await running;
    expect(left.run).not.toHaveBeenCalled();
    expect(bulkhead.isIdle).toBe(true);
  });
});

describe('KeyedBulkhead', () => {
  it('keeps the work of one key from delaying that of another, and forgets idle keys', async () => {
    const bulkheads = new KeyedBulkhead({ running: 1, waiting: 0, what: 'changes' });
    const slow = work();
    const running = bulkheads.run('a', slow.run);
    await expect(bulkheads.run('a', work().run)).rejects.toMatchObject({ code: 'Unavailable' });
    expect(await bulkheads.run('b', () => Promise.resolve('done'))).toBe('done');
    slow.end();
    await running;
    expect(bulkheads.size).toBe(0);
  });
});
