import { describe, expect, it } from 'vitest';

import { steadySort } from './steady-sort.js';

describe('the order in which a whole list is read', () => {
  it('leaves properties out of the order that change during the reading', () => {
    expect(steadySort(undefined)).toBe('name,id');
    expect(steadySort('-lastSeen')).toBe('name,id');
    expect(steadySort('-customerName,isOnline,name')).toBe('-customerName,name,id');
  });
});
