import { expect, it } from '@jest/globals';

import { withChanges } from './changes.js';

it('changes the members that are given, to null too, and keeps those that are left out or undefined', () => {
  const values = { name: 'a', description: 'b' as string | null, notes: 'c' as string | null };
  expect(withChanges(values, { name: 'x', description: null, notes: undefined })).toEqual({ name: 'x', description: null, notes: 'c' });
  expect(withChanges(values, {})).toEqual(values);
  expect(values).toEqual({ name: 'a', description: 'b', notes: 'c' });
});
