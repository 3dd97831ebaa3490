import { describe, expect, it } from 'vitest';

import {
  authorizationCases,
  containers,
  devices,
  EVERYWHERE,
  principalOf,
  ruleOf,
  tenants,
  type AuthorizationCase,
  type CaseRow,
  type RowHolder,
} from '../../../../test/support/fixtures/authorization-cases.js';
import { tenantOf } from '../../authentication/principals/principal.js';
import { Permission, permissionCatalog, PermissionEffect, PermissionScopeKind } from '../permissions/permission.js';
import { evaluate, type PrincipalRules } from './evaluator.js';
import { countingRules, RuleSet, type Resource } from './rules.js';

const IDS = { principal: '0c5e0000-0000-4000-9000-000000000001', credential: '0c5e0000-0000-4000-9000-000000000002' };

/** The rules that the service would load for the caller of a test case. */
function rulesOf({ caller, rows }: Pick<AuthorizationCase, 'caller' | 'rows'>): PrincipalRules {
  const tenantId = tenantOf(principalOf(caller, IDS));
  const heldBy = (...holders: RowHolder[]): RuleSet => {
    const counting = rows.filter((row) => row.isEnabled && holders.includes(row.holder));
    return new RuleSet(countingRules({ tenantId }, counting.map(ruleOf)));
  };
  const hasOwnRules = caller === 'restricted token' || caller === 'logon token';
  return { owner: heldBy('self', 'group'), token: hasOwnRules ? heldBy('token') : null, maker: [] };
}

describe('the table of cases', () => {
  it.each(authorizationCases.map((given) => [`${given.caller}: ${given.name}`, given] as const))('%s', (_name, given) => {
    const principal = principalOf(given.caller, IDS);
    const rules = rulesOf(given);
    const allowed = EVERYWHERE.filter((name) => evaluate(principal, rules, Permission.DeviceRead, devices[name]).allowed);
    expect(allowed.toSorted()).toEqual(given.allowed.toSorted());
    for (const [permission, resource, expected] of given.decisions ?? []) {
      expect([permission.name, resource, evaluate(principal, rules, permission, resource).allowed]).toEqual([
        permission.name,
        resource,
        expected,
      ]);
    }
  });

  it('gives each case a unique name', () => {
    const names = authorizationCases.map(({ caller, name }) => `${caller}: ${name}`);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('the deciding rule', () => {
  const rowOf = (holder: RowHolder, effect: PermissionEffect, changes: Partial<CaseRow> = {}): CaseRow => ({
    holder,
    permissionName: 'device.read',
    effect,
    scopeKind: PermissionScopeKind.Tenant,
    scopeId: tenants.home,
    owningTenantId: tenants.home,
    isEnabled: true,
    ...changes,
  });
  const { Allow, Deny } = PermissionEffect;

  it.each([
    ['unrestricted server account', [], devices.plain, true, undefined],
    ['user', [rowOf('self', Allow)], devices.plain, true, Allow],
    ['user', [rowOf('self', Allow), rowOf('group', Deny)], devices.plain, false, Deny],
    ['user', [], devices.plain, false, undefined],
    ['user', [rowOf('self', Allow)], devices.foreign, false, undefined],
    ['restricted token', [rowOf('token', Allow)], devices.plain, false, undefined],
    ['restricted token', [rowOf('self', Allow)], devices.plain, false, undefined],
    ['restricted token', [rowOf('self', Deny), rowOf('token', Allow)], devices.plain, false, Deny],
    ['restricted token', [rowOf('self', Allow), rowOf('token', Deny)], devices.plain, false, Deny],
    ['restricted token', [rowOf('self', Allow), rowOf('token', Allow)], devices.plain, true, Allow],
    ['logon token', [rowOf('token', Allow)], devices.plain, false, undefined],
    ['logon token', [rowOf('token', Allow)], devices.inGroup, true, Allow],
    ['logon token', [rowOf('token', Allow), rowOf('self', Deny)], devices.inGroup, false, Deny],
    ['logon token', [rowOf('self', Allow)], devices.inGroup, false, undefined],
  ] as const)('of %s with %j', (caller, rows, resource, allowed, effect) => {
    const decision = evaluate(principalOf(caller, IDS), rulesOf({ caller, rows }), Permission.DeviceRead, resource);
    expect([decision.allowed, decision.rule?.effect]).toEqual([allowed, effect]);
  });

  it('is at a scope of the kind that the rule names, whatever else has the same id', () => {
    const { id, tenantId } = devices.inGroup;
    const groupRow = rowOf('self', Allow, { scopeKind: PermissionScopeKind.DeviceGroup, scopeId: id });
    const resources: readonly Resource[] = [
      devices.inGroup,
      { ...devices.inGroup, id: containers.group.id, deviceGroupIds: [id] },
      { kind: 'DeviceGroup', id, tenantId },
      { kind: 'CustomerTenant', id, tenantId },
      { kind: 'UserGroup', id, tenantId },
      { kind: 'Tenant', tenantId: id },
    ];
    const rules = rulesOf({ caller: 'restricted server account', rows: [groupRow] });
    const caller = principalOf('restricted server account', IDS);
    const allowed = resources.map((resource) => evaluate(caller, rules, Permission.DeviceRead, resource).allowed);
    expect(allowed).toEqual([false, true, true, false, false, false]);
  });

  it('is a direct rule rather than one through a group', () => {
    const rows = [rowOf('group', Allow), rowOf('self', Allow)];
    const { rule } = evaluate(principalOf('user', IDS), rulesOf({ caller: 'user', rows }), Permission.DeviceRead, devices.plain);
    expect(rule?.throughGroupId).toBeNull();
    const denied = [...rows, rowOf('group', Deny, { scopeKind: PermissionScopeKind.DeviceGroup, scopeId: containers.group.id })];
    const decision = evaluate(principalOf('user', IDS), rulesOf({ caller: 'user', rows: denied }), Permission.DeviceRead, devices.inGroup);
    expect(decision).toMatchObject({ allowed: false, rule: { throughGroupId: containers.userGroup.id, effect: Deny } });
  });
});

describe('an Unrestricted account and one without rules', () => {
  const resources: readonly Resource[] = [
    { kind: 'Server' },
    { kind: 'Tenant', tenantId: tenants.home },
    { kind: 'UserGroup', id: containers.userGroup.id, tenantId: tenants.home },
    ...Object.values(devices),
  ];

  it.each(permissionCatalog.map((permission) => [permission.name, permission] as const))('hold %s or nothing', (_name, permission) => {
    for (const resource of resources) {
      const unrestricted = principalOf('unrestricted server account', IDS);
      expect(evaluate(unrestricted, rulesOf({ caller: 'unrestricted server account', rows: [] }), permission, resource).allowed).toBe(true);
      for (const caller of [
        'user',
        'restricted token',
        'inheriting token',
        'logon token',
        'tenant account',
        'restricted server account',
      ] as const) {
        expect(evaluate(principalOf(caller, IDS), rulesOf({ caller, rows: [] }), permission, resource).allowed).toBe(false);
      }
    }
  });
});
