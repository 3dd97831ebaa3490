import { expect, it } from 'vitest';

import { withChanges } from './changes.js';

it('changes given members, also to null, and keeps omitted and undefined ones', () => {
  const values = { name: 'a', description: 'b' as string | null, notes: 'c' as string | null };
  expect(withChanges(values, { name: 'x', description: null, notes: undefined })).toEqual({ name: 'x', description: null, notes: 'c' });
  expect(withChanges(values, {})).toEqual(values);
  expect(values).toEqual({ name: 'a', description: 'b', notes: 'c' });
});
