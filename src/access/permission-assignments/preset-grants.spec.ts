import { describe, expect, it } from 'vitest';

import { findPreset, SELF_SERVICE, type PermissionPreset } from '../authorization/permissions/permission-presets.js';
import { Permission, PermissionEffect, PermissionScopeKind } from '../authorization/permissions/permission.js';
import { grantsOf, planGrants } from './preset-grants.js';

const TENANT = '01890000-0000-7000-8000-000000000001';
const DEVICE = '01890000-0000-7000-8000-00000000000d';

function preset(name: string): PermissionPreset {
  const found = findPreset(name);
  if (found === undefined) throw new Error(name);
  return found;
}

describe('grantsOf', () => {
  it('allows each permission at the tenant', () => {
    expect(grantsOf([SELF_SERVICE], TENANT)).toEqual(
      SELF_SERVICE.permissions.map(({ name }) => ({
        permissionName: name,
        effect: PermissionEffect.Allow,
        scopeKind: PermissionScopeKind.Tenant,
        scopeId: TENANT,
        isEnabled: true,
        notes: null,
      })),
    );
  });

  it('allows a permission of the server at the server', () => {
    const { name } = Permission.ServerPermissionsWrite;
    const grant = grantsOf([preset('Server Administrator')], TENANT).find(({ permissionName }) => permissionName === name);
    expect(grant).toMatchObject({ scopeKind: PermissionScopeKind.Server, scopeId: null });
  });

  it('grants a permission of several presets once', () => {
    const presets = [preset('Agent Installer'), preset('Installer Key Manager')];
    expect(grantsOf(presets, TENANT)).toHaveLength(3);
  });
});

describe('planGrants', () => {
  const [first, second] = grantsOf([SELF_SERVICE], TENANT);

  it('adds what is missing', () => {
    expect(planGrants([], [first, second])).toEqual({ enable: [], add: [first, second] });
  });

  it('keeps existing assignments and enables disabled ones, whatever their notes', () => {
    const disabled = { ...second, isEnabled: false, notes: 'off for now' };
    expect(planGrants([first, disabled], [first, second])).toEqual({ enable: [disabled], add: [] });
  });

  it.each([
    ['a Deny', { ...first, effect: PermissionEffect.Deny, isEnabled: false }],
    ['an Allow at a narrower scope', { ...first, scopeKind: PermissionScopeKind.Device, scopeId: DEVICE, isEnabled: false }],
  ])('leaves %s of the same permission alone', (_what, other) => {
    expect(planGrants([other], [first])).toEqual({ enable: [], add: [first] });
  });
});
