import { describe, expect, it } from 'vitest';

import { AuthorizationChangeLog } from '../../../src/access/authorization/change-log/change-log.entity.js';
import {
  Permission,
  permissionCatalog,
  PermissionEffect,
  PermissionPrincipalKind,
} from '../../../src/access/authorization/permissions/permission.js';
import type {
  PermissionAssignmentDto,
  PermissionCatalogResponseDto,
  PermissionPresetsResponseDto,
} from '../../../src/access/permission-assignments/permission-assignment.dto.js';
import { PermissionAssignment } from '../../../src/access/permission-assignments/permission-assignment.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import type { ProblemDetails } from '../../../src/platform/http/problems/problem-details.js';
import type { ApiAnswer } from '../../support/application/api-client.js';
import { wrongFieldsOf } from '../../support/callers/callers.js';
import {
  addToUserGroup,
  at,
  createCustomer,
  createDevice,
  createDeviceGroup,
  createLogonToken,
  createPersonalAccessToken,
  createServiceAccountWithKey,
  createTenant,
  createUser,
  createUserGroup,
  grant,
  holder,
} from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';
import { ASSIGNMENTS, assignment, assignmentCalls, termsOf } from './assignment-calls.js';

const { Allow, Deny } = PermissionEffect;

const server = testServer();
const tenant = testTenant(server);
const { caller, create, freshUser, held, named } = assignmentCalls(server, tenant);

describe('catalog and presets', () => {
  it('lists every permission by name with its scope kinds', async () => {
    const { items } = (await server.client().get(`${ASSIGNMENTS}/catalog`, { query: named() })).as<PermissionCatalogResponseDto>();
    const own = ['tenant.events.read'];
    expect(items.filter(({ name }) => !own.includes(name))).toHaveLength(68);
    expect(items.map(({ name }) => name)).toEqual(expect.arrayContaining(own));
    expect(items.map(({ name }) => name)).toEqual(items.map(({ name }) => name).sort());
    expect(items.find(({ name }) => name === 'device-group.assign-devices')).toEqual({
      name: 'device-group.assign-devices',
      displayName: 'Assign Devices to Group',
      categoryLabel: 'Device Groups',
      description: expect.any(String),
      allowedScopeKinds: ['DeviceGroup', 'Tenant'],
      selfRemovable: true,
    });
    expect(items.filter(({ selfRemovable }) => !selfRemovable).map(({ name }) => name)).toEqual([
      'server.permissions.write',
      'tenant.permissions.deny',
      'tenant.permissions.write',
    ]);
  });

  it('lists the presets by name', async () => {
    const { items } = (await server.client().get(`${ASSIGNMENTS}/presets`, { query: named() })).as<PermissionPresetsResponseDto>();
    expect(items.map(({ name }) => name)).toEqual([
      'Agent Installer',
      'Device Superuser',
      'Installer Key Manager',
      'Self Service',
      'Server Administrator',
      'Service Account Manager',
      'Tenant Administrator',
    ]);
    expect(items[0].permissions).toEqual(['agent.install', 'installer-key.read', 'installer-key.write']);
    const known = new Set(permissionCatalog.map(({ name }) => name));
    for (const { permissions } of items) for (const name of permissions) expect(known).toContain(name);
  });
});

