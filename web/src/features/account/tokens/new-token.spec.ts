import { describe, expect, it } from 'vitest';

import type { CatalogEntry } from '../../../api/access/permission-assignments.js';
import { expiryOf, holdsAt, offeredPermissions, scopesOf } from './new-token.js';

const rights = {
  tenantPermissions: ['tenant.tags.write'],
  serverPermissions: ['server.telemetry.read'],
  devicePermissions: ['device.read'],
};
const NOW = Date.parse('2026-03-09T12:00:00Z');
const SERVER = { kind: 'Server', id: null } as const;
const TENANT = { kind: 'Tenant', id: 'tenant' } as const;
const GROUP = { kind: 'DeviceGroup', id: 'group' } as const;

const entry = (name: string): CatalogEntry => ({
  name,
  displayName: name,
  categoryLabel: '',
  description: '',
  allowedScopeKinds: ['Tenant'],
  selfRemovable: true,
});

describe('a new token', () => {
  it('is offered the permissions that its owner holds somewhere', () => {
    const catalog = ['device.read', 'device.delete', 'server.telemetry.read', 'tenant.tags.write'].map(entry);
    expect(offeredPermissions(catalog, rights).map(({ name }) => name)).toEqual([
      'device.read',
      'server.telemetry.read',
      'tenant.tags.write',
    ]);
  });

  it.each([
    ['tenant.tags.write', TENANT, true],
    ['tenant.tags.write', GROUP, true],
    ['tenant.tags.write', SERVER, false],
    ['server.telemetry.read', SERVER, true],
    ['device.read', TENANT, false],
    ['device.read', GROUP, true],
    ['device.delete', GROUP, false],
  ] as const)('can get %s at %o: %s', (permission, scope, isPossible) => {
    expect(holdsAt(rights, { permission, scope })).toBe(isPossible);
  });

  it('names its own tenant and the server without an id', () => {
    expect(
      scopesOf([
        { permission: 'tenant.tags.write', scope: TENANT },
        { permission: 'server.telemetry.read', scope: SERVER },
        { permission: 'device.read', scope: GROUP },
      ]),
    ).toEqual([
      { permissionName: 'tenant.tags.write', scopeKind: 'Tenant', scopeId: null },
      { permissionName: 'server.telemetry.read', scopeKind: 'Server', scopeId: null },
      { permissionName: 'device.read', scopeKind: 'DeviceGroup', scopeId: 'group' },
    ]);
  });

  it('expires after the chosen days, or never', () => {
    expect(expiryOf('30', NOW)).toBe('2026-04-08T12:00:00.000Z');
    expect(expiryOf('never', NOW)).toBeNull();
  });
});
