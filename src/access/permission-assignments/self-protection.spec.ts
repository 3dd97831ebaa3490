import { describe, expect, it } from 'vitest';

import { RuleSet, type Rule } from '../authorization/evaluation/rules.js';
import { Permission, PermissionEffect, PermissionScopeKind, type PermissionDefinition } from '../authorization/permissions/permission.js';
import { protectedRightsIn } from './self-protection.js';

const TENANT = '01890000-0000-7000-8000-000000000001';
const OTHER = '01890000-0000-7000-8000-000000000002';
const { Allow, Deny } = PermissionEffect;

function rule({ name }: PermissionDefinition, effect: PermissionEffect, tenantId: string | null): Rule {
  return {
    assignmentId: '',
    permissionName: name,
    effect,
    scopeKind: tenantId === null ? PermissionScopeKind.Server : PermissionScopeKind.Tenant,
    scopeId: tenantId,
    owningTenantId: tenantId,
    throughGroupId: null,
  };
}

describe('protectedRightsIn', () => {
  it.each<[string, Rule[], string[]]>([
    ['nothing', [], []],
    ['a permission of the tenant', [rule(Permission.TenantPermissionsWrite, Allow, TENANT)], ['tenant.permissions.write']],
    ['a permission of another tenant', [rule(Permission.TenantPermissionsWrite, Allow, OTHER)], []],
    ['a permission of the server', [rule(Permission.ServerPermissionsWrite, Allow, null)], ['server.permissions.write']],
    ['a permission that may be given away', [rule(Permission.TenantRead, Allow, TENANT)], []],
    [
      'a permission that is denied',
      [rule(Permission.TenantPermissionsWrite, Allow, TENANT), rule(Permission.TenantPermissionsWrite, Deny, TENANT)],
      [],
    ],
  ])('finds what the caller may not take from itself in %s', (_what, rules, names) => {
    expect(protectedRightsIn(new RuleSet(rules), TENANT)).toEqual(names);
  });
});
