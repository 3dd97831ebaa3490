import { beforeEach, describe, expect, it } from 'vitest';

import { Turns } from './turns.js';

describe('turns', () => {
  let turns: Turns;
  let events: string[];

  beforeEach(() => {
    turns = new Turns();
    events = [];
  });

  /** Work that records when it starts and ends. The test decides when it ends. */
  function work(name: string): { start: () => Promise<void>; end: () => void; fail: () => void } {
    let [end, fail]: (() => void)[] = [];
    const ended = new Promise<void>((resolve, reject) => {
      end = resolve;
      fail = () => reject(new Error(name));
    });
    const start = (): Promise<void> => {
      events.push(`${name} starts`);
      return ended.finally(() => events.push(`${name} ends`));
    };
    return { start, end, fail };
  }

  it('run one after another, even if later work is faster', async () => {
    const [first, second] = [work('first'), work('second')];
    const done = [turns.take('a', first.start), turns.take('a', second.start)];
    second.end();
    expect(events).toEqual(['first starts']);
    first.end();
    await Promise.all(done);
    expect(events).toEqual(['first starts', 'first ends', 'second starts', 'second ends']);
  });

  it('run concurrently for different keys', async () => {
    const [one, other] = [work('one'), work('other')];
    const done = [turns.take('a', one.start), turns.take('b', other.start)];
    expect(events).toEqual(['one starts', 'other starts']);
    other.end();
    one.end();
    await Promise.all(done);
  });

  it('continue after failed work, whose caller gets the error', async () => {
    const [first, second] = [work('first'), work('second')];
    const failed = expect(turns.take('a', first.start)).rejects.toThrow('first');
    const done = turns.take('a', second.start);
    first.fail();
    second.end();
    await Promise.all([failed, done]);
    expect(events.at(-1)).toBe('second ends');
  });

  it('keep nothing after all work has ended', async () => {
    const [first, second] = [work('first'), work('second')];
    const failed = expect(turns.take('a', first.start)).rejects.toThrow('first');
    const done = turns.take('b', second.start);
    expect(turns.size).toBe(2);
    first.fail();
    second.end();
    await Promise.all([failed, done]);
    expect(turns.size).toBe(0);
  });
});
