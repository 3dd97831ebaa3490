import { describe, expect, it } from 'vitest';

import { FairBulkhead } from './fair-bulkhead.js';

const LIMITS = { running: 8, waiting: 16, what: 'searches' };

/** Works of users, which begin when they are told to and end when the test says so. */
class Stage {
  readonly running: string[] = [];
  private readonly ends: (() => void)[] = [];

  constructor(private readonly bulkhead: FairBulkhead) {}

  start(user: string, signal?: AbortSignal): Promise<void> {
    return this.bulkhead.run(
      user,
      () => {
        this.running.push(user);
        return new Promise((resolve) => this.ends.push(resolve));
      },
      signal,
    );
  }

  startMany(user: string, count: number): Promise<void>[] {
    return Array.from({ length: count }, () => this.start(user));
  }

  /** Ends the work that began at that position. */
  async end(index: number): Promise<void> {
    this.ends[index]();
    await new Promise(setImmediate);
  }

  async endAll(): Promise<void> {
    for (let index = 0; index < this.ends.length; index += 1) await this.end(index);
  }
}

const count = (users: readonly string[], user: string): number => users.filter((each) => each === user).length;

describe('FairBulkhead', () => {
  it('lets a lone user run nearly all, and the next user start at once', async () => {
    const stage = new Stage(new FairBulkhead(LIMITS));
    const works = [...stage.startMany('a', 9), stage.start('b')];
    expect(stage.running).toEqual([...Array.from({ length: 7 }, () => 'a'), 'b']);
    await stage.endAll();
    await Promise.all(works);
    expect(stage.running).toHaveLength(10);
  });

  it('gives a free place to the user that runs least, not to the one that has waited longest', async () => {
    const stage = new Stage(new FairBulkhead(LIMITS));
    const works = [...stage.startMany('a', 15), ...stage.startMany('b', 6)];
    for (let index = 0; index < 4; index += 1) await stage.end(index);
    // Seven of a ran at first, of which four have ended. All that became free went to b, until both ran equally much.
    expect([count(stage.running, 'a'), count(stage.running, 'b')]).toEqual([8, 4]);
    await stage.endAll();
    await Promise.all(works);
  });

  it('starts no more than half for one user while there are others', async () => {
    const stage = new Stage(new FairBulkhead(LIMITS));
    const works = [stage.start('b'), ...stage.startMany('a', 6)];
    expect(count(stage.running, 'a')).toBe(4);
    await stage.end(0);
    expect(count(stage.running, 'a')).toBe(6);
    await stage.endAll();
    await Promise.all(works);
  });

  it('refuses a user whose queue is full, and no other', async () => {
    const bulkhead = new FairBulkhead(LIMITS);
    const stage = new Stage(bulkhead);
    const works = [stage.start('b'), ...stage.startMany('a', 4 + 8)];
    await expect(stage.start('a')).rejects.toMatchObject({
      code: 'Unavailable',
      message: 'Too many searches are under way. Try again in a second.',
    });
    works.push(...stage.startMany('b', 3 + 8));
    await expect(stage.start('c')).rejects.toMatchObject({ code: 'Unavailable' });
    await stage.endAll();
    await Promise.all(works);
    expect(bulkhead.size).toBe(0);
  });

  it('lets a work leave the queue, which makes room for the others', async () => {
    const bulkhead = new FairBulkhead({ ...LIMITS, running: 2 });
    const stage = new Stage(bulkhead);
    const leaving = new AbortController();
    const first = stage.start('a');
    const left = stage.start('b', leaving.signal);
    const gone = stage.start('b', leaving.signal);
    leaving.abort(new Error('gone'));
    await expect(gone).rejects.toThrow('gone');
    await expect(stage.start('c', AbortSignal.abort(new Error('never')))).rejects.toThrow('never');
    await stage.endAll();
    await Promise.all([first, left]);
    expect(bulkhead.size).toBe(0);
  });

  it('hands the place of a work that failed to the next', async () => {
    const bulkhead = new FairBulkhead({ ...LIMITS, running: 1 });
    await expect(bulkhead.run('a', () => Promise.reject(new Error('no luck')))).rejects.toThrow('no luck');
    expect([await bulkhead.run('a', () => Promise.resolve('done')), bulkhead.size]).toEqual(['done', 0]);
  });
});
