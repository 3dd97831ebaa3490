import { describe, expect, it } from 'vitest';

import { Permission, PermissionEffect, PermissionPrincipalKind, PermissionScopeKind } from '../authorization/permissions/permission.js';
import type { AssignmentPrincipal } from './assignment.js';
import { missingRight, requireRight } from './write-rights.js';

const { Allow, Deny } = PermissionEffect;
const { Server, Tenant, CustomerTenant, Device } = PermissionScopeKind;

const principal = (principalKind: PermissionPrincipalKind, tenantId: string | null): AssignmentPrincipal => ({
  principalKind,
  principalId: '01890000-0000-7000-8000-0000000000aa',
  tenantId,
  ownerId: null,
  deviceId: null,
});
const TENANT = '01890000-0000-7000-8000-000000000001';
const user = principal(PermissionPrincipalKind.User, TENANT);
const tenantAccount = principal(PermissionPrincipalKind.ServiceAccount, TENANT);
const serverAccount = principal(PermissionPrincipalKind.ServiceAccount, null);

describe('missingRight', () => {
  const ALL = { server: true, tenant: true, deny: true };
  const only = (...rights: (keyof typeof ALL)[]): typeof ALL => ({
    server: rights.includes('server'),
    tenant: rights.includes('tenant'),
    deny: rights.includes('deny'),
  });
  const { ServerPermissionsWrite, TenantPermissionsWrite, TenantPermissionsDeny } = Permission;

  it.each([
    ['Allow in the tenant', { effect: Allow, scopeKind: Tenant }, user, only('tenant'), null],
    ['Allow in the tenant', { effect: Allow, scopeKind: Device }, user, only('server', 'deny'), TenantPermissionsWrite],
    ['Allow at the server', { effect: Allow, scopeKind: Server }, user, only('server'), null],
    ['Allow at the server', { effect: Allow, scopeKind: Server }, user, only('tenant', 'deny'), ServerPermissionsWrite],
    ['Deny in the tenant', { effect: Deny, scopeKind: CustomerTenant }, user, only('tenant', 'deny'), null],
    ['Deny in the tenant', { effect: Deny, scopeKind: CustomerTenant }, user, only('tenant', 'server'), TenantPermissionsDeny],
    ['Deny at the server', { effect: Deny, scopeKind: Server }, user, only('server', 'tenant'), TenantPermissionsDeny],
    ['Deny at the server', { effect: Deny, scopeKind: Server }, user, only('server', 'deny'), null],
    ['a server account in the tenant', { effect: Allow, scopeKind: Tenant }, serverAccount, only('tenant', 'deny'), ServerPermissionsWrite],
    ['a server account in the tenant', { effect: Allow, scopeKind: Tenant }, serverAccount, only('server', 'tenant'), null],
    ['a server account in the tenant', { effect: Allow, scopeKind: Tenant }, serverAccount, only('server'), TenantPermissionsWrite],
    ['a tenant account', { effect: Allow, scopeKind: Tenant }, tenantAccount, only('tenant'), null],
    ['a deleted principal', { effect: Allow, scopeKind: Device }, null, only('tenant'), null],
    ['anything with all rights', { effect: Deny, scopeKind: Server }, serverAccount, ALL, null],
  ])('%s: %j', (_what, row, holder, rights, missing) => {
    expect(missingRight(row, holder, rights)).toBe(missing);
  });
});

describe('requireRight', () => {
  it('names the missing permission', () => {
    const rights = { server: false, tenant: true, deny: false };
    expect(() => requireRight({ effect: Allow, scopeKind: Tenant }, user, rights)).not.toThrow();
    expect(() => requireRight({ effect: Deny, scopeKind: Tenant }, user, rights)).toThrow('tenant.permissions.deny');
  });
});
