import { describe, expect, it } from 'vitest';

import { TakenNames } from './conflicts.js';

describe('TakenNames', () => {
  it('takes file names that differ in case for one', () => {
    expect(new TakenNames(['Report.pdf']).has('report.PDF')).toBe(true);
    expect(new TakenNames(['Report.pdf']).has('report')).toBe(false);
  });

  it.each([
    ['report.pdf', ['report.pdf'], 'report (2).pdf'],
    ['report.pdf', ['report.pdf', 'Report (2).pdf'], 'report (3).pdf'],
    ['archive.tar.gz', ['archive.tar.gz'], 'archive.tar (2).gz'],
    ['Makefile', ['Makefile'], 'Makefile (2)'],
    ['.bashrc', ['.bashrc'], '.bashrc (2)'],
  ])('finds a free name beside %j', (name, taken, expected) => {
    expect(new TakenNames(taken).beside(name)).toBe(expected);
  });

  it('knows the names that were given since', () => {
    const names = new TakenNames(['a.txt']);
    names.add(names.beside('a.txt'));
    expect(names.beside('a.txt')).toBe('a (3).txt');
  });
});
