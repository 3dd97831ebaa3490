import { describe, expect, it } from 'vitest';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { EventLoopTurns } from './event-loop-turns.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const WORKS = 60;
/** Works of a load that lasts: many times those that leave the list together. */
const MANY = 5_000;
/** Turns in which garbage may be collected before an object counts as kept. */
const MOST_TURNS = 20;
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
    const kept = async (): Promise<number> => {
      await nextTurn();
      collectGarbage();
      return answered.filter((request) => request.deref() !== undefined).length;
    };
    // A register of the processor may still hold one for a moment, while a list that never lets go holds all of them for good.
    let left = await kept();
    for (let turn = 0; left > 0 && turn < MOST_TURNS; turn += 1) left = await kept();
    isOver = true;
    while (begun.length < requests.length) await nextTurn();
    expect(left).toBe(0);
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
