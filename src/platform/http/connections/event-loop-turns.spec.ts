import { describe, expect, it } from 'vitest';

import { EventLoopTurns } from './event-loop-turns.js';

const WORKS = 60;
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
