import { describe, expect, it } from 'vitest';

import { hasControlCharacter, hasDeceptiveCharacter, isVisible, trimmedName } from './name-text.js';

describe('a name', () => {
  it.each(['a\nb', 'a\r', '\ta', 'a\0', '\u007f', '\u0085', 'a\u2028b', 'a\u2029b', '\u001b[31m'])('has control characters: %j', (text) => {
    expect(hasControlCharacter(text)).toBe(true);
  });

  it.each(['', ' ', 'Sales', 'Büro 1', '営業', '\u00a0', 'e\u0301', '\u200d', '👩‍💻', '\u202e'])('has no control characters: %j', (text) => {
    expect(hasControlCharacter(text)).toBe(false);
  });

  it.each(['a\u202eb', '\u2066', 'a\u200f', '\u061ca', '\ud800', 'a\udc00b', '\udc00\ud800'])('has deceptive characters: %j', (text) => {
    expect(hasDeceptiveCharacter(text)).toBe(true);
  });

  it.each(['', 'Sales', 'שלום', 'مرحبا', '👩‍💻', '\u200d', 'e\u0301'])('has no deceptive characters: %j', (text) => {
    expect(hasDeceptiveCharacter(text)).toBe(false);
  });

  it.each([
    '',
    ' ',
    '\u00a0\u3000',
    '\u200b',
    '\u200d\u2060',
    '\ufeff',
    '\u00ad',
    '\u3164',
    '\u2800',
    '\u034f',
    '\ufe0f',
    '\u{e0020}',
    '\n',
  ])('shows nothing: %j', (text) => {
    expect(isVisible(text)).toBe(false);
  });

  it.each(['a', '0', '-', '営', '👍🏽', '\u200ba', 'नमस्ते', '\ufffd'])('is visible: %j', (text) => {
    expect(isVisible(text)).toBe(true);
  });

  it.each([
    ['  Sales  team ', 'Sales  team'],
    ['\u00a0Sales\u3000', 'Sales'],
    [' Sales\n', ' Sales\n'],
    ['👩‍💻', '👩‍💻'],
    ['Bu\u0308ro', 'B\u00fcro'],
    ['\u212b', '\u00c5'],
  ])('%j is kept as %j', (given, kept) => {
    expect(trimmedName(given)).toBe(kept);
  });
});
