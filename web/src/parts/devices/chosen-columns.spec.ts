import { describe, expect, it } from 'vitest';

import { DEFAULT_COLUMNS, readColumns } from './chosen-columns.js';

const idsOf = (cols: string | undefined): readonly string[] => readColumns(cols).map(({ id }) => id);

describe('the columns of an address', () => {
  it('orders columns by the address, with its widths', () => {
    expect(readColumns('name.240,seen,state.120')).toEqual([{ id: 'name', width: 240 }, { id: 'seen' }, { id: 'state', width: 120 }]);
  });

  it('puts the name first, even if the address has it elsewhere or not at all', () => {
    expect(idsOf('seen,mac')).toEqual(['name', 'seen', 'mac']);
    expect(readColumns('seen,name.300')).toEqual([{ id: 'name', width: 300 }, { id: 'seen' }]);
    expect(idsOf('name')).toEqual(['name']);
  });

  it('shows the default columns if the address names none', () => {
    expect(idsOf(undefined)).toEqual(DEFAULT_COLUMNS);
  });

  it('shows each column once, and no unknown ones', () => {
    expect(idsOf('seen,constructor,,seen,__proto__,State, mac,.120')).toEqual(['name', 'seen']);
  });

  it.each(['47', '2001', '99999', '-80', '8e1', 'wide', '', ' 80', '٨٠'])("keeps the column's own width for %j", (width) => {
    expect(readColumns(`state.${width}`)).toEqual([{ id: 'name' }, { id: 'state' }]);
  });

  it('shows the columns of fields', () => {
    const field = 'field-01a21ab8-90ae-71fc-8a02-5f18aabe780d';
    expect(readColumns(`${field}.90,field-x,field-`)).toEqual([{ id: 'name' }, { id: field, width: 90 }]);
  });

  it('accepts widths from the lower to the upper limit', () => {
    expect(readColumns('state.48,seen.2000').map(({ width }) => width)).toEqual([undefined, 48, 2000]);
  });
});
