import { describe, expect, it } from 'vitest';

import { DEFAULT_COLUMNS, readColumns } from '../../../parts/devices/chosen-columns.js';
import { moved, toggled, withWidths, writeColumns } from './choice.js';

describe('columns as an address', () => {
  it.each(['seen,state.120', 'name.240,seen', 'name', 'name.64', 'state'])('come back as they were written: %s', (cols) => {
    expect(writeColumns(readColumns(cols))).toBe(cols);
  });

  it('need no words where nobody has chosen', () => {
    expect(writeColumns(readColumns(undefined))).toBeUndefined();
    expect(writeColumns(readColumns(DEFAULT_COLUMNS.join()))).toBeUndefined();
  });
});

describe('a choice of columns', () => {
  const columns = readColumns('seen,state.120,mac');

  it('gives some another width, or takes it back', () => {
    expect(writeColumns(withWidths(columns, { name: 300, mac: 90 }))).toBe('name.300,seen,state.120,mac.90');
    expect(writeColumns(withWidths(columns, { state: undefined }))).toBe('seen,state,mac');
  });

  it('takes one more at the end, and takes one away', () => {
    expect(writeColumns(toggled(columns, 'user'))).toBe('seen,state.120,mac,user');
    expect(writeColumns(toggled(columns, 'state'))).toBe('seen,mac');
  });

  it('moves one with its width, between the name and the end', () => {
    expect(writeColumns(moved(columns, 'state', -1) ?? [])).toBe('state.120,seen,mac');
    expect(writeColumns(moved(columns, 'state', 1) ?? [])).toBe('seen,mac,state.120');
    expect(moved(columns, 'seen', -1)).toBeNull();
    expect(moved(columns, 'mac', 1)).toBeNull();
    expect(moved(columns, 'name', 1)).toBeNull();
    expect(moved(columns, 'user', 1)).toBeNull();
  });
});
