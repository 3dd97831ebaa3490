import { describe, expect, it } from 'vitest';

import { completed, EMPTY_HISTORY, moved, withLine } from './line-history.js';

describe('the history of lines', () => {
  const history = withLine(withLine(EMPTY_HISTORY, 'first'), 'second');

  it('goes back through the history line by line, and forward to an empty line', () => {
    const up = moved(history, -1);
    expect(up?.line).toBe('second');
    const top = moved(up?.history ?? history, -1);
    expect(top?.line).toBe('first');
    expect(moved(top?.history ?? history, -1)).toBeNull();
    expect(moved(up?.history ?? history, 1)?.line).toBe('');
    expect(moved(history, 1)).toBeNull();
  });

  it('stores a repeated line once, and no empty one', () => {
    expect(withLine(history, 'second').lines).toEqual(['first', 'second']);
    expect(withLine(history, '  ').lines).toEqual(['first', 'second']);
  });

  it('forgets the oldest of many lines', () => {
    let long = EMPTY_HISTORY;
    for (let line = 0; line < 250; line += 1) long = withLine(long, `${line}`);
    expect(long.lines).toHaveLength(200);
    expect(long.lines[0]).toBe('50');
  });
});

describe('completed', () => {
  it('replaces the completed part and puts the cursor behind it', () => {
    expect(completed('Get-Ch | more', 0, 6, 'Get-ChildItem')).toEqual({ line: 'Get-ChildItem | more', cursor: 13 });
  });

  it('keeps a completion within the line', () => {
    expect(completed('cd', 9, 5, ' x')).toEqual({ line: 'cd x', cursor: 4 });
    expect(completed('cd', -1, -1, 'x')).toEqual({ line: 'xcd', cursor: 1 });
  });
});
