import { describe, expect, it } from 'vitest';

import { crumbsOf, joined, normalized, parentOf } from './paths.js';

describe('normalized', () => {
  it.each([
    ['/', '/'],
    ['', '/'],
    ['/home/anna/', '/home/anna'],
    ['//home///anna', '/home/anna'],
    ['/srv/ old ', '/srv/ old '],
    ['C:', 'C:\\'],
    ['C:\\', 'C:\\'],
    ['c:/Users/Anna/', 'c:\\Users\\Anna'],
    ['\\\\nas\\media', '\\\\nas\\media\\'],
    ['\\\\nas\\media\\films\\', '\\\\nas\\media\\films'],
  ])('normalizes %j to %j', (path, expected) => {
    expect(normalized(path)).toBe(expected);
  });

  it('takes a backslash for a part of the name, except on Windows', () => {
    expect(normalized('/home/a\\b')).toBe('/home/a\\b');
  });
});

describe('crumbsOf', () => {
  it('lists the folders of a path from the root of Unix', () => {
    expect(crumbsOf('/var/log')).toEqual([
      { name: '/', path: '/' },
      { name: 'var', path: '/var' },
      { name: 'log', path: '/var/log' },
    ]);
  });

  it('lists the folders of a path from a drive', () => {
    expect(crumbsOf('D:\\Data\\2026')).toEqual([
      { name: 'D:', path: 'D:\\' },
      { name: 'Data', path: 'D:\\Data' },
      { name: '2026', path: 'D:\\Data\\2026' },
    ]);
  });

  it('takes a share for the root of its paths', () => {
    expect(crumbsOf('\\\\nas\\media\\films').map(({ path }) => path)).toEqual(['\\\\nas\\media\\', '\\\\nas\\media\\films']);
  });
});

describe('parentOf', () => {
  it.each([
    ['/', null],
    ['/etc', '/'],
    ['/etc/ssh/', '/etc'],
    ['C:\\', null],
    ['C:\\Windows', 'C:\\'],
    ['\\\\nas\\media', null],
  ])('the parent of %j is %j', (path, expected) => {
    expect(parentOf(path)).toBe(expected);
  });
});

describe('joined', () => {
  it('joins a path with the separator of the folder', () => {
    expect(joined('/', 'a')).toBe('/a');
    expect(joined('/tmp/', 'a', 'b')).toBe('/tmp/a/b');
    expect(joined('C:\\', 'a')).toBe('C:\\a');
    expect(joined('C:\\Temp', 'a')).toBe('C:\\Temp\\a');
  });
});
