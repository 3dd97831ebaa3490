import { setTimeout as delay } from 'node:timers/promises';
import type { XEvent } from 'x11';
import type { HeldModifiers, InputDevice, Place, Rectangle } from '../platform.js';
import { isLetter, KeyboardLayout, type Stroke } from './keyboard-layout.js';
import { codeOfPosition, namedSymbol, symbolOf } from './keysyms.js';
import type { XConnection } from './x-connection.js';

const KEY_PRESS = 2;
const KEY_RELEASE = 3;
const BUTTON_PRESS = 4;
const BUTTON_RELEASE = 5;
const MOTION = 6;
/** Buttons of X by those of DOM events: left, middle, right, back, forward. */
const BUTTONS = [1, 2, 3, 8, 9];
const WHEEL = { up: 4, down: 5, left: 6, right: 7 };
/** CSS pixels of one step of a wheel. */
const WHEEL_STEP = 100;
/** Most steps of one message. */
const MAX_STEPS = 50;
/** Programs read the new symbol of a key late. It keeps it for this time after the last use. */
const BORROWED_MS = 1_000;
/** Time in which programs type with symbols that must go, before their keys get others. */
const BATCH_MS = 50;
const LOCK_MASK = 2;
const GROUP_SHIFT = 13;
const ALL_KEYS = 256;
const POINTER_MAPPING = 2;
/** Several keys change at once. */
const MAPPING_MS = 20;

const SHIFT = [0xffe1, 0xffe2];
const CONTROL = [0xffe3, 0xffe4];
const META = [0xffe7, 0xffe8];
const ALT = [0xffe9, 0xffea];
const SUPER = [0xffeb, 0xffec];
const LEVEL_3 = [0xfe03, 0xff7e];
const MODIFIERS = new Set([...SHIFT, ...CONTROL, ...META, ...ALT, ...SUPER, ...LEVEL_3]);

/** Keys and buttons by XTEST. */
export class XInput implements InputDevice {
  private bounds: Rectangle = { x: 0, y: 0, width: 1, height: 1 };
  private readonly keysDown = new Set<number>();
  private readonly buttonsDown = new Set<number>();
  /** The keys that are down by their position, since the layout may change while they are held. */
  private readonly pressed = new Map<string, number>();
  /** Keys that have got a symbol, by it. */
  private readonly borrowed = new Map<number, number>();
  private freeKeys: number[];
  private reading: NodeJS.Timeout | undefined;
  private returning: NodeJS.Timeout | undefined;
  private scrolled = { x: 0, y: 0 };
  private isStopped = false;

  private constructor(
    private readonly connection: XConnection,
    private layout: KeyboardLayout,
  ) {
    this.freeKeys = [...layout.spare];
    connection.client.on('event', ({ name, request }: XEvent) => {
      if (name === 'MappingNotify' && request !== POINTER_MAPPING) this.onMapping();
    });
  }

  static async start(connection: XConnection): Promise<XInput> {
    return new XInput(connection, new KeyboardLayout(connection.display.min_keycode, await readRows(connection)));
  }

  show(bounds: Rectangle): void {
    this.bounds = bounds;
  }

  move({ normalizedX, normalizedY }: Place): void {
    const { x, y, width, height } = this.bounds;
    const [left, top] = [x + inside(normalizedX, width), y + inside(normalizedY, height)];
    this.fake(MOTION, 0, left, top);
  }

  button(button: number, isPressed: boolean, place: Place): void {
    const number = BUTTONS[button];
    if (number === undefined) return;
    this.move(place);
    this.press(number, isPressed);
  }

  click(button: number, isDouble: boolean, place: Place): void {
    for (let count = isDouble ? 2 : 1; count > 0; count -= 1) {
      this.button(button, true, place);
      this.button(button, false, place);
    }
  }

  scroll(place: Place, scrollX: number, scrollY: number): void {
    this.move(place);
    this.turn('y', scrollY, WHEEL.up, WHEEL.down);
    this.turn('x', scrollX, WHEEL.right, WHEEL.left);
  }

  key(key: string, code: string, isPressed: boolean): void {
    const name = code === '' ? key : code;
    if (!isPressed) {
      const keyCode = this.pressed.get(name);
      this.pressed.delete(name);
      if (keyCode !== undefined) this.up(keyCode);
      return;
    }
    const keyCode = this.pressed.get(name) ?? this.keyCodeOf(key, code);
    if (keyCode === undefined) return;
    this.pressed.set(name, keyCode);
    this.down(keyCode);
  }

  async character(character: string, modifiers: HeldModifiers): Promise<void> {
    await this.borrowFor([character]);
    await this.stroke(character, modifiers);
    this.giveBackLater();
  }

