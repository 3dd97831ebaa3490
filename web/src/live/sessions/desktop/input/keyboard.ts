import type { ViewerMessage } from '../worker/messages.js';
import { type Modifier, StickyKeys, type StickyState } from './sticky-keys.js';

/** The part of a KeyboardEvent that decides what is sent. */
export interface KeyStroke {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
  readonly isComposing: boolean;
  getModifierState(name: string): boolean;
}

type Send = (message: ViewerMessage) => void;

type KeyValue = Extract<ViewerMessage, { readonly name: 'KeyEvent' }>['value'];

const AUTO = 0;
/** A key by its character, wherever it is on the keyboard. */
const VIRTUAL = 2;
/** Keys whose event says that a text is being composed: dead keys, input methods, the keyboards of phones. */
const COMPOSING: ReadonlySet<string> = new Set(['Dead', 'Process', 'Unidentified', 'Compose']);
/** Keys that stay here: the device gets the characters that they lead to. */
const KEPT: ReadonlySet<string> = new Set(['AltGraph', 'CapsLock', 'NumLock', 'ScrollLock']);
/** Modifiers that lead to other characters instead of commands, where they do. */
const COMPOSED_BY = ['ControlLeft', 'ControlRight', 'AltLeft', 'AltRight'];
const NAMED_KEY = /^[A-Z][A-Za-z0-9]*$/;

const MODIFIERS = { Control: 'control', Shift: 'shift', Alt: 'alt', Meta: 'meta' } as const;
const NO_MODIFIERS = { control: false, shift: false, alt: false, meta: false };

const isCharacter = (key: string): boolean => [...key].length === 1;

/** Turns strokes into messages, and knows which keys are down on the device. */
export class Keyboard {
  /** The keys that are down on the device, by their place on the keyboard. */
  private readonly held = new Map<string, string>();
  private readonly sticky = new StickyKeys();

  constructor(
    private readonly send: Send,
    private readonly isMac: boolean,
    /** Modifiers that taps hold down have changed. */
    private readonly onSticky: () => void = () => undefined,
  ) {}

  /** Takes a key that was pressed. False if it belongs to a text that is still being composed. */
  down(stroke: KeyStroke): boolean {
    const { key, code } = stroke;
    if (stroke.isComposing || COMPOSING.has(key)) return false;
    if (KEPT.has(key)) {
      // Windows presses Control with AltGr.
      if (key === 'AltGraph') this.release(COMPOSED_BY);
      return true;
    }
    if (!isCharacter(key) && !NAMED_KEY.test(key)) {
      // A dead key and a character that it does not go with.
      this.type(key);
      return true;
    }
    const isComposed = this.isComposed(stroke);
    if (isComposed) this.release(COMPOSED_BY);
    this.held.set(code === '' ? key : code, key);
    this.event(stroke, key, true, isComposed);
    return true;
  }

  /** Takes a key that was released. */
  up(stroke: KeyStroke): void {
    const place = stroke.code === '' ? stroke.key : stroke.code;
    const key = this.held.get(place);
    if (key === undefined) return;
    this.held.delete(place);
    this.event(stroke, key, false, false);
    if (!Object.hasOwn(MODIFIERS, key)) this.lift();
    // macOS tells of no release while Command is down.
    if (this.isMac && key === 'Meta') this.releaseAll();
  }

  /** Types a text as characters. */
  type(text: string): void {
    if (text !== '') this.send({ name: 'TypeText', value: { text } });
  }

  stateOf(modifier: Modifier): StickyState {
    return this.sticky.stateOf(modifier);
  }

  /** Holds a modifier down for the next key, then until it is tapped again. */
  tap(modifier: Modifier): void {
    const state = this.sticky.tap(modifier);
    const place = `${modifier}Left`;
    if (state === 'next') {
      this.held.set(place, modifier);
      this.tell(modifier, place, true);
    } else if (state === 'up') this.release([place]);
    this.onSticky();
  }

  /** Presses and releases a key, with the modifiers that are held down by taps. */
  stroke(key: string, code: string, inputMode: KeyValue['inputMode'] = AUTO): void {
    this.tell(key, code, true, inputMode);
    this.tell(key, code, false, inputMode);
    this.lift();
  }

  /** Types a text with the modifiers that are held down by taps. Returns true if its beginning was a command. */
  write(text: string): boolean {
    let rest = [...text];
    let isCommand = false;
    while (this.sticky.areDown && rest[0] !== undefined) {
      const [character, ...others] = rest;
      rest = others;
      isCommand = true;
      if (character === '\n') this.stroke('Enter', 'Enter');
      else this.stroke(character, '', VIRTUAL);
    }
    rest
      .join('')
      .split('\n')
      .forEach((line, index) => {
        if (index > 0) this.stroke('Enter', 'Enter');
        this.type(line);
      });
    return isCommand;
  }

  /** Releases the modifiers that a tap holds down for one key or click. */
  lift(): void {
    const used = this.sticky.use();
    if (used.length === 0) return;
    this.release(used.map((modifier) => `${modifier}Left`));
    this.onSticky();
  }

  /** Presses keys one after another, and releases them in the other order. */
  chord(keys: readonly (readonly [key: string, code: string])[]): void {
    const modifiers = { ...NO_MODIFIERS };
    const press = (key: string, code: string, isPressed: boolean): void => {
      if (Object.hasOwn(MODIFIERS, key)) modifiers[MODIFIERS[key as Modifier]] = isPressed;
      this.send({ name: 'KeyEvent', value: { key, code, isPressed, inputMode: AUTO, modifiers: { ...modifiers } } });
    };
    for (const [key, code] of keys) press(key, code, true);
    for (const [key, code] of keys.toReversed()) press(key, code, false);
  }

  /** Releases every key: the page gets no more of them. */
  releaseAll(): void {
    if (this.held.size === 0) return;
    this.held.clear();
    this.send({ name: 'ResetKeyboardState', value: {} });
    if (!this.sticky.areDown) return;
    this.sticky.clear();
    this.onSticky();
  }

  /** True if the modifiers have led to the character, so that they are no part of a command. */
  private isComposed(stroke: KeyStroke): boolean {
    const { key, ctrlKey, altKey, metaKey } = stroke;
    if (!isCharacter(key) || metaKey) return false;
    if (stroke.getModifierState('AltGraph')) return true;
    // Where AltGr is Control and Alt, and where Option is like AltGr.
    return altKey && (ctrlKey || this.isMac) && !/^[a-z0-9]$/i.test(key);
  }

  private release(places: readonly string[]): void {
    for (const place of places) {
      const key = this.held.get(place);
      if (key === undefined) continue;
      this.held.delete(place);
      this.tell(key, place, false);
    }
  }

  private tell(key: string, code: string, isPressed: boolean, inputMode: KeyValue['inputMode'] = AUTO): void {
    this.send({ name: 'KeyEvent', value: { key, code, isPressed, inputMode, modifiers: this.withSticky(NO_MODIFIERS) } });
  }

  private withSticky(modifiers: KeyValue['modifiers']): KeyValue['modifiers'] {
    return { ...modifiers, ...Object.fromEntries(this.sticky.down.map((modifier) => [MODIFIERS[modifier], true])) };
  }

  private event({ code, ctrlKey, shiftKey, altKey, metaKey }: KeyStroke, key: string, isPressed: boolean, isComposed: boolean): void {
    const modifiers = this.withSticky({ control: ctrlKey && !isComposed, shift: shiftKey, alt: altKey && !isComposed, meta: metaKey });
    this.send({ name: 'KeyEvent', value: { key, code, isPressed, inputMode: AUTO, modifiers } });
  }
}
