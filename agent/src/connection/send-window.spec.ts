import { beforeEach, describe, expect, it } from '@jest/globals';
import { SendWindow } from './send-window.js';

const KIB = 1024;
const ITEM = 40 * KIB;

let window: SendWindow;
let now: number;
/** Marks that are under way. */
let marks: number[];

beforeEach(() => {
  window = new SendWindow();
  now = 0;
  marks = [];
  mark();
  takeAllIn(5);
});

function mark(): void {
  const position = window.nextMark(now);
  if (position !== undefined) marks.push(position);
}

/** Sends until the window is full; answers how many bytes that were. */
function fill(): number {
  for (let bytes = 0; ; bytes += ITEM) {
    mark();
    if (window.isFull) return bytes;
    window.add(ITEM);
  }
}

/** Lets the other end take everything that is marked. */
function takeAllIn(milliseconds: number): void {
  now += milliseconds;
  for (const position of marks.splice(0)) window.returned(position, now);
}

/** Lets a reader that takes so long for all that is under way do so for a while; answers how much fits then. */
function bytesForReader(milliseconds: number): number {
  for (let turn = 0; turn < 10; turn++) {
    fill();
    takeAllIn(milliseconds);
  }
  // What has no mark yet is still under way.
  fill();
  takeAllIn(milliseconds);
  mark();
  takeAllIn(milliseconds);
  return fill();
}

describe('the window of streams', () => {
  it('lets a reader that keeps up have more and more, up to a limit', () => {
    const first = fill();
    const bytes = bytesForReader(100);
    expect(bytes).toBeGreaterThan(10 * first);
    expect(bytes).toBeLessThanOrEqual(8 * KIB * KIB + ITEM);
  });

  it('leaves a slow reader two pieces under way', () => {
    bytesForReader(5);
    expect(bytesForReader(2_000)).toBeLessThanOrEqual(64 * KIB + ITEM);
  });

  it('takes a long way for no slow reader', () => {
    window = new SendWindow();
    mark();
    takeAllIn(600);
    expect(bytesForReader(800)).toBeGreaterThan(4 * KIB * KIB);
  });

  it('always has a mark under way while it is full, so that it opens again', () => {
    for (let turn = 0; turn < 200; turn++) {
      fill();
      expect(marks.length).toBeGreaterThan(0);
      // Calls share the connection, at any moment and of any size.
      window.add((turn * 7_919) % 200_000);
      takeAllIn(turn % 3 === 0 ? 5 : 1_000);
    }
  });

  it('ignores marks that it did not send, and a second return of one', () => {
    fill();
    window.returned(Number.NaN, now);
    window.returned(12, now);
    expect(window.isFull).toBe(true);
    const known = [...marks];
    takeAllIn(5);
    for (const position of known) window.returned(position, now);
    expect(fill()).toBeGreaterThan(0);
  });
});
