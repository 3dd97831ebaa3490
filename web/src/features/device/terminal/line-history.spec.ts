import { describe, expect, it } from 'vitest';

import { completed, EMPTY_HISTORY, moved, withLine } from './line-history.js';

describe('the history of lines', () => {
  const history = withLine(withLine(EMPTY_HISTORY, 'first'), 'second');

  it('goes back line by line, and forward to an empty one', () => {
    const up = moved(history, -1);
    expect(up?.line).toBe('second');
    const top = moved(up?.history ?? history, -1);
    expect(top?.line).toBe('first');
    expect(moved(top?.history ?? history, -1)).toBeNull();
    expect(moved(up?.history ?? history, 1)?.line).toBe('');
    expect(moved(history, 1)).toBeNull();
  });

  it('keeps a line that is repeated once, and none that is empty', () => {
    expect(withLine(history, 'second').lines).toEqual(['first', 'second']);
    expect(withLine(history, '  ').lines).toEqual(['first', 'second']);
  });

  it('forgets the oldest of many', () => {
    let long = EMPTY_HISTORY;
    for (let line = 0; line < 250; line += 1) long = withLine(long, `${line}`);
    expect(long.lines).toHaveLength(200);
    expect(long.lines[0]).toBe('50');
  });
});

describe('completed', () => {
  it('replaces the part and puts the cursor behind it', () => {
    expect(completed('Get-Ch | more', 0, 6, 'Get-ChildItem')).toEqual({ line: 'Get-ChildItem | more', cursor: 13 });
  });

  it('stays within the line', () => {
    expect(completed('cd', 9, 5, ' x')).toEqual({ line: 'cd x', cursor: 4 });
    expect(completed('cd', -1, -1, 'x')).toEqual({ line: 'xcd', cursor: 1 });
  });
});
