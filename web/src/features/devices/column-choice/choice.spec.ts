import { describe, expect, it } from 'vitest';

import { DEFAULT_COLUMNS, readColumns } from '../../../parts/devices/chosen-columns.js';
import { moved, toggled, withWidths, writeColumns } from './choice.js';

describe('columns as an address', () => {
  it.each(['seen,state.120', 'name.240,seen', 'name', 'name.64', 'state'])('reads columns back as they were written: %s', (cols) => {
    expect(writeColumns(readColumns(cols))).toBe(cols);
  });

  it('writes nothing if the user has chosen no columns', () => {
    expect(writeColumns(readColumns(undefined))).toBeUndefined();
    expect(writeColumns(readColumns(DEFAULT_COLUMNS.join()))).toBeUndefined();
  });
});

describe('a choice of columns', () => {
  const columns = readColumns('seen,state.120,mac');

  it('gives a column another width, or resets it', () => {
    expect(writeColumns(withWidths(columns, { name: 300, mac: 90 }))).toBe('name.300,seen,state.120,mac.90');
    expect(writeColumns(withWidths(columns, { state: undefined }))).toBe('seen,state,mac');
  });

  it('adds a column at the end, and removes one', () => {
    expect(writeColumns(toggled(columns, 'user'))).toBe('seen,state.120,mac,user');
    expect(writeColumns(toggled(columns, 'state'))).toBe('seen,mac');
  });

  it('moves a column with its width, between the name and the end', () => {
    expect(writeColumns(moved(columns, 'state', -1) ?? [])).toBe('state.120,seen,mac');
    expect(writeColumns(moved(columns, 'state', 1) ?? [])).toBe('seen,mac,state.120');
    expect(moved(columns, 'seen', -1)).toBeNull();
    expect(moved(columns, 'mac', 1)).toBeNull();
    expect(moved(columns, 'name', 1)).toBeNull();
    expect(moved(columns, 'user', 1)).toBeNull();
  });
});