describe('creating', () => {
  it('answers the assignment as it is listed', async () => {
    const principal = await freshUser();
    const answer = await create(server.client(), {
      PRINCIPALKIND: 'user',
      principalId: principal.id.toUpperCase(),
      permissionName: 'device.read',
      effect: 'allow',
      scopeKind: 2,
      notes: 'for the help desk',
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.any(String),
      principalKind: 'User',
      principalId: principal.id,
      permissionName: 'device.read',
      effect: 'Allow',
      scopeKind: 'Tenant',
      scopeId: tenant.id,
      notes: 'for the help desk',
      isEnabled: true,
      createdAt: expect.any(String),
    });
    expect(await held(principal)).toEqual([answer.body]);
  });

  it('keeps notes of any characters; half of one becomes its replacement', async () => {
    const principal = await freshUser();
    const notes = `"quotes", {braces}, \\backslash, NULL, 'single', 🔑 and \ud800`;
    const answer = await create(server.client(), assignment(principal, Permission.TenantRead, at.tenant(tenant), { notes }));
    expect(answer.status).toBe(201);
    expect((await held(principal))[0].notes).toBe(notes.replace('\ud800', '\ufffd'));
    const blank = assignment(principal, Permission.TenantTagsWrite, at.tenant(tenant), { notes: '' });
    expect((await create(server.client(), blank)).body).toMatchObject({ notes: '' });
  });

  it('takes every kind of principal and scope of the tenant', async () => {
    const user = await createUser(server, { tenantId: tenant.id });
    const group = await createUserGroup(server, { tenantId: tenant.id });
    const device = await createDevice(server, { tenantId: tenant.id });
    const deviceGroup = await createDeviceGroup(server, { tenantId: tenant.id });
    const customer = await createCustomer(server, { tenantId: tenant.id });
    const { account } = await createServiceAccountWithKey(server, { tenantId: tenant.id });
    const { account: serverAccount } = await createServiceAccountWithKey(server);
    const { token } = await createPersonalAccessToken(server, user);
    const logonToken = await createLogonToken(server, user, device);
    const root = server.client();
    const wanted = [
      assignment(holder.user(user), Permission.DeviceRead, at.customer(customer)),
      assignment(holder.userGroup(group), Permission.DeviceRead, at.deviceGroup(deviceGroup)),
      assignment(holder.serviceAccount(account), Permission.UserGroupAssignUsers, at.userGroup(group)),
      assignment(holder.serviceAccount(serverAccount), Permission.DeviceRead, at.server),
      assignment(holder.personalAccessToken(token), Permission.DeviceRead, at.customer(customer)),
      assignment(holder.logonToken(logonToken), Permission.DeviceRead, at.device(device)),
      assignment(holder.user(user), Permission.ServerTenantsRead, at.server),
      assignment(holder.user(user), Permission.DeviceRead, at.server, { effect: Deny }),
    ];
    for (const body of wanted) expect([body, (await create(root, body)).status]).toEqual([body, 201]);
  });

  it('lists by permission and scope kind', async () => {
    const principal = await freshUser();
    const device = await createDevice(server, { tenantId: tenant.id });
    for (const [permission, scope] of [
      [Permission.TenantRead, at.tenant(tenant)],
      [Permission.DeviceRead, at.tenant(tenant)],
      [Permission.DeviceRead, at.device(device)],
    ] as const) {
      await create(server.client(), assignment(principal, permission, scope));
    }
    expect(termsOf(await held(principal))).toEqual(['Allow device.read Device', 'Allow device.read Tenant', 'Allow tenant.read Tenant']);
  });

  it('lists nothing for an unknown principal and for one of another tenant', async () => {
    const other = await createTenant(server);
    const stranger = await freshUser(other);
    await grant(server, { principal: stranger, permission: Permission.TenantRead, scope: at.tenant(other) });
    await grant(server, { principal: stranger, permission: Permission.ServerTenantsRead, scope: at.server });
    expect(await held({ kind: PermissionPrincipalKind.User, id: newGuid() })).toEqual([]);
    expect(await held(stranger)).toEqual([]);
    expect(await held(stranger, server.client(), other)).toHaveLength(2);
  });

  it('refuses with 400 what names nothing of the tenant, and writes nothing', async () => {
    const other = await createTenant(server);
    const principal = await freshUser();
    const foreign = {
      device: await createDevice(server, { tenantId: other.id }),
      group: await createDeviceGroup(server, { tenantId: other.id }),
      userGroup: await createUserGroup(server, { tenantId: other.id }),
      customer: await createCustomer(server, { tenantId: other.id }),
      account: (await createServiceAccountWithKey(server, { tenantId: other.id })).account,
    };
    const device = await createDevice(server, { tenantId: tenant.id });
    const cases: readonly (readonly [object, string])[] = [
      [assignment(principal, Permission.DeviceRead, at.device(foreign.device)), 'scopeId'],
      [assignment(principal, Permission.DeviceRead, at.deviceGroup(foreign.group)), 'scopeId'],
      [assignment(principal, Permission.DeviceRead, at.customer(foreign.customer)), 'scopeId'],
      [assignment(principal, Permission.UserGroupAssignUsers, at.userGroup(foreign.userGroup)), 'scopeId'],
      [assignment(principal, Permission.DeviceRead, at.tenant(other)), 'scopeId'],
      [assignment(principal, Permission.DeviceRead, { ...at.tenant(tenant), scopeId: device.id }), 'scopeId'],
      [assignment(principal, Permission.DeviceRead, { ...at.device(device), scopeId: null }), 'scopeId'],
      [assignment(await freshUser(other), Permission.DeviceRead, at.device(device)), 'principalId'],
      [assignment(holder.serviceAccount(foreign.account), Permission.DeviceRead, at.device(device)), 'principalId'],
      [assignment({ kind: PermissionPrincipalKind.UserGroup, id: principal.id }, Permission.DeviceRead, at.device(device)), 'principalId'],
      [assignment(principal, { name: 'device.fly' }, at.device(device)), 'permissionName'],
      [assignment(principal, Permission.TenantRead, at.device(device)), 'scopeKind'],
      [assignment(principal, Permission.DeviceRead, at.server), 'scopeKind'],
      [assignment(principal, Permission.DeviceRead, at.device(device), { scopeKind: 'Unknown' }), 'scopeKind'],
      [assignment(principal, Permission.DeviceRead, at.device(device), { scopeKind: undefined }), 'scopeKind'],
      [assignment(principal, Permission.DeviceRead, at.device(device), { effect: undefined }), 'effect'],
      [assignment(principal, Permission.DeviceRead, at.device(device), { principalKind: 'Robot' }), 'principalKind'],
      [assignment(principal, Permission.DeviceRead, at.device(device), { notes: 'x'.repeat(501) }), 'notes'],
      [assignment(principal, { name: 'x'.repeat(151) }, at.device(device)), 'permissionName'],
    ];
    for (const [body, field] of cases) {
      const answer = await create(server.client(), body);
      expect([body, answer.status, wrongFieldsOf(answer)]).toEqual([body, 400, [field]]);
    }
    expect(await held(principal)).toEqual([]);
  });

  it('takes null and the named tenant at Tenant scope, and refuses another tenant in every route', async () => {
    const other = await createTenant(server);
    const root = server.client();
    const principal = await freshUser();
    const stored = await create(root, assignment(principal, Permission.TenantRead, { ...at.tenant(tenant), scopeId: null }));
    expect([stored.status, stored.body]).toEqual([201, expect.objectContaining({ scopeId: tenant.id })]);
    const foreign = assignment(principal, Permission.DeviceRead, at.tenant(other));
    const { id } = stored.as<PermissionAssignmentDto>();
    const reference = { principalKind: principal.kind, principalId: principal.id };
    for (const [answer, field] of [
      [await create(root, foreign), 'scopeId'],
      [await root.put(`${ASSIGNMENTS}/${id}`, { query: named(), body: { ...foreign, isEnabled: true } }), 'scopeId'],
      [await root.post(`${ASSIGNMENTS}/batch`, { query: named(), body: { assignments: [foreign] } }), 'assignments[0].scopeId'],
      [
        await root.post(`${ASSIGNMENTS}/replace`, { query: named(), body: { ...reference, assignments: [foreign] } }),
        'assignments[0].scopeId',
      ],
    ] as const) {
      expect([answer.status, (answer.body as ProblemDetails).errors]).toEqual([
        400,
        { [field]: ['scopeId must be the id of the tenant that the request names, or null, at Tenant scope.'] },
      ]);
    }
    expect(await held(principal)).toEqual([stored.body]);
  });

  it('refuses a second one of the same terms with 409; an Allow and a Deny may stand side by side', async () => {
    const principal = await freshUser();
    const body = assignment(principal, Permission.TenantRead, at.tenant(tenant));
    expect((await create(server.client(), body)).status).toBe(201);
    expect((await create(server.client(), { ...body, isEnabled: false, notes: 'again' })).status).toBe(409);
    expect((await create(server.client(), { ...body, effect: Deny })).status).toBe(201);
    const atServer = assignment(principal, Permission.ServerTenantsRead, at.server);
    expect((await create(server.client(), atServer)).status).toBe(201);
    expect((await create(server.client(), atServer)).status).toBe(409);
  });

  it('bounds what a personal access token is allowed by what its owner holds at that scope', async () => {
    const user = await createUser(server, { tenantId: tenant.id });
    const group = await createUserGroup(server, { tenantId: tenant.id });
    await addToUserGroup(server, group, user);
    const deviceGroup = await createDeviceGroup(server, { tenantId: tenant.id });
    const inside = await createDevice(server, { tenantId: tenant.id, groups: [deviceGroup] });
    const outside = await createDevice(server, { tenantId: tenant.id });
    await grant(server, { principal: holder.userGroup(group), permission: Permission.DeviceRead, scope: at.deviceGroup(deviceGroup) });
    const token = holder.personalAccessToken((await createPersonalAccessToken(server, user)).token);
    const root = server.client();
    expect((await create(root, assignment(token, Permission.DeviceRead, at.device(inside)))).status).toBe(201);
    expect((await create(root, assignment(token, Permission.DeviceRead, at.device(outside)))).status).toBe(400);
    expect((await create(root, assignment(token, Permission.DeviceRead, at.tenant(tenant)))).status).toBe(400);
    expect((await create(root, assignment(token, Permission.DeviceRead, at.device(outside), { effect: Deny }))).status).toBe(201);
  });

  it('keeps a logon token on its own device', async () => {
    const user = await createUser(server, { tenantId: tenant.id });
    const device = await createDevice(server, { tenantId: tenant.id });
    const other = await createDevice(server, { tenantId: tenant.id });
    const token = holder.logonToken(await createLogonToken(server, user, device));
    expect((await create(server.client(), assignment(token, Permission.DeviceRead, at.device(other)))).status).toBe(400);
    expect((await create(server.client(), assignment(token, Permission.DeviceRead, at.tenant(tenant)))).status).toBe(400);
  });
});

