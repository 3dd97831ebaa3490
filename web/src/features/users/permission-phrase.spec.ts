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
    ['no permission', [], [], 0],
    ['a preset', ['install'], ['Installer'], 0],
    ['a preset and more', ['install', 'wake', 'delete'], ['Installer'], 2],
    ['a preset that contains another', ['read', 'write'], ['Writer'], 0],
    ['several presets, the largest first', ['install', 'read', 'write', 'wake'], ['Writer', 'Installer'], 1],
    ['part of a preset', ['write'], [], 1],
  ])('describes %s', (_, permissions, presets, more) => {
    expect(phraseOf(permissions, PRESETS)).toEqual({ presets, more });
  });

  it('counts permissions where presets cannot be read', () => {
    expect(phraseOf(['read', 'write'], [])).toEqual({ presets: [], more: 2 });
  });
});
