import { describe, expect, it } from 'vitest';

import { changesBetween } from './changes.js';

describe('changesBetween', () => {
  it('names the fields that differ, also within fields', () => {
    const before = { name: 'a', scope: { kind: 'Tenant', id: '1' }, on: true };
    const after = { name: 'b', scope: { kind: 'Customer', id: '1' }, on: true };
    expect(changesBetween(before, after)).toEqual([
      { field: 'name', before: 'a', after: 'b' },
      { field: 'scope.kind', before: 'Tenant', after: 'Customer' },
    ]);
  });

  it('shows added and removed fields', () => {
    expect(changesBetween(undefined, { name: 'a' })).toEqual([{ field: 'name', before: null, after: 'a' }]);
    expect(changesBetween({ name: 'a', note: null }, { name: null })).toEqual([{ field: 'name', before: 'a', after: null }]);
  });

  it('lists plain values without brackets', () => {
    expect(changesBetween({ tags: ['a', 'b'] }, { tags: [] })).toEqual([{ field: 'tags', before: 'a, b', after: '' }]);
  });

  it('shows equal fields only on request, and stops at 200', () => {
    expect(changesBetween({ a: 1 }, { a: 1 })).toEqual([]);
    expect(changesBetween({ a: 1 }, { a: 1 }, true)).toHaveLength(1);
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`f${index}`, index]));
    expect(changesBetween(many, undefined)).toHaveLength(200);
  });
});
