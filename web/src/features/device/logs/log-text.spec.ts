import { describe, expect, it } from 'vitest';

import { LogText, matching, MOST_CHARACTERS } from './log-text.js';

const read = (pieces: readonly string[], mostLines?: number): LogText => {
  const text = new LogText(mostLines);
  for (const piece of pieces) text.push(piece);
  return text;
};

describe('LogText', () => {
  it('joins lines of a log that arrive in pieces', () => {
    expect(read(['first li', 'ne\r', '\nsecond\nthi', 'rd']).lines).toEqual(['first line', 'second', 'third']);
  });

  it('has no line after the last line break of a log', () => {
    expect(read(['one\ntwo\n']).lines).toEqual(['one', 'two']);
    expect(read(['']).lines).toEqual([]);
  });

  it('keeps empty lines of a log', () => {
    expect(read(['one\n\ntwo\n']).lines).toEqual(['one', '', 'two']);
  });

  it('keeps the end of a long file and counts the missing part', () => {
    const text = read(['1\n2\n3\n', '4\n5\n'], 3);
    expect(text.lines).toEqual(['3', '4', '5']);
    expect(text.dropped).toBe(2);
  });

  it('cuts a line that never ends', () => {
    const [line] = read(['x'.repeat(MOST_CHARACTERS), 'yz']).lines;
    expect(line).toBe(`${'x'.repeat(MOST_CHARACTERS)}…`);
  });
});

describe('matching', () => {
  const lines = ['[INF] Connected', '[ERR] connection lost', 'done'];

  it('finds a text in upper and lower case', () => expect(matching(lines, ' CONNECT ')).toEqual(lines.slice(0, 2)));
  it('keeps all lines without a text to search for', () => expect(matching(lines, ' ')).toBe(lines));
  it('takes special characters of the searched text as they are', () => expect(matching(lines, '[err]')).toEqual([lines[1]]));
});
