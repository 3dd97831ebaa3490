/*
 * What fingers on the picture of a desktop mean. Places and distances are in pixels of the page, times in milliseconds.
 */

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A finger that is down. */
export interface Finger extends Point {
  readonly id: number;
}

/** The pointer is where the finger is, or fingers move it as on a trackpad. */
export type PointerMode = 'touch' | 'trackpad';

/** An act of fingers. In trackpad mode clicks and the wheel happen where the pointer is, whatever `at` says. */
export type Act =
  | { readonly kind: 'click'; readonly button: 'left' | 'right'; readonly at: Point }
  /** Presses or releases the left button. */
  | { readonly kind: 'press' | 'release'; readonly at: Point }
  | { readonly kind: 'point'; readonly at: Point }
  | { readonly kind: 'nudge'; readonly by: Point; readonly ms: number }
  | { readonly kind: 'scroll'; readonly at: Point; readonly by: Point }
  | { readonly kind: 'pinch'; readonly factor: number; readonly from: Point; readonly to: Point }
  | { readonly kind: 'pan'; readonly by: Point }
  /** A long press begins, or ends. */
  | { readonly kind: 'held'; readonly at: Point | null };

interface Surroundings {
  readonly mode: PointerMode;
  /** True if the picture is larger than its place. */
  readonly canPan: boolean;
}

type Phase =
  | { readonly name: 'idle' | 'over' }
  | { readonly name: 'touched'; readonly finger: Finger; readonly since: number; readonly isSecond: boolean }
  | { readonly name: 'moving'; readonly finger: Finger; readonly at: number; readonly does: 'pan' | 'point' | 'nudge' }
  | { readonly name: 'held'; readonly finger: Finger }
  | { readonly name: 'dragging'; readonly finger: Finger; readonly at: number }
  /** Two fingers that have not moved yet; one of them may be up again. */
  | { readonly name: 'paired'; readonly fingers: readonly [Finger, Finger]; readonly since: number }
  | { readonly name: 'scrolling' | 'pinching'; readonly fingers: readonly [Finger, Finger]; readonly at: Point };

/** Farthest that a resting finger trembles. */
const SLOP = 10;
/** Farthest that one of two fingers moves while the other rests, before it is clear that they pinch. */
const LONE_SLOP = 24;
const LONG_PRESS_MS = 500;
/** Longest time between two taps, and their distance, that are one double tap. */
const DOUBLE_TAP_MS = 350;
const DOUBLE_TAP_REACH = 40;
/** Longest time of a tap with two fingers. */
const PAIR_TAP_MS = 400;

const between = (from: Point, to: Point): Point => ({ x: to.x - from.x, y: to.y - from.y });
const length = ({ x, y }: Point): number => Math.hypot(x, y);
const distance = (from: Point, to: Point): number => length(between(from, to));
const middle = ([{ x, y }, other]: readonly [Point, Point]): Point => ({ x: (x + other.x) / 2, y: (y + other.y) / 2 });
const placeOf = ({ x, y }: Point): Point => ({ x, y });

/** Turns fingers into acts. It is told of every change, and when a finger has rested until `holdAt`. */
export class Gestures {
  private phase: Phase = { name: 'idle' };
  private lastTap: { readonly at: Point; readonly time: number } | null = null;

  constructor(private readonly surroundings: () => Surroundings) {}

  /** Time at which the finger that rests has rested for a long press; null if none does. */
  get holdAt(): number | null {
    return this.phase.name === 'touched' ? this.phase.since + LONG_PRESS_MS : null;
  }

  /** Takes the fingers that are down now. */
  next(fingers: readonly Finger[], now: number): Act[] {
    const [first, second] = fingers;
    if (first === undefined) return this.lift(now);
    const { phase } = this;
    switch (phase.name) {
      case 'idle':
        return this.begin(fingers, now);
      case 'over':
        return [];
      case 'touched':
      case 'moving':
        if (second !== undefined) return this.begin(fingers, now);
        return phase.name === 'touched' ? this.tremble(phase, first, now) : this.move(phase, first, now);
      case 'held':
        if (second !== undefined) return this.stop([{ kind: 'held', at: null }]);
        if (distance(phase.finger, first) <= SLOP) return [];
        this.phase = { name: 'dragging', finger: first, at: now };
        return [{ kind: 'held', at: null }, { kind: 'press', at: placeOf(phase.finger) }, ...this.drag(phase.finger, first, 1)];
      case 'dragging':
        return this.dragOn(phase, fingers, now);
      case 'paired':
        if (second === undefined) return [];
        return fingers.length > 2 ? this.stop() : this.decide(phase, [first, second]);
      case 'scrolling':
      case 'pinching':
        return second === undefined || fingers.length > 2 ? this.stop() : this.moveBoth(phase, [first, second]);
    }
  }

  /** A finger has rested until `holdAt`. */
  hold(): Act[] {
    if (this.phase.name !== 'touched') return [];
    const { finger } = this.phase;
    this.phase = { name: 'held', finger };
    return [{ kind: 'held', at: placeOf(finger) }];
  }

  /** The browser or the page takes the fingers away. */
  cancel(): Act[] {
    const { phase } = this;
    this.phase = { name: 'idle' };
    this.lastTap = null;
    if (phase.name === 'held') return [{ kind: 'held', at: null }];
    return phase.name === 'dragging' ? [{ kind: 'release', at: placeOf(phase.finger) }] : [];
  }

