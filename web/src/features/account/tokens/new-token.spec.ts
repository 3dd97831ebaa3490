import { describe, expect, it } from 'vitest';

import { expiryOf, offeredPermissions, scopesOf } from './new-token.js';

const rights = { tenantPermissions: ['device.read', 'tenant.tags.write'], serverPermissions: ['server.telemetry.read', 'device.read'] };
const NOW = Date.parse('2026-03-09T12:00:00Z');

describe('a new token', () => {
  it('is offered what its owner holds, each once', () => {
    expect(offeredPermissions(rights)).toEqual(['device.read', 'server.telemetry.read', 'tenant.tags.write']);
  });

  it('reaches the tenant, and the server only for what is held there alone', () => {
    expect(scopesOf(['device.read', 'server.telemetry.read'], rights)).toEqual([
      { permissionName: 'device.read', scopeKind: 'Tenant', scopeId: null },
      { permissionName: 'server.telemetry.read', scopeKind: 'Server', scopeId: null },
    ]);
  });

  it('expires after the days that were chosen, or never', () => {
    expect(expiryOf('30', NOW)).toBe('2026-04-08T12:00:00.000Z');
    expect(expiryOf('never', NOW)).toBeNull();
  });
});
