import { describe, expect, it } from 'vitest';

import type { Rights } from '../access/rights.js';
import { navigationFor } from './navigation.js';

const held = (some: Partial<Rights> = {}): Rights => ({ serverPermissions: [], tenantPermissions: [], devicePermissions: [], ...some });

const offered = (rights: Rights): string[] => navigationFor(rights).flatMap(({ entries }) => entries.map(({ to }) => to));

describe('the navigation', () => {
  it('offers entries without a permission to everyone, and no group without entries', () => {
    expect(offered(held())).toEqual(['/devices', '/tags']);
    expect(navigationFor(held()).map(({ text }) => text)).toEqual(['devices', 'structure']);
  });

  it('offers a page to users who hold its permission on the tenant or the server', () => {
    expect(offered(held({ tenantPermissions: ['tenant.users.read'] }))).toContain('/users');
    expect(offered(held({ serverPermissions: ['server.telemetry.read'] }))).toContain('/server/statistics');
  });

  it('offers the key approvals to users who may decide on some devices only', () => {
    expect(offered(held({ devicePermissions: ['device.agent.update'] }))).toContain('/key-approvals');
  });
});