describe('changing and deleting', () => {
  it('changes everything but the principal', async () => {
    const principal = await freshUser();
    const device = await createDevice(server, { tenantId: tenant.id });
    const { id, createdAt } = (
      await create(server.client(), assignment(principal, Permission.DeviceRead, at.tenant(tenant)))
    ).as<PermissionAssignmentDto>();
    const body = { permissionName: 'device.delete', effect: 'deny', scopeKind: 'Device', scopeId: device.id, isEnabled: false, notes: 'n' };
    const answer = await server.client().put(`${ASSIGNMENTS}/${id}`, { query: named(), body: { ...body, principalId: newGuid() } });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ id, createdAt, principalKind: 'User', principalId: principal.id, ...body, effect: 'Deny' });
    expect(await held(principal)).toEqual([answer.body]);
  });

  it('keeps the scope id that is left out only as long as the scope kind stays', async () => {
    const principal = await freshUser();
    const device = await createDevice(server, { tenantId: tenant.id });
    const { id } = (
      await create(server.client(), assignment(principal, Permission.DeviceRead, at.device(device)))
    ).as<PermissionAssignmentDto>();
    const put = (scopeKind: string): Promise<ApiAnswer> =>
      server.client().put(`${ASSIGNMENTS}/${id}`, {
        query: named(),
        body: { permissionName: 'device.read', effect: Allow, scopeKind, isEnabled: true },
      });
    expect((await put('Device')).as()).toMatchObject({ scopeKind: 'Device', scopeId: device.id });
    expect(wrongFieldsOf(await put('DeviceGroup'))).toEqual(['scopeId']);
    expect((await put('Tenant')).as()).toMatchObject({ scopeKind: 'Tenant', scopeId: tenant.id });
    expect(wrongFieldsOf(await put('Device'))).toEqual(['scopeId']);
  });

  it('moves a row between tenant and server', async () => {
    const { account } = await createServiceAccountWithKey(server);
    const principal = holder.serviceAccount(account);
    const { id } = (
      await create(server.client(), assignment(principal, Permission.DeviceRead, at.tenant(tenant)))
    ).as<PermissionAssignmentDto>();
    const body = { permissionName: 'device.read', effect: Allow, scopeKind: 'Server', scopeId: null, isEnabled: true };
    expect((await server.client().put(`${ASSIGNMENTS}/${id}`, { query: named(), body })).status).toBe(200);
    const row = await server.dataSource.manager.findOneByOrFail(PermissionAssignment, { id });
    expect(row).toMatchObject({ scopeKind: 'Server', scopeId: null, owningTenantId: null });
  });

  it('answers 409 when the new terms are taken, and 404 for what is not there', async () => {
    const principal = await freshUser();
    await create(server.client(), assignment(principal, Permission.TenantRead, at.tenant(tenant)));
    const { id } = (
      await create(server.client(), assignment(principal, Permission.TenantTagsWrite, at.tenant(tenant)))
    ).as<PermissionAssignmentDto>();
    const body = { permissionName: 'tenant.read', effect: Allow, scopeKind: 'Tenant', isEnabled: true };
    expect((await server.client().put(`${ASSIGNMENTS}/${id}`, { query: named(), body })).status).toBe(409);
    expect((await server.client().put(`${ASSIGNMENTS}/${newGuid()}`, { query: named(), body })).status).toBe(404);
    const other = await createTenant(server);
    expect((await server.client().put(`${ASSIGNMENTS}/${id}`, { query: named(other), body })).status).toBe(404);
    expect((await server.client().delete(`${ASSIGNMENTS}/${id}`, { query: named(other) })).status).toBe(404);
    expect((await server.client().delete(`${ASSIGNMENTS}/${id}`, { query: named() })).status).toBe(204);
    expect((await server.client().delete(`${ASSIGNMENTS}/${id}`, { query: named() })).status).toBe(404);
  });

  it('goes with its principal and its scope', async () => {
    const principal = await freshUser();
    const device = await createDevice(server, { tenantId: tenant.id });
    await create(server.client(), assignment(principal, Permission.DeviceRead, at.device(device)));
    await server.dataSource.query('DELETE FROM devices WHERE id = $1', [device.id]);
    expect(await held(principal)).toEqual([]);
    await create(server.client(), assignment(principal, Permission.TenantRead, at.tenant(tenant)));
    await server.dataSource.query('DELETE FROM users WHERE id = $1', [principal.id]);
    expect(await server.dataSource.manager.countBy(PermissionAssignment, { principalId: principal.id })).toBe(0);
  });
});

