import type { CursorPicture } from '../cursor.js';
import type { Viewport } from '../viewport.js';
import type { ViewerMessage } from '../worker/messages.js';
import { type Act, type Finger, Gestures, type Point, type PointerMode } from './gestures.js';
import { type Buttons, type Place, wheelAt } from './pointer.js';
import { TouchMarks } from './touch-marks.js';
import { nudged } from './trackpad.js';

const LEFT = 0;
const RIGHT = 2;
const PIXELS = 0;
/** Most that a wheel turns for a pixel of the fingers: what is shown small scrolls farther. */
const FASTEST_WHEEL = 4;
const KEY = 'desktop-pointer';
/** Time for which a phone trembles when a long press begins, in milliseconds. */
const TREMBLE_MS = 12;

interface TouchOptions {
  readonly viewport: Viewport;
  /** False while the device gets no input. The picture can be moved and enlarged all the same. */
  readonly isOpen: () => boolean;
  readonly buttons: Buttons;
  readonly send: (message: ViewerMessage) => void;
  readonly move: (place: Place) => void;
  /** A finger has come down. */
  readonly onTouch: () => void;
  /** A click or a drag is over. */
  readonly onClick: () => void;
}

/** Fingers over the picture of a desktop. */
export class TouchInput {
  private readonly gestures: Gestures;
  private readonly marks: TouchMarks;
  private pointerMode: PointerMode = localStorage.getItem(KEY) === 'trackpad' ? 'trackpad' : 'touch';
  /** Place of the pointer on the display, which fingers move as on a trackpad. */
  private place: Place = { x: 0.5, y: 0.5 };
  /** Place of the last click or the like. */
  private last: Place = { x: 0.5, y: 0.5 };
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly options: TouchOptions) {
    const { viewport } = options;
    this.marks = new TouchMarks(viewport);
    this.gestures = new Gestures(() => ({ mode: this.pointerMode, canPan: viewport.canPan }));
    const follow = (event: TouchEvent): void => this.follow(event);
    // Without mouse events, which fingers make otherwise.
    for (const name of ['touchstart', 'touchmove', 'touchend'] as const) viewport.host.addEventListener(name, follow, { passive: false });
    viewport.host.addEventListener('touchcancel', () => this.cancel());
    viewport.onLayOut = () => this.showPointer();
  }

  get mode(): PointerMode {
    return this.pointerMode;
  }

  /** Lets fingers move the pointer as on a trackpad, or again be the pointer. Remembered in this browser. */
  set mode(mode: PointerMode) {
    this.cancel();
    this.pointerMode = mode;
    localStorage.setItem(KEY, mode);
    if (mode === 'trackpad') {
      const { left, top, width, height } = this.options.viewport.host.getBoundingClientRect();
      this.pointAt(this.options.viewport.placeAt({ x: left + width / 2, y: top + height / 2 }));
    }
    this.showPointer();
  }

  /** The place on the display at which the user works. */
  get workplace(): Place {
    return this.pointerMode === 'trackpad' ? this.place : this.last;
  }

  /** Takes the picture of the device's pointer; null if it has none of its own. */
  shape(picture: CursorPicture | null): void {
    this.marks.shape(picture);
    this.showPointer();
  }

  /** Shows the pointer where fingers move it and the device takes input, else none. */
  showPointer(): void {
    this.marks.point(this.pointerMode === 'trackpad' && this.options.isOpen() ? this.place : null);
  }

  /** Takes the fingers away. */
  cancel(): void {
    clearTimeout(this.timer);
    this.doAll(this.gestures.cancel());
  }

  private follow(event: TouchEvent): void {
    const { host } = this.options.viewport;
    if (event.cancelable) event.preventDefault();
    if (event.type === 'touchstart') this.options.onTouch();
    const fingers = [...event.touches]
      .filter(({ target }) => target instanceof Node && host.contains(target))
      .map<Finger>(({ identifier: id, clientX: x, clientY: y }) => ({ id, x, y }));
    this.doAll(this.gestures.next(fingers, event.timeStamp));
    clearTimeout(this.timer);
    const { holdAt } = this.gestures;
    if (holdAt !== null) this.timer = setTimeout(() => this.doAll(this.gestures.hold()), holdAt - event.timeStamp);
  }

  private doAll(acts: readonly Act[]): void {
    for (const act of acts) this.do(act);
  }

  private do(act: Act): void {
    const { viewport } = this.options;
    if (act.kind === 'pan') return viewport.pan(act.by);
    if (act.kind === 'pinch') return viewport.magnify(act.factor, act.from, act.to);
    if (act.kind === 'held' && act.at === null) return this.marks.hold(null);
    if (!this.options.isOpen()) return;
    if (act.kind === 'held') return this.hold(act.at);
    if (act.kind === 'nudge') {
      const { clientWidth: width, clientHeight: height } = viewport.canvas;
      return this.pointAt(nudged(this.place, act.by, act.ms, { width, height }));
    }
    if (act.kind === 'point') return this.options.move(viewport.placeAt(act.at));
    // Beside the picture there is nothing to click.
    if (this.pointerMode === 'touch' && act.kind !== 'release' && !viewport.shows(act.at)) return;
    this.press(act, this.pointerMode === 'trackpad' ? this.place : viewport.placeAt(act.at));
  }

  private press(act: Extract<Act, { readonly kind: 'click' | 'press' | 'release' | 'scroll' }>, place: Place): void {
    const { buttons, send, viewport, onClick } = this.options;
    this.last = place;
    switch (act.kind) {
      case 'click': {
        const button = act.button === 'left' ? LEFT : RIGHT;
        buttons.press(button, place);
        buttons.release(button, place);
        return onClick();
      }
      case 'press':
        return buttons.press(LEFT, place);
      case 'release':
        buttons.release(LEFT, place);
        return onClick();
      case 'scroll': {
        const gain = Math.min(FASTEST_WHEEL, Math.max(1, 1 / viewport.scale));
        // What is under the fingers goes with them.
        return send(wheelAt(place, { deltaX: -act.by.x * gain, deltaY: -act.by.y * gain, deltaMode: PIXELS }));
      }
    }
  }

  private hold(at: Point | null): void {
    if (at !== null && this.pointerMode === 'touch' && !this.options.viewport.shows(at)) return;
    this.marks.hold(at);
    if (at !== null) navigator.vibrate?.(TREMBLE_MS);
  }

  private pointAt(place: Place): void {
    this.place = place;
    this.options.viewport.reveal(place);
    this.showPointer();
    if (this.options.isOpen()) this.options.move(place);
  }
}
