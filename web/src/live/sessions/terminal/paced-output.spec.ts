import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { PacedOutput } from './paced-output.js';

const FLOOD = 'x'.repeat(16_384);

describe('PacedOutput', () => {
  let written: string[];
  /** Tell that the terminal has read a text, in the order in which they were written. */
  let read: (() => void)[];
  let output: PacedOutput;

  beforeEach(() => {
    vi.useFakeTimers();
    written = [];
    read = [];
    output = new PacedOutput((text, hasRead) => {
      written.push(text);
      read.push(hasRead);
    }, '[left out]');
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('writes typed text and its echo at once', () => {
    for (const text of ['l', 's', '\r\n', 'a  b  c\r\n']) output.print(text);
    expect(written).toEqual(['l', 's', '\r\n', 'a  b  c\r\n']);
  });

  it('collects output after a piece of a flood, and writes it in order', () => {
    for (const text of [FLOOD, 'a', FLOOD, 'b']) output.print(text);
    expect(written).toEqual([FLOOD]);
    vi.advanceTimersByTime(50);
    expect(written).toEqual([FLOOD, `a${FLOOD}b`]);
    output.print('c');
    vi.advanceTimersByTime(50);
    expect(written).toEqual([FLOOD, `a${FLOOD}b`, 'c']);
    output.print('d');
    expect(written.at(-1)).toBe('d');
  });

  it('gives a terminal that does not read no more than it takes, and shows it the end of the output', () => {
    const piece = `${'x'.repeat(499_998)}\r\n`;
    for (let nth = 0; nth < 200; nth += 1) {
      output.print(piece);
      vi.advanceTimersByTime(50);
    }
    output.print('the end');
    // The terminal throws away what comes beyond 50 million characters.
    expect(written.join('').length).toBeLessThan(10_000_000);

    while (read.length > 0) {
      read.shift()?.();
      vi.advanceTimersByTime(50);
    }
    const rest = written.slice(written.lastIndexOf(piece) + 1).join('');
    expect(rest.length).toBeGreaterThan(4_000_000);
    expect(rest.startsWith('[left out]xxx')).toBe(true);
    expect(rest.indexOf('[left out]', 1)).toBe(-1);
    expect(rest.endsWith(`${piece}the end`)).toBe(true);
    output.print('$ ');
    expect(written.at(-1)).toBe('$ ');
  });

  it('writes no output after its end', () => {
    output.print(FLOOD);
    output.print('rest');
    output.end();
    vi.runAllTimers();
    expect(written).toEqual([FLOOD]);
  });
});
