import { describe, expect, it } from 'vitest';

import { compare } from './compare.js';

const START = { name: 'Acme', description: 'Dentists', notes: '' };

describe('comparing what two editors have typed', () => {
  it('finds nothing if no other editor has changed anything', () => {
    const typed = { ...START, name: 'Acme Dental' };
    expect(compare(START, typed, START)).toEqual({ differences: [], merged: typed });
  });

  it("shows both texts of a field that both have changed, and keeps the user's", () => {
    const typed = { ...START, name: 'Acme Dental' };
    expect(compare(START, typed, { ...START, name: 'Acme Group' })).toEqual({
      differences: [{ field: 'name', yours: 'Acme Dental', theirs: 'Acme Group' }],
      merged: typed,
    });
  });

  it("keeps the other editor's text in a field that the user left alone", () => {
    const typed = { ...START, name: 'Acme Dental' };
    expect(compare(START, typed, { ...START, notes: 'Ring twice.' })).toEqual({
      differences: [{ field: 'notes', yours: null, theirs: 'Ring twice.' }],
      merged: { name: 'Acme Dental', description: 'Dentists', notes: 'Ring twice.' },
    });
  });

  it('shows a field that one editor has emptied', () => {
    expect(compare(START, { ...START, description: '' }, { ...START, description: 'Surgeons' }).differences).toEqual([
      { field: 'description', yours: '', theirs: 'Surgeons' },
    ]);
    expect(compare(START, { ...START, description: 'Surgeons' }, { ...START, description: '' }).differences).toEqual([
      { field: 'description', yours: 'Surgeons', theirs: '' },
    ]);
  });

  it('takes the same change by both for none', () => {
    const both = { ...START, name: 'Acme Dental' };
    expect(compare(START, both, both).differences).toEqual([]);
  });

  it('sees no change if only the line ends differ', () => {
    const start = { notes: 'One\r\nTwo' };
    expect(compare(start, { notes: 'One\nTwo' }, { notes: 'One\r\nTwo' })).toEqual({ differences: [], merged: start });
    expect(compare(start, { notes: 'One\nTwo' }, { notes: 'Three' }).differences).toEqual([
      { field: 'notes', yours: null, theirs: 'Three' },
    ]);
  });
});
