import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { PacedOutput } from './paced-output.js';

const FLOOD = 'x'.repeat(16_384);

describe('PacedOutput', () => {
  let written: string[];
  let output: PacedOutput;

  beforeEach(() => {
    vi.useFakeTimers();
    written = [];
    output = new PacedOutput((text) => written.push(text));
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

  it('writes no output after its end', () => {
    output.print(FLOOD);
    output.print('rest');
    output.end();
    vi.runAllTimers();
    expect(written).toEqual([FLOOD]);
  });
});
