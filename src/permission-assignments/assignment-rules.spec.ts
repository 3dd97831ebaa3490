import { describe, expect, it } from '@jest/globals';

import {
  Permission,
  PermissionEffect,
  PermissionPrincipalKind,
  PermissionScopeKind,
  type PermissionDefinition,
} from '../authorization/permission.js';
import { isVisible, missingRight, normalizeTerms, problemOf, type AssignmentPrincipal, type AssignmentTerms } from './assignment-rules.js';

const TENANT = '01890000-0000-7000-8000-000000000001';
const OTHER = '01890000-0000-7000-8000-000000000002';
const DEVICE = '01890000-0000-7000-8000-00000000000d';
const { Allow, Deny } = PermissionEffect;
const { Server, Tenant, CustomerTenant, DeviceGroup, Device, UserGroup, Unknown } = PermissionScopeKind;

const principal = (principalKind: PermissionPrincipalKind, values: Partial<AssignmentPrincipal> = {}): AssignmentPrincipal => ({
  principalKind,
  principalId: '01890000-0000-7000-8000-0000000000aa',
  tenantId: TENANT,
  ownerId: null,
  deviceId: null,
  ...values,
});
const user = principal(PermissionPrincipalKind.User);
const tenantAccount = principal(PermissionPrincipalKind.ServiceAccount);
const serverAccount = principal(PermissionPrincipalKind.ServiceAccount, { tenantId: null });
const logonToken = principal(PermissionPrincipalKind.LogonToken, { deviceId: DEVICE });

const terms = (
  { name }: PermissionDefinition,
  effect: PermissionEffect,
  scopeKind: PermissionScopeKind,
  scopeId: string | null,
): AssignmentTerms => ({ permissionName: name, effect, scopeKind, scopeId });

describe('normalizing', () => {
  it.each([[null], [OTHER], [TENANT]])('puts the named tenant at Tenant scope, whatever was sent (%s)', (scopeId) => {
    expect(normalizeTerms(terms(Permission.TenantRead, Allow, Tenant, scopeId), TENANT).scopeId).toBe(TENANT);
  });

  it.each([
    [Server, null],
    [Device, DEVICE],
    [Device, null],
  ])('leaves %s %s as it is', (scopeKind, scopeId) => {
    expect(normalizeTerms(terms(Permission.DeviceRead, Allow, scopeKind, scopeId), TENANT).scopeId).toBe(scopeId);
  });
});

describe('what is legal', () => {
  it.each([
    ['a tenant permission at Tenant scope', user, terms(Permission.TenantRead, Allow, Tenant, TENANT)],
    ['a device permission at each of its scopes', user, terms(Permission.DeviceRead, Deny, CustomerTenant, DEVICE)],
    ['a server permission for a user', user, terms(Permission.ServerTenantsRead, Allow, Server, null)],
    ['a device permission at Server scope for a server account', serverAccount, terms(Permission.DeviceRead, Allow, Server, null)],
    ['a Deny of a device permission at Server scope for anyone', user, terms(Permission.DeviceRead, Deny, Server, null)],
    ['a user group permission on a user group', user, terms(Permission.UserGroupAssignUsers, Allow, UserGroup, DEVICE)],
    ['a logon token on its device', logonToken, terms(Permission.DeviceRead, Allow, Device, DEVICE)],
  ])('accepts %s', (_what, holder, value) => {
    expect(problemOf(value, holder)).toBeNull();
  });

  it.each([
    [
      'an unknown permission',
      user,
      { ...terms(Permission.TenantRead, Allow, Tenant, TENANT), permissionName: 'tenant.rule' },
      'permissionName',
    ],
    [
      'a name in another case',
      user,
      { ...terms(Permission.TenantRead, Allow, Tenant, TENANT), permissionName: 'Tenant.Read' },
      'permissionName',
    ],
    ['the scope kind Unknown', user, terms(Permission.TenantRead, Allow, Unknown, TENANT), 'scopeKind'],
    ['a scope kind that the permission has not, to allow', user, terms(Permission.TenantRead, Allow, Device, DEVICE), 'scopeKind'],
    ['a scope kind that the permission has not, to deny', user, terms(Permission.TenantRead, Deny, Server, null), 'scopeKind'],
    ['a device permission on a user group', user, terms(Permission.DeviceRead, Allow, UserGroup, DEVICE), 'scopeKind'],
    ['a scope id at Server scope', user, terms(Permission.ServerTenantsRead, Allow, Server, TENANT), 'scopeId'],
    ['no scope id below Tenant scope', user, terms(Permission.DeviceRead, Allow, DeviceGroup, null), 'scopeId'],
    ['a device permission at Server scope for a user', user, terms(Permission.DeviceRead, Allow, Server, null), 'scopeKind'],
    ['the same for a tenant account', tenantAccount, terms(Permission.DeviceRead, Allow, Server, null), 'scopeKind'],
    ['a logon token on another device', logonToken, terms(Permission.DeviceRead, Allow, Device, OTHER), 'scopeId'],
    ['a logon token on the tenant', logonToken, terms(Permission.DeviceRead, Allow, Tenant, TENANT), 'scopeId'],
  ])('refuses %s', (_what, holder, value, field) => {
    expect(problemOf(value, holder)?.field).toBe(field);
  });
});

describe('who may write a row', () => {
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
    ['a principal that is gone', { effect: Allow, scopeKind: Device }, null, only('tenant'), null],
    ['anything with all rights', { effect: Deny, scopeKind: Server }, serverAccount, ALL, null],
  ])('%s: %j', (_what, row, holder, rights, missing) => {
    expect(missingRight(row, holder, rights)).toBe(missing);
  });
});

describe('who can see a row', () => {
  it.each([
    ['a row of the tenant', TENANT, user, false, true],
    ['a row of the tenant whose principal is gone', TENANT, null, false, true],
    ['a row of another tenant', OTHER, user, true, false],
    ['a server row without the right', null, user, false, false],
    ['a server row with the right', null, user, true, true],
    ['a server row of a principal of another tenant', null, null, true, false],
  ])('%s', (_what, owningTenantId, holder, seesServerRows, visible) => {
    expect(isVisible({ owningTenantId }, TENANT, holder, seesServerRows)).toBe(visible);
  });
});
