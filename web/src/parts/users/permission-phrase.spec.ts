import { describe, expect, it } from 'vitest';

import { phraseOf } from './permission-phrase.js';

const PRESETS = [
  { name: 'Nothing', permissions: [] },
  { name: 'Reader', permissions: ['read'] },
  { name: 'Writer', permissions: ['read', 'write'] },
  { name: 'Installer', permissions: ['install'] },
];

describe('phraseOf', () => {
  it.each([
    ['no permission', [], null, 0],
    ['a preset', ['install'], 'Installer', 0],
    ['a preset and more', ['install', 'wake', 'delete'], 'Installer', 2],
    ['a preset that contains another', ['read', 'write'], 'Writer', 0],
    ['several presets by the largest', ['install', 'read', 'write', 'wake'], 'Writer', 2],
    ['part of a preset', ['write'], null, 1],
  ])('describes %s in a phrase', (_, permissions, preset, more) => {
    expect(phraseOf(permissions, PRESETS)).toEqual({ preset, more });
  });

  it('counts permissions if presets cannot be read', () => {
    expect(phraseOf(['read', 'write'], [])).toEqual({ preset: null, more: 2 });
  });
});
