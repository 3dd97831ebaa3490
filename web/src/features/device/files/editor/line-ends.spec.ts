import { describe, expect, it } from 'vitest';

import { shownText, usualEnd, withLineEnds } from './line-ends.js';

const MIXED = 'a\r\nb\nc\rd\r\ne';
const saved = (original: string, edit: (shown: string) => string): string => withLineEnds(edit(shownText(original)), original, '\n');

describe('usualEnd', () => {
  it('is that of most lines', () => {
    expect(usualEnd(MIXED, '\n')).toBe('\r\n');
    expect(usualEnd('one line', '\r\n')).toBe('\r\n');
  });
});

describe('withLineEnds', () => {
  it('changes nothing where nothing was edited', () => {
    for (const text of [MIXED, '', '\r\n', 'a\n', 'a\r\n\r\n\r\nb\r\n']) expect(saved(text, (shown) => shown)).toBe(text);
  });

  it('keeps the ends of all lines around an edited one', () => {
    expect(saved(MIXED, (shown) => shown.replace('c', 'changed'))).toBe('a\r\nb\nchanged\rd\r\ne');
  });

  it('gives new lines the usual end', () => {
    expect(saved(MIXED, (shown) => shown.replace('c', 'c\nnew'))).toBe('a\r\nb\nc\rnew\r\nd\r\ne');
    expect(saved('a\r\nb', (shown) => `${shown}\nc\n`)).toBe('a\r\nb\r\nc\r\n');
    expect(saved('', () => 'a\nb')).toBe('a\nb');
  });

  it('takes the end of a deleted line with it', () => {
    expect(saved(MIXED, (shown) => shown.replace('b\n', ''))).toBe('a\r\nc\rd\r\ne');
    expect(saved('same\r\nsame\r\nsame\r\n', (shown) => shown.replace('same\n', ''))).toBe('same\r\nsame\r\n');
  });
});
