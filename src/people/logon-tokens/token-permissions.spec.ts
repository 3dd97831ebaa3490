import { describe, expect, it } from 'vitest';

import { tokenPermissions } from './token-permissions.js';

const namesOf = (permissions: readonly { readonly name: string }[]): string[] => permissions.map(({ name }) => name);

describe('the permissions of a logon token', () => {
  it.each([[null], [[]]])('are those for viewing the device when none is named: %j', (names) => {
    const { named, added } = tokenPermissions(names);
    expect([namesOf(named), namesOf(added)]).toEqual([[], ['device.read', 'device.overview.read']]);
  });

  it.each([
    [['device.terminal.use'], ['device.read', 'device.terminal.use']],
    [
      ['device.terminal.use', 'device.read', 'device.terminal.use'],
      ['device.terminal.use', 'device.read'],
    ],
  ])('are those that are named, and device.read: %j', (names, carriedNames) => {
    const { named, added } = tokenPermissions(names);
    expect(namesOf(named)).toEqual([...new Set(names)]);
    expect(namesOf([...added, ...named])).toEqual(carriedNames);
  });

  it.each(['', 'nothing.such', 'device.Read', 'tenant.read', 'server.permissions.write', 'user-group.assign-users', 'constructor'])(
    'exclude %j, which is not a permission on devices',
    (name) => {
      expect(() => tokenPermissions(['device.read', name])).toThrow(
        expect.objectContaining({ fields: { permissions: [expect.stringContaining(JSON.stringify(name))] } }),
      );
    },
  );
});
