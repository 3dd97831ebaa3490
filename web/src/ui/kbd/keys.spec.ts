import { describe, expect, it } from 'vitest';

import { capsOf } from './keys.js';

describe('capsOf', () => {
  it('names the modifier of the platform', () => {
    expect(capsOf('Mod+k', false)).toEqual(['Ctrl', 'K']);
    expect(capsOf('Mod+k', true)).toEqual(['⌘', 'K']);
  });

  it('keeps Ctrl apart from the Mac’s command key', () => {
    expect(capsOf('Ctrl+Shift+ArrowUp', true)).toEqual(['⌃', '⇧', '↑']);
  });

  it('leaves names and signs as they are', () => {
    expect(capsOf('Esc', false)).toEqual(['Esc']);
    expect(capsOf('?', true)).toEqual(['?']);
  });
});
