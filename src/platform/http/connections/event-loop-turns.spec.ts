import { describe, expect, it } from 'vitest';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { EventLoopTurns } from './event-loop-turns.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const WORKS = 60;
/** Works of a load that lasts: many times those that leave the list together. */
const MANY = 5_000;
/** Work of a millisecond each: the budget of a turn is used up after one of them, when the next may have begun. */
const MOST_IN_A_TURN = 2;

function busyMillisecond(): void {
  const end = performance.now() + 1;
  while (performance.now() < end);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe('EventLoopTurns', () => {
  it('begins a few works of many in each turn of the event loop, in order', async () => {
    const begun: number[] = [];
    const turns = new EventLoopTurns();
    for (let work = 0; work < WORKS; work += 1) {
      turns.later(() => {
        begun.push(work);
        busyMillisecond();
      });
    }
    while (begun.length < WORKS) {
      const before = begun.length;
      await nextTurn();
      expect(begun.length - before).toBeLessThanOrEqual(MOST_IN_A_TURN);
    }
    expect(begun).toEqual(Array.from({ length: WORKS }, (_, work) => work));
  });

  it('lets go of works that have begun while more keep coming, and keeps the order', async () => {
    const turns = new EventLoopTurns();
    const begun: number[] = [];
    const requests: WeakRef<object>[] = [];
    let isOver = false;
    const add = (): void => {
      const request = { number: requests.length };
      requests.push(new WeakRef(request));
      turns.later(() => {
        begun.push(request.number);
        if (!isOver) add();
      });
    };
    // As each work adds one, the list is never empty.
    for (let work = 0; work < WORKS; work += 1) add();
    while (begun.length < MANY) await nextTurn();
    const answered = requests.slice(0, begun.length);
    await nextTurn();
    collectGarbage();
    const kept = answered.filter((request) => request.deref() !== undefined).length;
    isOver = true;
    while (begun.length < requests.length) await nextTurn();
    expect(kept).toBe(0);
    expect(begun).toEqual(Array.from({ length: requests.length }, (_, number) => number));
  });

  it('is free until the budget of a turn is used up, and while nothing waits', async () => {
    const turns = new EventLoopTurns();
    expect(turns.isFree).toBe(true);
    busyMillisecond();
    expect(turns.isFree).toBe(false);
    await nextTurn();
    expect(turns.isFree).toBe(true);
    turns.later(() => undefined);
    expect(turns.isFree).toBe(false);
  });

  it('numbers the turns', async () => {
    const turns = new EventLoopTurns();
    const first = turns.number;
    expect(turns.number).toBe(first);
    await nextTurn();
    expect(turns.number).toBe(first + 1);
  });
});