  async type(text: string): Promise<void> {
    const characters = [...text.replaceAll('\r\n', '\n')];
    for (let at = 0; at < characters.length;) {
      const taken = await this.borrowFor(characters.slice(at));
      for (const character of characters.slice(at, at + taken)) await this.stroke(character);
      at += taken;
    }
    this.giveBackLater();
  }

  releaseAll(): void {
    for (const keyCode of this.keysDown) this.fake(KEY_RELEASE, keyCode);
    for (const button of this.buttonsDown) this.fake(BUTTON_RELEASE, button);
    this.keysDown.clear();
    this.buttonsDown.clear();
    this.pressed.clear();
  }

  /** Releases everything, and gives borrowed keys back. What is being typed ends with an error. */
  stop(): void {
    this.isStopped = true;
    this.releaseAll();
    clearTimeout(this.returning);
    clearTimeout(this.reading);
    this.giveBack();
  }

  /** Releases every key and button that is down on the device of XTEST, also of other programs. */
  async liftAll(): Promise<void> {
    const { client } = this.connection;
    const bits = await this.connection.ask<Buffer | readonly number[]>((reply) => client.QueryKeymap(reply));
    for (let keyCode = 0; keyCode < ALL_KEYS; keyCode += 1)
      if (((bits[keyCode >> 3] ?? 0) & (1 << (keyCode & 7))) !== 0) this.fake(KEY_RELEASE, keyCode);
    for (const button of BUTTONS) this.fake(BUTTON_RELEASE, button);
  }

  private keyCodeOf(key: string, code: string): number | undefined {
    const position = codeOfPosition(code);
    const named = namedSymbol(key);
    // Where keys have other codes, those of the main rows are the same, and the others are found by their symbols.
    if (position !== undefined && (this.layout.hasKernelCodes || named === undefined)) return position;
    return named === undefined ? this.layout.strokeFor(symbolOf(key), 0)?.keyCode : this.layout.keyOf(named);
  }

  /** Types a character, with exactly the modifiers that it needs. Keys that are held otherwise are down again afterwards. */
  private async stroke(character: string, held?: HeldModifiers): Promise<void> {
    const keyMask = await this.keyMask();
    const found = this.strokeOf(character, (keyMask >> GROUP_SHIFT) & 3);
    if (found === undefined) return;
    const isLocked = (keyMask & LOCK_MASK) !== 0 && isLetter(character) && !found.level3 && !this.borrowed.has(symbolOf(character));
    const { keyCode, level3 } = found;
    const shift = found.shift !== isLocked;
    const wanted = new Set([
      ...(shift ? SHIFT : []),
      ...(level3 ? LEVEL_3 : []),
      ...(held?.control === true ? CONTROL : []),
      ...(held?.alt === true ? ALT : []),
      ...(held?.meta === true ? [...META, ...SUPER] : []),
    ]);
    const down = [...this.keysDown].filter((each) => MODIFIERS.has(this.layout.symbolOfKey(each)));
    const lifted = down.filter((each) => !wanted.has(this.layout.symbolOfKey(each)));
    const isDown = (symbols: readonly number[]): boolean => down.some((each) => symbols.includes(this.layout.symbolOfKey(each)));
    const { shiftKey, level3Key } = this.layout;
    const added = [
      ...(shift && !isDown(SHIFT) && shiftKey !== undefined ? [shiftKey] : []),
      ...(level3 && !isDown(LEVEL_3) && level3Key !== undefined ? [level3Key] : []),
    ];
    // A key that is held by its position must not be typed again while it is down.
    if (this.keysDown.has(keyCode)) this.up(keyCode);
    for (const each of lifted) this.fake(KEY_RELEASE, each);
    for (const each of added) this.fake(KEY_PRESS, each);
    this.fake(KEY_PRESS, keyCode);
    this.fake(KEY_RELEASE, keyCode);
    for (const each of added.reverse()) this.fake(KEY_RELEASE, each);
    for (const each of lifted) this.fake(KEY_PRESS, each);
  }

  private strokeOf(character: string, group: number): Stroke | undefined {
    const symbol = symbolOf(character);
    const keyCode = this.borrowed.get(symbol);
    return keyCode === undefined ? this.layout.strokeFor(symbol, group) : { keyCode, shift: false, level3: false };
  }

