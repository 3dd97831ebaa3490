import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { PacedMoves } from './paced-moves.js';

describe('moves of the pointer', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('are sent at once, then the newest every 25 ms', () => {
    const sent: number[] = [];
    const moves = new PacedMoves(({ x }) => sent.push(x));
    for (const x of [1, 2, 3]) moves.move({ x, y: 0 });
    expect(sent).toEqual([1]);
    vi.advanceTimersByTime(25);
    expect(sent).toEqual([1, 3]);
    vi.advanceTimersByTime(100);
    moves.move({ x: 4, y: 0 });
    expect(sent).toEqual([1, 3, 4]);
  });

  it('that wait are sent before what happens there', () => {
    const sent: number[] = [];
    const moves = new PacedMoves(({ x }) => sent.push(x));
    for (const x of [1, 2]) moves.move({ x, y: 0 });
    moves.flush();
    expect(sent).toEqual([1, 2]);
    moves.move({ x: 3, y: 0 });
    moves.stop();
    vi.advanceTimersByTime(100);
    expect(sent).toEqual([1, 2]);
  });
});
