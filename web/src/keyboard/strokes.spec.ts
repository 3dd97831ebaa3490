import { describe, expect, it } from 'vitest';

import type { Pressed } from '../ui/kbd/keys.js';
import { PLACES } from './shortcuts.js';
import { type Read, readStroke, secondOf } from './strokes.js';

const TABLE = { sheet: ['?'], 'go-users': ['g u'], 'go-keys': ['g k'], palette: ['Mod+k'], up: ['k'] } as const;
const KEYBOARD = { isMac: false, singleKeys: true };

const press = (key: string, held: Partial<Pressed> = {}): Pressed => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
});
const read = (key: string, keyboard = KEYBOARD): Read<keyof typeof TABLE> => readStroke(TABLE, press(key), keyboard);

describe('a stroke', () => {
  it('reads a shortcut of one stroke', () => {
    expect(read('?')).toEqual({ complete: ['sheet'], begun: null });
    expect(readStroke(TABLE, press('k', { ctrlKey: true }), KEYBOARD)).toEqual({ complete: ['palette'], begun: null });
    expect(read('k').complete).toEqual(['up']);
    expect(read('q')).toEqual({ complete: [], begun: null });
  });

  it('begins shortcuts of two strokes', () => {
    expect(read('g')).toEqual({ complete: [], begun: 'g' });
    expect(secondOf(TABLE, press('u'), 'g', KEYBOARD)).toEqual(['go-users']);
    expect(secondOf(TABLE, press('k'), 'g', KEYBOARD)).toEqual(['go-keys']);
    expect(secondOf(TABLE, press('q'), 'g', KEYBOARD)).toEqual([]);
    expect(secondOf(TABLE, press('u'), 'x', KEYBOARD)).toEqual([]);
  });

  it('ignores single letters and signs if these shortcuts are switched off', () => {
    const off = { ...KEYBOARD, singleKeys: false };
    for (const key of ['?', 'g', 'k']) expect(read(key, off)).toEqual({ complete: [], begun: null });
    expect(readStroke(TABLE, press('k', { ctrlKey: true }), off).complete).toEqual(['palette']);
  });
});

describe('the shortcuts of a place', () => {
  it.each(Object.entries(PLACES))('gives every shortcut of %s keys of its own', (_place, table) => {
    const keys = Object.values(table).flat();
    expect(new Set(keys).size).toBe(keys.length);
  });
});
