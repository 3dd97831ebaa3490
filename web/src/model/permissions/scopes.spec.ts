import { describe, expect, it } from 'vitest';

import { CUSTOMER, entry, SERVER, TENANT } from '../../parts/permissions/matrix/examples.js';
import { columnsOf, isLegal, reaches, usualScope } from './scopes.js';

describe('the columns', () => {
  it('orders the scopes of the columns from broad to narrow, each once', () => {
    expect(columnsOf([CUSTOMER, TENANT, CUSTOMER, SERVER])).toEqual([SERVER, TENANT, CUSTOMER]);
  });
});

describe('a legal cell', () => {
  const device = entry('device.read', ['Device', 'Tenant', 'Server']);
  const server = entry('server.tenants.read', ['Server']);

  it('allows a cell at a scope kind that the permission lists', () => {
    expect(isLegal(device, 'Tenant', false)).toBe(true);
    expect(isLegal(device, 'UserGroup', false)).toBe(false);
  });

  it('allows a cell at the server for accounts of the server, and for permissions of the server alone', () => {
    expect(isLegal(device, 'Server', true)).toBe(true);
    expect(isLegal(device, 'Server', false)).toBe(false);
    expect(isLegal(server, 'Server', false)).toBe(true);
  });
});

describe('the usual scope', () => {
  it('takes the tenant for the usual scope, or the server for permissions of the server alone', () => {
    expect(usualScope({ allowedScopeKinds: ['Device', 'Tenant', 'Server'] }, 't')).toEqual(TENANT);
    expect(usualScope({ allowedScopeKinds: ['Server'] }, 't')).toEqual(SERVER);
  });
});

describe('a scope', () => {
  it('lets a scope reach itself and the narrower ones', () => {
    expect([reaches(SERVER, TENANT), reaches(TENANT, CUSTOMER), reaches(CUSTOMER, CUSTOMER)]).toEqual([true, true, true]);
    expect([reaches(TENANT, SERVER), reaches(CUSTOMER, TENANT), reaches(CUSTOMER, { kind: 'CustomerTenant', id: 'd' })]).toEqual([
      false,
      false,
      false,
    ]);
  });
});