describe('the change log', () => {
  it('says whose row it was and all that it said, before and after, in the order of the changes', async () => {
    const { client, user } = await caller([Permission.TenantPermissionsWrite]);
    const principal = await freshUser();
    const body = assignment(principal, Permission.TenantRead, at.tenant(tenant), { notes: 'first' });
    const { id } = (await create(client, body)).as<PermissionAssignmentDto>();
    const values = { permissionName: 'tenant.read', effect: Allow, scopeKind: 'Tenant', isEnabled: false, notes: null };
    await client.put(`${ASSIGNMENTS}/${id}`, { query: named(), body: values });
    await client.put(`${ASSIGNMENTS}/${id}`, { query: named(), body: values });
    await client.delete(`${ASSIGNMENTS}/${id}`, { query: named() });

    const entries = await server.dataSource.manager.find(AuthorizationChangeLog, { where: { targetId: id }, order: { id: 'ASC' } });
    const state = {
      principalKind: 'User',
      principalId: principal.id,
      permissionName: 'tenant.read',
      effect: 'Allow',
      scopeKind: 'Tenant',
      scopeId: tenant.id,
    };
    const created = { ...state, isEnabled: true, notes: 'first' };
    const changed = { ...state, isEnabled: false };
    expect(
      entries.map(({ actionType, beforeJson, afterJson }) => [
        actionType,
        beforeJson === null ? null : (JSON.parse(beforeJson) as unknown),
        afterJson === null ? null : (JSON.parse(afterJson) as unknown),
      ]),
    ).toEqual([
      ['permission-assignment-created', null, created],
      ['permission-assignment-updated', created, changed],
      ['permission-assignment-deleted', changed, null],
    ]);
    for (const entry of entries) {
      expect(entry).toMatchObject({
        actorPrincipalType: 'user',
        actorPrincipalId: user.id,
        targetType: 'PermissionAssignment',
        owningTenantId: tenant.id,
        ipAddress: '127.0.0.1',
      });
    }
  });

  it('belongs to the server for rows at the server, and holds nothing of a refused change', async () => {
    const principal = await freshUser();
    const { id } = (
      await create(server.client(), assignment(principal, Permission.ServerTenantsRead, at.server))
    ).as<PermissionAssignmentDto>();
    const [entry] = await server.dataSource.manager.findBy(AuthorizationChangeLog, { targetId: id });
    expect(entry).toMatchObject({ owningTenantId: null, actorPrincipalType: 'service-account' });

    const before = await server.dataSource.manager.count(AuthorizationChangeLog);
    const good = assignment(principal, Permission.TenantRead, at.tenant(tenant));
    await server.client().post(`${ASSIGNMENTS}/batch`, { query: named(), body: { assignments: [good, good] } });
    expect(await server.dataSource.manager.count(AuthorizationChangeLog)).toBe(before);
  });
});
