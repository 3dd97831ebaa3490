import { beforeEach, describe, expect, it } from 'vitest';

import { type Act, type Finger, Gestures, type PointerMode } from './gestures.js';

let mode: PointerMode;
let canPan: boolean;
let gestures: Gestures;
let now: number;

beforeEach(() => {
  mode = 'touch';
  canPan = false;
  now = 1000;
  gestures = new Gestures(() => ({ mode, canPan }));
});

/** Fingers at places, as their identifiers stand in the list. */
const fingers = (...places: readonly (readonly [x: number, y: number])[]): Finger[] => places.map(([x, y], id) => ({ id, x, y }));

/** The acts after each of several states of the fingers, 20 ms apart. */
function follow(...states: readonly (readonly Finger[])[]): Act[] {
  return states.flatMap((state) => {
    now += 20;
    return gestures.next(state, now);
  });
}

const tap = (x: number, y: number): Act[] => follow(fingers([x, y]), []);
const kinds = (acts: readonly Act[]): string[] => acts.map(({ kind }) => kind);

describe('fingers on a picture', () => {
  it('click where they tap', () => {
    expect(tap(100, 50)).toEqual([{ kind: 'click', button: 'left', at: { x: 100, y: 50 } }]);
  });

  it('may tremble while they tap', () => {
    expect(kinds(follow(fingers([100, 50]), fingers([106, 53]), []))).toEqual(['click']);
  });

  it('click twice at one place with a double tap', () => {
    tap(100, 50);
    expect(tap(112, 60)).toEqual([{ kind: 'click', button: 'left', at: { x: 100, y: 50 } }]);
    now += 1000;
    expect(tap(112, 60)).toMatchObject([{ at: { x: 112, y: 60 } }]);
    expect(tap(200, 60)).toMatchObject([{ at: { x: 200, y: 60 } }]);
  });

  it('click right with a long press, which shows itself', () => {
    follow(fingers([100, 50]));
    expect(gestures.holdAt).toBe(now + 500);
    expect(gestures.hold()).toEqual([{ kind: 'held', at: { x: 100, y: 50 } }]);
    expect(gestures.holdAt).toBeNull();
    expect(follow(fingers([103, 50]), [])).toEqual([
      { kind: 'held', at: null },
      { kind: 'click', button: 'right', at: { x: 100, y: 50 } },
    ]);
  });

  it('drag after a long press, from where they were', () => {
    follow(fingers([100, 50]));
    gestures.hold();
    expect(follow(fingers([130, 50]), fingers([150, 70]), [])).toEqual([
      { kind: 'held', at: null },
      { kind: 'press', at: { x: 100, y: 50 } },
      { kind: 'point', at: { x: 130, y: 50 } },
      { kind: 'point', at: { x: 150, y: 70 } },
      { kind: 'release', at: { x: 150, y: 70 } },
    ]);
  });

  it('go on dragging with another finger down, and release without the first', () => {
    follow(fingers([100, 50]));
    gestures.hold();
    follow(fingers([130, 50]));
    expect(follow(fingers([140, 50], [10, 10]))).toEqual([{ kind: 'point', at: { x: 140, y: 50 } }]);
    expect(follow([{ id: 1, x: 10, y: 10 }])).toEqual([{ kind: 'release', at: { x: 140, y: 50 } }]);
    expect(follow([{ id: 1, x: 90, y: 10 }], [])).toEqual([]);
  });

  it('move the pointer, and pan a picture that is larger than its place', () => {
    expect(follow(fingers([100, 50]), fingers([120, 50]), [])).toEqual([{ kind: 'point', at: { x: 120, y: 50 } }]);
    canPan = true;
    expect(follow(fingers([100, 50]), fingers([120, 50]), fingers([125, 40]), [])).toEqual([{ kind: 'pan', by: { x: 5, y: -10 } }]);
  });

  it('do not click after they have moved', () => {
    expect(kinds(follow(fingers([100, 50]), fingers([200, 50]), fingers([100, 50]), []))).toEqual(['point', 'point']);
  });

  it('turn the wheel with two in one direction', () => {
    const acts = follow(
      fingers([100, 50], [160, 50]),
      fingers([100, 50], [160, 80]),
      fingers([100, 80], [160, 80]),
      fingers([100, 100], [160, 100]),
      [],
    );
    // The first of them may be told of its way before the other is.
    expect(acts.map(({ kind }) => kind)).not.toContain('click');
    follow(fingers([100, 50], [160, 50]), fingers([100, 70], [160, 70]));
    expect(follow(fingers([100, 90], [160, 90]))).toEqual([{ kind: 'scroll', at: { x: 130, y: 50 }, by: { x: 0, y: 20 } }]);
  });

  it('pinch with two in opposite directions, around their middle', () => {
    follow(fingers([100, 50], [200, 50]), fingers([80, 50], [220, 50]));
    expect(follow(fingers([10, 60], [290, 60]))).toEqual([{ kind: 'pinch', factor: 2, from: { x: 150, y: 50 }, to: { x: 150, y: 60 } }]);
    expect(follow(fingers([10, 60]), fingers([90, 60]), [])).toEqual([]);
  });

  it('pinch with one that moves while the other rests', () => {
    follow(fingers([100, 50], [200, 50]), fingers([100, 50], [230, 50]));
    expect(kinds(follow(fingers([100, 50], [260, 50])))).toEqual(['pinch']);
  });

  it('begin to pinch while one of them pans', () => {
    canPan = true;
    follow(fingers([100, 50]), fingers([150, 50]), fingers([150, 50], [250, 50]), fingers([130, 50], [270, 50]));
    expect(kinds(follow(fingers([100, 50], [300, 50])))).toEqual(['pinch']);
  });

  it('click right with a tap of two', () => {
    expect(follow(fingers([100, 50]), fingers([100, 50], [160, 50]), fingers([100, 50]), [])).toEqual([
      { kind: 'click', button: 'right', at: { x: 100, y: 50 } },
    ]);
    follow(fingers([100, 50], [160, 50]));
    now += 1000;
    expect(follow([])).toEqual([]);
  });

  it('do nothing with three', () => {
    expect(follow(fingers([1, 1], [2, 2], [3, 3]), fingers([50, 1], [60, 2]), fingers([90, 1]), [])).toEqual([]);
    expect(kinds(tap(1, 1))).toEqual(['click']);
  });

  it('leave nothing pressed when they are taken away', () => {
    follow(fingers([100, 50]));
    gestures.hold();
    expect(gestures.cancel()).toEqual([{ kind: 'held', at: null }]);
    follow(fingers([100, 50]));
    gestures.hold();
    follow(fingers([150, 50]));
    expect(gestures.cancel()).toEqual([{ kind: 'release', at: { x: 150, y: 50 } }]);
    expect(gestures.cancel()).toEqual([]);
  });
});

describe('fingers on a trackpad', () => {
  beforeEach(() => {
    mode = 'trackpad';
    canPan = true;
  });

  it('move the pointer by their way, not to their place', () => {
    expect(follow(fingers([100, 50]), fingers([120, 50]), fingers([125, 45]), [])).toEqual([
      { kind: 'nudge', by: { x: 5, y: -5 }, ms: 20 },
    ]);
  });

  it('drag with a tap and a movement right after it, or after a long press', () => {
    tap(100, 50);
    expect(kinds(follow(fingers([300, 50]), fingers([330, 50]), fingers([340, 50]), []))).toEqual(['press', 'nudge', 'release']);
    now += 1000;
    follow(fingers([100, 50]));
    gestures.hold();
    expect(kinds(follow(fingers([130, 50]), []))).toEqual(['held', 'press', 'nudge', 'release']);
  });
});