  /**
   * Gives keys of their own to the characters that the layout lacks, all at once, and returns how many characters can be typed then. A
   * program that reads a key's symbol late would type the next one, if a key had several after each other.
   */
  private async borrowFor(characters: readonly string[]): Promise<number> {
    const keyMask = await this.keyMask();
    // Typing may take long. Its keys are given back after it.
    clearTimeout(this.returning);
    const group = (keyMask >> GROUP_SHIFT) & 3;
    let taken = 0;
    let isNew = false;
    for (const character of characters) {
      const symbol = symbolOf(character);
      if (!this.borrowed.has(symbol) && this.layout.strokeFor(symbol, group) === undefined) {
        if (this.freeKeys.length === 0 && taken > 0) break;
        if (this.freeKeys.length === 0) {
          await delay(BATCH_MS);
          this.giveBack();
          await this.keyMask();
        }
        const keyCode = this.freeKeys.shift();
        // A keyboard without any spare key cannot type it.
        if (keyCode !== undefined) {
          this.assign(keyCode, symbol);
          this.borrowed.set(symbol, keyCode);
          isNew = true;
        }
      }
      taken += 1;
    }
    // The server has told all programs of the change before a key is pressed.
    if (isNew) await this.keyMask();
    return taken;
  }

  /** Asks the server for the modifiers. It has then dealt with all that was sent before. @throws Error after {@link stop}, so that no more is typed */
  private async keyMask(): Promise<number> {
    const { client, root } = this.connection;
    const { keyMask } = await this.connection.ask<{ readonly keyMask: number }>((reply) => client.QueryPointer(root, reply));
    if (this.isStopped) throw new Error('The session has ended.');
    return keyMask;
  }

  private giveBackLater(): void {
    clearTimeout(this.returning);
    if (this.borrowed.size > 0) this.returning = setTimeout(() => this.giveBack(), BORROWED_MS);
  }

  private giveBack(): void {
    for (const keyCode of this.borrowed.values()) {
      this.assign(keyCode, 0);
      this.freeKeys.push(keyCode);
    }
    this.borrowed.clear();
  }

  private assign(keyCode: number, symbol: number): void {
    const columns = Math.max(2, this.layout.symbolsPerKey);
    this.connection.client.ChangeKeyboardMapping(keyCode, columns, Array<number>(columns).fill(symbol));
  }

  /** Reads the layout when it has changed. Keys that this session has borrowed are no part of it. */
  private onMapping(): void {
    clearTimeout(this.reading);
    this.reading = setTimeout(() => {
      readRows(this.connection).then(
        (rows) => {
          const { min_keycode: first } = this.connection.display;
          const own = new Set(this.borrowed.values());
          this.layout = new KeyboardLayout(
            first,
            rows.map((symbols, index) => (own.has(first + index) ? symbols.map(() => 0) : symbols)),
          );
          this.freeKeys = this.layout.spare.filter((keyCode) => !own.has(keyCode));
        },
        // The connection has ended, which the session is told.
        () => undefined,
      );
    }, MAPPING_MS);
  }

  private turn(axis: 'x' | 'y', amount: number, positive: number, negative: number): void {
    if (!Number.isFinite(amount)) return;
    const total = this.scrolled[axis] + amount;
    const steps = Math.trunc(total / WHEEL_STEP);
    this.scrolled[axis] = total - steps * WHEEL_STEP;
    for (let count = Math.min(MAX_STEPS, Math.abs(steps)); count > 0; count -= 1) {
      this.press(steps > 0 ? positive : negative, true);
      this.press(steps > 0 ? positive : negative, false);
    }
  }

  private press(button: number, isPressed: boolean): void {
    if (isPressed) this.buttonsDown.add(button);
    else this.buttonsDown.delete(button);
    this.fake(isPressed ? BUTTON_PRESS : BUTTON_RELEASE, button);
  }

  private down(keyCode: number): void {
    if (this.keysDown.has(keyCode)) return;
    this.keysDown.add(keyCode);
    this.fake(KEY_PRESS, keyCode);
  }

  private up(keyCode: number): void {
    if (!this.keysDown.delete(keyCode)) return;
    this.fake(KEY_RELEASE, keyCode);
  }

  private fake(kind: number, detail: number, x = 0, y = 0): void {
    this.connection.extensions.test.FakeInput(kind, detail, 0, kind === MOTION ? this.connection.root : 0, x, y);
  }
}

async function readRows(connection: XConnection): Promise<readonly (readonly number[])[]> {
  const { min_keycode: first, max_keycode: last } = connection.display;
  return connection.ask((reply) => connection.client.GetKeyboardMapping(first, last - first + 1, reply));
}

/** The pixel of a place. Places outside of the display are brought to its edge. */
function inside(place: number, size: number): number {
  const pixel = Math.floor(place * size);
  return Number.isFinite(pixel) ? Math.max(0, Math.min(size - 1, pixel)) : 0;
}
