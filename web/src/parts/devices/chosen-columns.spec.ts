import { describe, expect, it } from 'vitest';

import { DEFAULT_COLUMNS, readColumns } from './chosen-columns.js';

const idsOf = (cols: string | undefined): readonly string[] => readColumns(cols).map(({ id }) => id);

describe('the columns of an address', () => {
  it('come in its order and with its widths', () => {
    expect(readColumns('name.240,seen,state.120')).toEqual([{ id: 'name', width: 240 }, { id: 'seen' }, { id: 'state', width: 120 }]);
  });

  it('begin with the name, wherever it stands and whether it does', () => {
    expect(idsOf('seen,mac')).toEqual(['name', 'seen', 'mac']);
    expect(readColumns('seen,name.300')).toEqual([{ id: 'name', width: 300 }, { id: 'seen' }]);
    expect(idsOf('name')).toEqual(['name']);
  });

  it('are those of every list where it names none', () => {
    expect(idsOf(undefined)).toEqual(DEFAULT_COLUMNS);
  });

  it('are there once, without those that nobody knows', () => {
    expect(idsOf('seen,constructor,,seen,__proto__,State, mac,.120')).toEqual(['name', 'seen']);
  });

  it.each(['47', '2001', '99999', '-80', '8e1', 'wide', '', ' 80', '٨٠'])('keep the width that they have by themselves for %j', (width) => {
    expect(readColumns(`state.${width}`)).toEqual([{ id: 'name' }, { id: 'state' }]);
  });

  it('may be as narrow and as wide as the limits', () => {
    expect(readColumns('state.48,seen.2000').map(({ width }) => width)).toEqual([undefined, 48, 2000]);
  });
});
