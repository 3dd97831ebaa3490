import { describe, expect, it } from 'vitest';

import { layoutOf } from './layout.js';

const columns = [
  { id: 'name', width: 200, grow: 2 },
  { id: 'state', width: 90 },
  { id: 'user', width: 80, grow: 1 },
  { id: 'seen', width: 100, given: 140 },
];

describe('the columns of a grid', () => {
  it('lets columns grow or keep their width, and keeps one that the user gave', () => {
    expect(layoutOf(columns, false)).toEqual({
      '--columns': 'minmax(200px, 2fr) 90px minmax(80px, 1fr) 140px',
      '--least-width': '510px',
    });
  });

  it('puts columns behind the boxes of selectable rows', () => {
    expect(layoutOf(columns.slice(1, 2), true)).toEqual({ '--columns': '40px 90px', '--least-width': '130px' });
  });

  it('gives a column the width that it prefers before others grow', () => {
    const [name, ...others] = columns;
    expect(layoutOf([{ ...name, prefers: 260 }, ...others], true)['--columns']).toBe(
      '40px minmax(clamp(200px, 100% - 350px, 260px), 2fr) 90px minmax(80px, 1fr) 140px',
    );
  });

  it('applies widths that are being tried', () => {
    expect(layoutOf(columns, false, { name: 60, seen: 300 })).toEqual({
      '--columns': '60px 90px minmax(80px, 1fr) 300px',
      '--least-width': '530px',
    });
  });
});