  private begin(fingers: readonly Finger[], now: number): Act[] {
    const [first, second] = fingers;
    if (first === undefined || fingers.length > 2) return this.stop();
    if (second !== undefined) {
      this.phase = { name: 'paired', fingers: [first, second], since: now };
      return [];
    }
    const { lastTap } = this;
    const isNear = lastTap !== null && (this.surroundings().mode === 'trackpad' || distance(lastTap.at, first) <= DOUBLE_TAP_REACH);
    const isSecond = isNear && now - lastTap.time <= DOUBLE_TAP_MS;
    if (!isSecond) this.lastTap = null;
    this.phase = { name: 'touched', finger: first, since: now, isSecond };
    return [];
  }

  /** A finger trembles, or begins to move. */
  private tremble({ finger, isSecond }: Extract<Phase, { readonly name: 'touched' }>, to: Finger, now: number): Act[] {
    if (distance(finger, to) <= SLOP) return [];
    const { mode, canPan } = this.surroundings();
    if (mode === 'trackpad' && isSecond) {
      this.phase = { name: 'dragging', finger: to, at: now };
      return [{ kind: 'press', at: placeOf(finger) }];
    }
    const does = mode === 'trackpad' ? 'nudge' : canPan ? 'pan' : 'point';
    this.lastTap = null;
    this.phase = { name: 'moving', finger: to, at: now, does };
    return does === 'point' ? [{ kind: 'point', at: placeOf(to) }] : [];
  }

  private move({ finger, at, does }: Extract<Phase, { readonly name: 'moving' }>, to: Finger, now: number): Act[] {
    this.phase = { name: 'moving', finger: to, at: now, does };
    if (does === 'point') return [{ kind: 'point', at: placeOf(to) }];
    const by = between(finger, to);
    return does === 'pan' ? [{ kind: 'pan', by }] : [{ kind: 'nudge', by, ms: now - at }];
  }

  /** Another finger beside the one that drags changes nothing. */
  private dragOn({ finger, at }: Extract<Phase, { readonly name: 'dragging' }>, fingers: readonly Finger[], now: number): Act[] {
    const own = fingers.find(({ id }) => id === finger.id);
    if (own === undefined) return this.stop([{ kind: 'release', at: placeOf(finger) }]);
    this.phase = { name: 'dragging', finger: own, at: now };
    return this.drag(finger, own, now - at);
  }

  private drag(from: Point, to: Point, ms: number): Act[] {
    return this.surroundings().mode === 'touch' ? [{ kind: 'point', at: placeOf(to) }] : [{ kind: 'nudge', by: between(from, to), ms }];
  }

  /** Two fingers in the same direction turn the wheel, and pinch otherwise. */
  private decide({ fingers }: Extract<Phase, { readonly name: 'paired' }>, to: readonly [Finger, Finger]): Act[] {
    const ways = [between(fingers[0], to[0]), between(fingers[1], to[1])] as const;
    const [shorter, longer] = ways.map(length).toSorted((a, b) => a - b);
    const haveBothMoved = (shorter ?? 0) > SLOP / 2 && (longer ?? 0) > SLOP;
    if (!haveBothMoved && (longer ?? 0) <= LONE_SLOP) return [];
    const areAlike = haveBothMoved && ways[0].x * ways[1].x + ways[0].y * ways[1].y > 0;
    this.phase = { name: areAlike ? 'scrolling' : 'pinching', fingers: to, at: middle(fingers) };
    return [];
  }

  private moveBoth(
    { name, fingers, at }: Extract<Phase, { readonly name: 'scrolling' | 'pinching' }>,
    to: readonly [Finger, Finger],
  ): Act[] {
    this.phase = { name, fingers: to, at };
    const [from, now] = [middle(fingers), middle(to)];
    if (name === 'scrolling') return [{ kind: 'scroll', at, by: between(from, now) }];
    return [{ kind: 'pinch', factor: distance(...to) / Math.max(1, distance(...fingers)), from, to: now }];
  }

  /** All fingers are up. */
  private lift(now: number): Act[] {
    const { phase } = this;
    this.phase = { name: 'idle' };
    switch (phase.name) {
      case 'touched': {
        // The second click of a double tap is where the first one was: there, the device takes both for one double click.
        const at = phase.isSecond && this.lastTap !== null ? this.lastTap.at : placeOf(phase.finger);
        this.lastTap = { at, time: now };
        return [{ kind: 'click', button: 'left', at }];
      }
      case 'held':
        return [
          { kind: 'held', at: null },
          { kind: 'click', button: 'right', at: placeOf(phase.finger) },
        ];
      case 'dragging':
        return [{ kind: 'release', at: placeOf(phase.finger) }];
      case 'paired':
        return now - phase.since <= PAIR_TAP_MS ? [{ kind: 'click', button: 'right', at: placeOf(phase.fingers[0]) }] : [];
      case 'idle':
      case 'over':
      case 'moving':
      case 'scrolling':
      case 'pinching':
        return [];
    }
  }

  /** Takes no more of the fingers that are down. */
  private stop(acts: Act[] = []): Act[] {
    this.phase = { name: 'over' };
    return acts;
  }
}
