import { describe, expect, it } from 'vitest';

import { type Entry, foldersShown, stemOf, viewOf } from './entries.js';

const entry = (name: string, more: Partial<Entry> = {}): Entry => ({
  name,
  fullPath: `/${name}`,
  isDirectory: false,
  size: 0,
  lastModified: '2026-01-01T00:00:00Z',
  isHidden: false,
  canRead: true,
  canWrite: true,
  hasSubfolders: false,
  ...more,
});
const entries = [
  entry('file10.txt', { size: 5, lastModified: '2026-03-01T00:00:00Z' }),
  entry('File2.txt', { size: 9, lastModified: '2026-02-01T00:00:00+01:00' }),
  entry('.profile', { isHidden: true }),
  entry('zoo', { isDirectory: true }),
];
const names = (view: Partial<Parameters<typeof viewOf>[1]>): string[] =>
  viewOf(entries, { filter: '', sort: 'name', showHidden: false, ...view }).map(({ name }) => name);

describe('viewOf', () => {
  it('puts folders first and sorts numbers within names by value', () => {
    expect(names({})).toEqual(['zoo', 'File2.txt', 'file10.txt']);
    expect(names({ sort: '-name' })).toEqual(['zoo', 'file10.txt', 'File2.txt']);
  });

  it('sorts files by size and by time', () => {
    expect(names({ sort: 'size' })).toEqual(['zoo', 'file10.txt', 'File2.txt']);
    expect(names({ sort: '-modified' })).toEqual(['zoo', 'file10.txt', 'File2.txt']);
  });

  it('shows hidden files on request', () => {
    expect(names({ showHidden: true })).toContain('.profile');
  });

  it('filters files by a part of the name, in any case', () => {
    expect(names({ filter: ' FILE1 ' })).toEqual(['file10.txt']);
  });
});

describe('foldersShown', () => {
  const folders = [entry('.secret', { isHidden: true }), entry('plain'), entry('.way', { isHidden: true })];
  const shown = (showHidden: boolean): string[] => foldersShown(folders, { showHidden, way: new Set(['/.way']) }).map(({ name }) => name);

  it('leaves out hidden folders, but for those on the way to the one that is shown', () => {
    expect(shown(false)).toEqual(['plain', '.way']);
    expect(shown(true)).toEqual(['.secret', 'plain', '.way']);
  });
});

describe('stemOf', () => {
  it.each([
    ['report.pdf', 'report'],
    ['archive.tar.gz', 'archive.tar'],
    ['.profile', '.profile'],
    ['README', 'README'],
  ])('takes the extension from %s', (name, stem) => {
    expect(stemOf(name)).toBe(stem);
  });
});
