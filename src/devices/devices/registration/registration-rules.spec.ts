import { describe, expect, it } from 'vitest';

import { RuleSet, type DeviceResource, type Rule } from '../../../access/authorization/evaluation/rules.js';
import {
  Permission,
  PermissionEffect,
  PermissionScopeKind,
  type PermissionDefinition,
} from '../../../access/authorization/permissions/permission.js';
import { needsNothing, needsOf, requireAllowed, type RegistrationNeeds } from './registration-rules.js';
import type { ExistingDevice } from './registration.repository.js';

const TENANT = '01890000-0000-7000-8000-000000000001';
const OTHER = '01890000-0000-7000-8000-000000000002';
const CUSTOMER = '01890000-0000-7000-8000-00000000000c';
const TAG = '01890000-0000-7000-8000-00000000000a';

const known = (values: Partial<ExistingDevice> = {}): ExistingDevice => ({
  tenantId: TENANT,
  customerId: null,
  deviceGroupIds: [],
  isTagged: false,
  publicKey: '',
  isKeyPending: false,
  waitingPublicKey: '',
  connectionId: '',
  ...values,
});
const NOTHING: RegistrationNeeds = { isAgain: false, addsToCustomer: false, choosesTags: false };
const AGAIN: RegistrationNeeds = { ...NOTHING, isAgain: true };

describe('needsOf', () => {
  it.each<[string, ExistingDevice | null, Parameters<typeof needsOf>[3], RegistrationNeeds]>([
    ['a new device', null, { tagIds: null }, NOTHING],
    ['a new device of a customer', null, { tagIds: null, customerId: CUSTOMER }, NOTHING],
    ['a new device without tags', null, { tagIds: [] }, NOTHING],
    ['a new device with tags', null, { tagIds: [TAG] }, { ...NOTHING, choosesTags: true }],
    ['a known device', known(), { tagIds: null }, AGAIN],
    ['a known device without tags, which stays so', known(), { tagIds: [] }, AGAIN],
    ['a known device that loses its tags', known({ isTagged: true }), { tagIds: [] }, { ...AGAIN, choosesTags: true }],
    ['a known device that comes to a customer', known(), { tagIds: null, customerId: CUSTOMER }, { ...AGAIN, addsToCustomer: true }],
    ['a known device that keeps its customer', known({ customerId: CUSTOMER }), { tagIds: null, customerId: CUSTOMER }, AGAIN],
  ])('finds the needs of the registration of %s', (_what, existing, request, needs) => {
    expect(needsOf(TENANT, existing, false, request)).toEqual(needs);
  });

  it('counts a device that was deleted as one that is registered again', () => {
    expect(needsOf(TENANT, null, true, { tagIds: null })).toEqual(AGAIN);
  });

  it.each<[string, ExistingDevice, Parameters<typeof needsOf>[3]]>([
    ['of another tenant', known({ tenantId: OTHER }), { tagIds: null }],
    ['of another customer', known({ customerId: OTHER }), { tagIds: null, customerId: CUSTOMER }],
  ])('refuses a device %s', (_what, existing, request) => {
    expect(() => needsOf(TENANT, existing, false, request)).toThrow(expect.objectContaining({ code: 'Forbidden' }));
  });
});

describe('needsNothing', () => {
  it.each([
    [NOTHING, true],
    [AGAIN, false],
    [{ ...NOTHING, choosesTags: true }, false],
  ])('%j: %s', (needs, isEnough) => {
    expect(needsNothing(needs)).toBe(isEnough);
  });
});

describe('requireAllowed', () => {
  const device: DeviceResource = { kind: 'Device', id: OTHER, tenantId: TENANT, customerId: null, deviceGroupIds: [] };
  const rulesWith = (...permissions: readonly PermissionDefinition[]): RuleSet =>
    new RuleSet(
      permissions.map(({ name }): Rule => ({
        assignmentId: '',
        permissionName: name,
        effect: PermissionEffect.Allow,
        scopeKind: PermissionScopeKind.Tenant,
        scopeId: TENANT,
        owningTenantId: TENANT,
        throughGroupId: null,
      })),
    );
  const { AgentInstall, TenantCustomersWrite, DeviceRead, DeviceTagsWrite } = Permission;

  it.each<[string, RegistrationNeeds, PermissionDefinition[]]>([
    ['registering again', AGAIN, [AgentInstall]],
    ['adding to a customer', { ...AGAIN, addsToCustomer: true }, [AgentInstall, TenantCustomersWrite, DeviceRead]],
    ['choosing tags', { ...NOTHING, choosesTags: true }, [DeviceTagsWrite]],
  ])('needs every permission for %s', (_what, needs, permissions) => {
    expect(() => requireAllowed(needs, rulesWith(...permissions), device)).not.toThrow();
    for (const missing of permissions) {
      const others = permissions.filter((permission) => permission !== missing);
      expect(() => requireAllowed(needs, rulesWith(...others), device)).toThrow(expect.objectContaining({ code: 'Forbidden' }));
    }
  });
});
