import { beforeEach, describe, expect, it } from 'vitest';
import { SendWindow } from './send-window.js';

const KIB = 1024;
const ITEM = 40 * KIB;

let window: SendWindow;
let now: number;
/** Marks in flight. */
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

/** Sends until the window is full and returns the number of bytes. */
function fill(): number {
  for (let bytes = 0; ; bytes += ITEM) {
    mark();
    if (window.isFull) return bytes;
    window.add(ITEM);
  }
}

/** Returns all marks after this many milliseconds. */
function takeAllIn(milliseconds: number): void {
  now += milliseconds;
  for (const position of marks.splice(0)) window.returned(position, now);
}

/** Lets a reader take this long for everything in flight, several times; returns the bytes that then fit. */
function bytesForReader(milliseconds: number): number {
  for (let turn = 0; turn < 10; turn++) {
    fill();
    takeAllIn(milliseconds);
  }
  // Bytes without a mark are still in flight.
  fill();
  takeAllIn(milliseconds);
  mark();
  takeAllIn(milliseconds);
  return fill();
}

describe('the window of streams', () => {
  it('grows for a fast reader, up to a limit', () => {
    const first = fill();
    const bytes = bytesForReader(100);
    expect(bytes).toBeGreaterThan(10 * first);
    expect(bytes).toBeLessThanOrEqual(8 * KIB * KIB + ITEM);
  });

  it('keeps two pieces in flight for a slow reader', () => {
    bytesForReader(5);
    expect(bytesForReader(2_000)).toBeLessThanOrEqual(64 * KIB + ITEM);
  });

  it('does not mistake a long round trip for a slow reader', () => {
    window = new SendWindow();
    mark();
    takeAllIn(600);
    expect(bytesForReader(800)).toBeGreaterThan(4 * KIB * KIB);
  });

  it('always has a mark in flight while it is full, so that it opens again', () => {
    for (let turn = 0; turn < 200; turn++) {
      fill();
      expect(marks.length).toBeGreaterThan(0);
      // Calls share the connection and can have any size.
      window.add((turn * 7_919) % 200_000);
      takeAllIn(turn % 3 === 0 ? 5 : 1_000);
    }
  });

  it('ignores unknown marks and marks that return twice', () => {
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
