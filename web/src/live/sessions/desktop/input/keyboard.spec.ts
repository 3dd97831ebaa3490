import { beforeEach, describe, expect, it } from 'vitest';

import type { ViewerMessage } from '../worker/messages.js';
import { Keyboard, type KeyStroke } from './keyboard.js';

interface Held {
  readonly ctrl?: boolean;
  readonly alt?: boolean;
  readonly shift?: boolean;
  readonly meta?: boolean;
  readonly altGraph?: boolean;
  readonly isComposing?: boolean;
}

const stroke = (key: string, code: string, held: Held = {}): KeyStroke => ({
  key,
  code,
  ctrlKey: held.ctrl === true,
  altKey: held.alt === true,
  shiftKey: held.shift === true,
  metaKey: held.meta === true,
  isComposing: held.isComposing === true,
  getModifierState: (name) => name === 'AltGraph' && held.altGraph === true,
});

let sent: string[];
/** A message in a few words: `+@ KeyQ ctrl`, `"漢"`. */
function note({ name, value }: ViewerMessage): void {
  if (name === 'TypeText') sent.push(`"${value.text}"`);
  else if (name === 'KeyEvent') {
    const held = Object.entries(value.modifiers).flatMap(([modifier, isHeld]) => (isHeld ? [modifier] : []));
    sent.push([`${value.isPressed ? '+' : '-'}${value.key}`, value.code, ...held].join(' '));
  } else sent.push(name);
}

beforeEach(() => {
  sent = [];
});

describe('a keyboard', () => {
  const keyboard = (isMac = false): Keyboard => new Keyboard(note, isMac);

  it('sends each key with its place and its modifiers', () => {
    const keys = keyboard();
    keys.down(stroke('Control', 'ControlLeft', { ctrl: true }));
    keys.down(stroke('c', 'KeyC', { ctrl: true }));
    keys.up(stroke('c', 'KeyC', { ctrl: true }));
    keys.up(stroke('Control', 'ControlLeft'));
    expect(sent).toEqual(['+Control ControlLeft control', '+c KeyC control', '-c KeyC control', '-Control ControlLeft']);
  });

  it('releases the key that was pressed, whatever it is called then', () => {
    const keys = keyboard();
    keys.down(stroke('A', 'KeyA', { shift: true }));
    keys.up(stroke('a', 'KeyA'));
    keys.up(stroke('b', 'KeyB'));
    expect(sent).toEqual(['+A KeyA shift', '-A KeyA']);
  });

  it('takes AltGr of Windows for a way to a character', () => {
    const keys = keyboard();
    keys.down(stroke('Control', 'ControlLeft', { ctrl: true }));
    keys.down(stroke('AltGraph', 'AltRight', { ctrl: true, alt: true, altGraph: true }));
    keys.down(stroke('@', 'KeyQ', { ctrl: true, alt: true, altGraph: true }));
    keys.up(stroke('Control', 'ControlLeft'));
    expect(sent).toEqual(['+Control ControlLeft control', '-Control ControlLeft', '+@ KeyQ']);
  });

  it('keeps Control and Alt with a letter or a digit: that is a command', () => {
    keyboard().down(stroke('t', 'KeyT', { ctrl: true, alt: true }));
    expect(sent).toEqual(['+t KeyT control alt']);
  });

  it('takes Option of macOS for a way to a character, and releases everything with Command', () => {
    const keys = keyboard(true);
    keys.down(stroke('Alt', 'AltLeft', { alt: true }));
    keys.down(stroke('@', 'KeyL', { alt: true }));
    keys.up(stroke('@', 'KeyL', { alt: true }));
    keys.down(stroke('Meta', 'MetaLeft', { meta: true }));
    keys.down(stroke('c', 'KeyC', { meta: true }));
    keys.up(stroke('Meta', 'MetaLeft'));
    expect(sent).toEqual([
      '+Alt AltLeft alt',
      '-Alt AltLeft',
      '+@ KeyL',
      '-@ KeyL alt',
      '+Meta MetaLeft meta',
      '+c KeyC meta',
      '-Meta MetaLeft',
      'ResetKeyboardState',
    ]);
  });

  it('leaves dead keys and input methods to the field', () => {
    const keys = keyboard();
    expect(keys.down(stroke('Dead', 'Equal'))).toBe(false);
    expect(keys.down(stroke('Process', 'KeyK'))).toBe(false);
    expect(keys.down(stroke('k', 'KeyK', { isComposing: true }))).toBe(false);
    expect(sent).toEqual([]);
  });

  it('types what a dead key and a character make together', () => {
    keyboard().down(stroke('^q', 'KeyQ'));
    expect(sent).toEqual(['"^q"']);
  });

  it('keeps keys that lock something to itself', () => {
    const keys = keyboard();
    for (const key of ['CapsLock', 'NumLock']) expect(keys.down(stroke(key, key))).toBe(true);
    expect(sent).toEqual([]);
  });

  it('releases everything at once, if anything is down', () => {
    const keys = keyboard();
    keys.releaseAll();
    keys.down(stroke('F5', 'F5'));
    keys.releaseAll();
    keys.releaseAll();
    expect(sent).toEqual(['+F5 F5', 'ResetKeyboardState']);
  });

  it('holds a modifier for the next key, until it is tapped twice more', () => {
    const keys = keyboard();
    keys.tap('Control');
    expect(keys.stateOf('Control')).toBe('next');
    keys.stroke('ArrowLeft', 'ArrowLeft');
    expect(sent).toEqual([
      '+Control ControlLeft control',
      '+ArrowLeft ArrowLeft control',
      '-ArrowLeft ArrowLeft control',
      '-Control ControlLeft',
    ]);
    expect(keys.stateOf('Control')).toBe('up');
    sent = [];
    keys.tap('Alt');
    keys.tap('Alt');
    expect(keys.stateOf('Alt')).toBe('locked');
    keys.stroke('Tab', 'Tab');
    keys.stroke('Tab', 'Tab');
    keys.tap('Alt');
    expect(sent).toEqual(['+Alt AltLeft alt', '+Tab Tab alt', '-Tab Tab alt', '+Tab Tab alt', '-Tab Tab alt', '-Alt AltLeft']);
  });

  it('takes a typed letter for a command while a modifier is held', () => {
    const keys = keyboard();
    keys.tap('Control');
    expect(keys.write('c')).toBe(true);
    expect(keys.write('text\n')).toBe(false);
    expect(sent).toEqual([
      '+Control ControlLeft control',
      '+c  control',
      '-c  control',
      '-Control ControlLeft',
      '"text"',
      '+Enter Enter',
      '-Enter Enter',
    ]);
  });

  it('holds a modifier for a key of another keyboard, too, and releases it with all others', () => {
    const keys = keyboard();
    keys.tap('Control');
    keys.down(stroke('Enter', 'Enter'));
    keys.up(stroke('Enter', 'Enter'));
    expect(sent).toEqual(['+Control ControlLeft control', '+Enter Enter control', '-Enter Enter control', '-Control ControlLeft']);
    keys.tap('Meta');
    keys.tap('Meta');
    keys.releaseAll();
    expect(sent.at(-1)).toBe('ResetKeyboardState');
    expect(keys.stateOf('Meta')).toBe('up');
  });

  it('presses a chord and releases it in the other order', () => {
    keyboard().chord([
      ['Alt', 'AltLeft'],
      ['Tab', 'Tab'],
    ]);
    expect(sent).toEqual(['+Alt AltLeft alt', '+Tab Tab alt', '-Tab Tab alt', '-Alt AltLeft']);
  });
});
