import { describe, expect, it } from 'vitest';

import { capsOf, isPressed, type Pressed } from './keys.js';

describe('capsOf', () => {
  it('names the modifier of the platform', () => {
    expect(capsOf('Mod+k', false)).toEqual(['Ctrl', 'K']);
    expect(capsOf('Mod+k', true)).toEqual(['⌘', 'K']);
  });

  it('keeps Ctrl apart from the Mac’s command key', () => {
    expect(capsOf('Ctrl+Shift+ArrowUp', true)).toEqual(['⌃', '⇧', '↑']);
  });

  it('leaves names and signs of keys as they are', () => {
    expect(capsOf('Esc', false)).toEqual(['Esc']);
    expect(capsOf('?', true)).toEqual(['?']);
  });
});

describe('isPressed', () => {
  const press = (key: string, held: Partial<Pressed> = {}): Pressed => ({
    key,
    code: '',
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    ...held,
  });

  it('takes the modifiers of a shortcut and no others', () => {
    expect(isPressed('Shift+F10', press('F10', { shiftKey: true }), false)).toBe(true);
    expect(isPressed('Shift+F10', press('F10'), false)).toBe(false);
    expect(isPressed('j', press('j', { ctrlKey: true }), false)).toBe(false);
    expect(isPressed('j', press('J', { shiftKey: true }), false)).toBe(false);
  });

  it('takes Ctrl for Mod, and the command key on a Mac', () => {
    expect(isPressed('Mod+k', press('k', { ctrlKey: true }), false)).toBe(true);
    expect(isPressed('Mod+k', press('k', { metaKey: true }), false)).toBe(false);
    expect(isPressed('Mod+k', press('k', { metaKey: true }), true)).toBe(true);
    expect(isPressed('Mod+k', press('k', { ctrlKey: true }), true)).toBe(false);
  });

  it('takes a sign by any keys that make it', () => {
    const altGr = { ctrlKey: true, altKey: true, getModifierState: () => true };
    expect(isPressed('?', press('?', { shiftKey: true }), false)).toBe(true);
    expect(isPressed('[', press('[', altGr), false)).toBe(true);
    expect(isPressed('[', press('[', { ctrlKey: true }), false)).toBe(false);
  });

  it('finds letters on keyboards with another script', () => {
    expect(isPressed('j', press('о', { code: 'KeyJ' }), false)).toBe(true);
    // A Latin keyboard with another order says itself which letter it is.
    expect(isPressed('q', press('a', { code: 'KeyQ' }), false)).toBe(false);
    expect(isPressed('Space', press(' '), false)).toBe(true);
  });
});
