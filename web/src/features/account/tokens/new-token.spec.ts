import { describe, expect, it } from 'vitest';

import { expiryOf, offeredPermissions, scopesOf } from './new-token.js';

const rights = { tenantPermissions: ['device.read', 'tenant.tags.write'], serverPermissions: ['server.telemetry.read', 'device.read'] };
const NOW = Date.parse('2026-03-09T12:00:00Z');

describe('a new token', () => {
  it('offers a new token the permissions of its owner, each once', () => {
    expect(offeredPermissions(rights)).toEqual(['device.read', 'server.telemetry.read', 'tenant.tags.write']);
  });

  it('gives a token scopes at the tenant, and at the server only for permissions held there alone', () => {
    expect(scopesOf(['device.read', 'server.telemetry.read'], rights)).toEqual([
      { permissionName: 'device.read', scopeKind: 'Tenant', scopeId: null },
      { permissionName: 'server.telemetry.read', scopeKind: 'Server', scopeId: null },
    ]);
  });

  it('lets a token expire after the chosen days, or never', () => {
    expect(expiryOf('30', NOW)).toBe('2026-04-08T12:00:00.000Z');
    expect(expiryOf('never', NOW)).toBeNull();
  });
});
