import { beforeAll, describe, expect, it } from 'vitest';

import { AuthorizationService } from '../../../src/access/authorization/evaluation/authorization.service.js';
import {
  Permission,
  PermissionEffect,
  PermissionPrincipalKind,
  PermissionScopeKind,
} from '../../../src/access/authorization/permissions/permission.js';
import { PermissionAssignment } from '../../../src/access/permission-assignments/permission-assignment.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { InvalidationBus } from '../../../src/platform/database/invalidation/invalidation-bus.js';
import {
  authorizationCases,
  devices,
  principalOf,
  tenants,
  type CaseRow,
  type DeviceName,
} from '../../support/fixtures/authorization-cases.js';
import { createServiceAccountWithKey, createUser, holder } from '../../support/fixtures/factories.js';
import { allowedByEvaluator, allowedBySql, assign, store, storeCases, type StoredCaller } from '../../support/fixtures/stored-cases.js';
import { testServer } from '../../support/setup/test-server.js';

const server = testServer();
let authorization: AuthorizationService;

storeCases(server);

beforeAll(() => {
  authorization = server.app.get(AuthorizationService);
});

const idsOf = (names: readonly DeviceName[]): string[] => names.map((name) => devices[name].id).sort();

describe('the table of cases, stored', () => {
  it.each(authorizationCases.map((given) => [`${given.caller}: ${given.name}`, given] as const))('%s', async (_name, given) => {
    const caller = await store(server, given.caller);
    await assign(server, caller, given.rows);
    const principal = principalOf(given.caller, caller);
    const loaded = await Promise.all(Object.values(devices).map(({ id }) => authorization.device(id)));
    const found = loaded.filter((device) => device !== null);
    expect(found).toHaveLength(loaded.length);
    expect(await allowedByEvaluator(server, principal, found)).toEqual(idsOf(given.allowed));
    expect(await allowedBySql(server, principal)).toEqual(idsOf(given.allowed));
    for (const [permission, resource, expected] of given.decisions ?? []) {
      expect([permission.name, resource, await authorization.isAllowed(principal, permission, resource)]).toEqual([
        permission.name,
        resource,
        expected,
      ]);
    }
  });
});

describe('Restricted server accounts without assignments', () => {
  it('are refused everywhere until they get a first assignment', async () => {
    const { account, principal, key } = await createServiceAccountWithKey(server);
    expect(await authorization.hasNothing(principal)).toBe(true);
    const client = server.client({ 'x-api-key': key });
    const call = () => client.get('/api/v1/tenants');
    expect((await call()).status).toBe(403);
    for (const path of ['/api/v1/devices', '/api/v1/server-alert', '/api/v1/user-server-settings/decommission-status']) {
      expect((await client.get(path)).status).toBe(403);
    }
    const stored: StoredCaller = { principal: account.id, credential: principal.id, holders: { self: holder.serviceAccount(account) } };
    const row: CaseRow = {
      holder: 'self',
      permissionName: Permission.ServerTenantsRead.name,
      effect: PermissionEffect.Allow,
      scopeKind: PermissionScopeKind.Server,
      scopeId: null,
      owningTenantId: null,
      isEnabled: true,
    };
    await assign(server, stored, [row]);
    expect(await authorization.hasNothing(principal)).toBe(false);
    expect((await call()).status).toBe(200);
    await assign(server, stored, [{ ...row, isEnabled: false }]);
    expect((await call()).status).toBe(403);
  });
});

describe('a user who moves to another tenant', () => {
  it('loses the assignments of the former tenant at once', async () => {
    const user = await createUser(server, { tenantId: tenants.home });
    const row = { scopeKind: PermissionScopeKind.Tenant, scopeId: tenants.home, owningTenantId: tenants.home };
    await server.dataSource.manager.insert(PermissionAssignment, {
      id: newGuid(),
      principalKind: PermissionPrincipalKind.User,
      principalId: user.id,
      permissionName: Permission.DeviceRead.name,
      effect: PermissionEffect.Allow,
      ...row,
    });
    server.app.get(InvalidationBus).forgetAll();
    const rules = (tenantId: string) => authorization.rules(PermissionPrincipalKind.User, user.id, tenantId);
    expect((await rules(tenants.home)).isEmpty).toBe(false);
    expect((await rules(tenants.other)).isEmpty).toBe(true);
    expect((await rules(tenants.home)).isEmpty).toBe(false);
  });
});
