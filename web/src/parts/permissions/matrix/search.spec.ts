import { describe, expect, it } from 'vitest';

import { entry } from './examples.js';
import { categoriesOf, otherWords } from './search.js';

const catalog = [
  entry('device.power.manage', ['Tenant'], { displayName: 'Manage Device Power', description: 'Restart or shut down a device.' }),
  entry('device.read', ['Tenant'], { displayName: 'Read Device' }),
  entry('tenant.read', ['Tenant'], { displayName: 'Read Tenant' }),
];
const found = (text: string): string[] => categoriesOf(catalog, text, otherWords).flatMap(([, entries]) => entries.map(({ name }) => name));

describe('the search for permissions', () => {
  it('finds permissions by name, heading and description, with the words in any order', () => {
    expect(found('power.manage')).toEqual(['device.power.manage']);
    expect(found('device read')).toEqual(['device.read']);
    expect(found('SHUT restart')).toEqual(['device.power.manage']);
    expect(found('')).toHaveLength(3);
    expect(found('nothing')).toEqual([]);
  });

  it('finds permissions by plain words', () => {
    expect(found('reboot')).toEqual(['device.power.manage']);
  });

  it('keeps the categories of found permissions', () => {
    expect(categoriesOf(catalog, '', otherWords).map(([label, entries]) => [label, entries.length])).toEqual([
      ['device', 2],
      ['tenant', 1],
    ]);
  });
});
