import { describe, expect, it } from 'vitest';

import { DomainError } from '../../platform/common/errors/errors.js';
import { RuleSet, type Resource } from '../authorization/evaluation/rules.js';
import {
  Permission,
  PermissionEffect,
  PermissionPrincipalKind,
  PermissionScopeKind,
  type PermissionDefinition,
} from '../authorization/permissions/permission.js';
import {
  changedValues,
  exceedsOwner,
  isVisible,
  normalizeTerms,
  problemOf,
  requireDistinct,
  requireLegal,
  requireOnePrincipal,
  type PathOf,
} from './assignment-rules.js';
import type { AssignmentPrincipal, AssignmentTerms, AssignmentValues } from './assignment.js';

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

const inBatch =
  (index: number): PathOf =>
  (field) =>
    `assignments[${index}].${field}`;

/** The refusal that a check throws. */
function refusalOf(check: () => unknown): DomainError {
  try {
    check();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('Nothing was refused.');
}

const terms = (
  { name }: PermissionDefinition,
  effect: PermissionEffect,
  scopeKind: PermissionScopeKind,
  scopeId: string | null,
): AssignmentTerms => ({ permissionName: name, effect, scopeKind, scopeId });
const values = (...parts: Parameters<typeof terms>): AssignmentValues => ({ ...terms(...parts), isEnabled: true, notes: null });

describe('normalizeTerms', () => {
  it('takes null at Tenant scope for the named tenant', () => {
    expect(normalizeTerms(terms(Permission.TenantRead, Allow, Tenant, null), TENANT).scopeId).toBe(TENANT);
  });

  it.each([
    [Tenant, TENANT],
    [Tenant, OTHER],
    [Server, null],
    [Device, DEVICE],
    [Device, null],
  ])('leaves %s %s as it is', (scopeKind, scopeId) => {
    expect(normalizeTerms(terms(Permission.DeviceRead, Allow, scopeKind, scopeId), TENANT).scopeId).toBe(scopeId);
  });
});

describe('changedValues', () => {
  const row = { ...terms(Permission.DeviceRead, Allow, Device, DEVICE), isEnabled: true, notes: 'a note' };
  const { scopeId: _scopeId, notes: _notes, ...required } = row;

  it('keeps the scope id and notes that are left out', () => {
    expect(changedValues(row, { ...required, isEnabled: false })).toEqual({ ...row, isEnabled: false });
    expect(changedValues(row, { ...required, scopeId: undefined, notes: undefined })).toEqual(row);
  });

  it('takes those that are given, null included', () => {
    expect(changedValues(row, { ...required, scopeId: OTHER, notes: null })).toEqual({ ...row, scopeId: OTHER, notes: null });
    expect(changedValues(row, { ...required, scopeId: null, notes: '' })).toEqual({ ...row, scopeId: null, notes: '' });
  });

  it('does not keep the scope id of another scope kind', () => {
    expect(changedValues(row, { ...required, scopeKind: Tenant })).toEqual({ ...row, scopeKind: Tenant, scopeId: null });
  });
});

describe('problemOf', () => {
  it.each([
    ['a tenant permission at Tenant scope', user, terms(Permission.TenantRead, Allow, Tenant, TENANT)],
    ['a device permission at each of its scopes', user, terms(Permission.DeviceRead, Deny, CustomerTenant, DEVICE)],
    ['a server permission for a user', user, terms(Permission.ServerTenantsRead, Allow, Server, null)],
    ['a device permission at Server scope for a server account', serverAccount, terms(Permission.DeviceRead, Allow, Server, null)],
    ['a Deny of a device permission at Server scope for anyone', user, terms(Permission.DeviceRead, Deny, Server, null)],
    ['a user group permission on a user group', user, terms(Permission.UserGroupAssignUsers, Allow, UserGroup, DEVICE)],
    ['a logon token on its device', logonToken, terms(Permission.DeviceRead, Allow, Device, DEVICE)],
  ])('accepts %s', (_what, holder, value) => {
    expect(problemOf(value, holder, TENANT)).toBeNull();
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
    ['another tenant at Tenant scope', user, terms(Permission.TenantRead, Allow, Tenant, OTHER), 'scopeId'],
    ['another tenant at Tenant scope for a server account', serverAccount, terms(Permission.DeviceRead, Deny, Tenant, OTHER), 'scopeId'],
    ['a logon token on another device', logonToken, terms(Permission.DeviceRead, Allow, Device, OTHER), 'scopeId'],
    ['a logon token on the tenant', logonToken, terms(Permission.DeviceRead, Allow, Tenant, TENANT), 'scopeId'],
  ])('refuses %s', (_what, holder, value, field) => {
    expect(problemOf(value, holder, TENANT)?.field).toBe(field);
  });
});

describe('isVisible', () => {
  it.each([
    ['a row of the tenant', TENANT, user, false, true],
    ['a row of the tenant whose principal was deleted', TENANT, null, false, true],
    ['a row of another tenant', OTHER, user, true, false],
    ['a server row without the right', null, user, false, false],
    ['a server row with the right', null, user, true, true],
    ['a server row of a principal of another tenant', null, null, true, false],
  ])('%s', (_what, owningTenantId, holder, seesServerRows, visible) => {
    expect(isVisible({ owningTenantId }, TENANT, holder, seesServerRows)).toBe(visible);
  });
});

describe('requireLegal', () => {
  it('gives the values with the scope id that is stored', () => {
    const requested = values(Permission.TenantRead, Allow, Tenant, null);
    expect(requireLegal(requested, user, TENANT, inBatch(0)).values).toEqual({ ...requested, scopeId: TENANT });
  });

  it('refuses illegal values at the path of their field', () => {
    const requested = values(Permission.DeviceRead, Allow, Device, null);
    expect(refusalOf(() => requireLegal(requested, user, TENANT, inBatch(3))).fields).toHaveProperty(['assignments[3].scopeId']);
  });
});

describe('requireDistinct', () => {
  const legal = (...parts: Parameters<typeof terms>) => requireLegal(values(...parts), user, TENANT, inBatch(0));

  it.each([
    ['another permission', legal(Permission.DeviceDelete, Allow, Device, DEVICE)],
    ['another effect', legal(Permission.DeviceRead, Deny, Device, DEVICE)],
    ['another scope kind', legal(Permission.DeviceRead, Allow, DeviceGroup, DEVICE)],
    ['another scope', legal(Permission.DeviceRead, Allow, Device, OTHER)],
  ])('accepts terms with %s', (_what, other) => {
    expect(() => requireDistinct([legal(Permission.DeviceRead, Allow, Device, DEVICE), other])).not.toThrow();
  });

  it('refuses equal terms, whatever their other values', () => {
    const first = legal(Permission.DeviceRead, Allow, Device, DEVICE);
    const second = { ...first, values: { ...first.values, isEnabled: false, notes: 'again' } };
    expect(refusalOf(() => requireDistinct([first, second])).code).toBe('Conflict');
  });
});

describe('requireOnePrincipal', () => {
  it('accepts references to one principal', () => {
    expect(() => requireOnePrincipal(user, [user, { ...user }], inBatch)).not.toThrow();
  });

  it.each([
    ['kind', tenantAccount],
    ['id', principal(PermissionPrincipalKind.User, { principalId: OTHER })],
  ])('names the first reference with another %s', (_what, other) => {
    expect(refusalOf(() => requireOnePrincipal(user, [user, other, other], inBatch)).fields).toHaveProperty(['assignments[1].principalId']);
  });
});

describe('exceedsOwner', () => {
  const device: Resource = { kind: 'Device', id: DEVICE, tenantId: TENANT, customerId: null, deviceGroupIds: [] };
  const owner = new RuleSet([
    { ...terms(Permission.DeviceRead, Allow, Tenant, TENANT), assignmentId: '', owningTenantId: TENANT, throughGroupId: null },
  ]);

  it.each<[string, AssignmentTerms, Resource | null, boolean]>([
    ['an Allow that the owner holds', terms(Permission.DeviceRead, Allow, Device, DEVICE), device, false],
    ['an Allow that the owner does not hold', terms(Permission.DeviceDelete, Allow, Device, DEVICE), device, true],
    ['an Allow at a deleted scope', terms(Permission.DeviceRead, Allow, Device, DEVICE), null, true],
    ['an Allow of an unknown permission', { ...terms(Permission.DeviceRead, Allow, Device, DEVICE), permissionName: 'old' }, device, true],
    ['a Deny', terms(Permission.DeviceDelete, Deny, Device, DEVICE), null, false],
  ])('%s', (_what, granted, scope, exceeds) => {
    expect(exceedsOwner(owner, granted, scope)).toBe(exceeds);
  });
});
