import { describe, expect, it } from '@jest/globals';

import { SYSTEM } from '../../src/authentication/principal.js';
import { AuthorizationService } from '../../src/authorization/authorization.service.js';
import { AuthorizationChangeLog } from '../../src/authorization/change-log.entity.js';
import { permissionPresets } from '../../src/authorization/permission-presets.js';
import {
  Permission,
  permissionCatalog,
  PermissionEffect,
  PermissionPrincipalKind,
  PermissionScopeKind,
} from '../../src/authorization/permission.js';
import { newGuid } from '../../src/common/guid.js';
import { UnitOfWork } from '../../src/database/unit-of-work.js';
import type { ProblemDetails } from '../../src/http/problem-details.js';
import type {
  DeleteManyPermissionAssignmentsResponseDto,
  PermissionAssignmentDto,
  PermissionAssignmentsResponseDto,
  PermissionCatalogResponseDto,
  PermissionPresetsResponseDto,
} from '../../src/permission-assignments/permission-assignment.dto.js';
import { PermissionAssignment } from '../../src/permission-assignments/permission-assignment.entity.js';
import { AssignmentLifecycle } from '../../src/permission-assignments/assignment-lifecycle.js';
import { PersonalAccessTokenPermissionMode } from '../../src/personal-access-tokens/personal-access-token.entity.js';
import { ServiceAccountAccessMode } from '../../src/service-accounts/service-account.entity.js';
import type { Tenant } from '../../src/tenants/tenant.entity.js';
import type { User } from '../../src/users/user.entity.js';
import type { ApiAnswer, ApiClient } from '../support/api-client.js';
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
  sessionOf,
  type Holder,
  type Scope,
} from '../support/factories.js';
import { testServer, testTenant } from '../support/test-server.js';

const BASE = '/api/v1/permission-assignments';
const { Allow, Deny } = PermissionEffect;

const server = testServer();
const tenant = testTenant(server);

/** A caller that holds the permissions on its tenant (or the server, where they belong). */
async function caller(
  permissions: readonly (typeof Permission)[keyof typeof Permission][],
  of = tenant,
): Promise<{ client: ApiClient; user: User }> {
  const user = await createUser(server, { tenantId: of.id });
  for (const permission of permissions) {
    const scopeKinds: readonly PermissionScopeKind[] = permission.scopeKinds;
    const scope = scopeKinds.includes(PermissionScopeKind.Tenant) ? at.tenant(of) : at.server;
    await grant(server, { principal: holder.user(user), permission, scope });
  }
  const { key } = await createPersonalAccessToken(server, user, { permissionMode: PersonalAccessTokenPermissionMode.InheritOwner });
  return { client: server.client({ 'x-personal-token': key }), user };
}

/** The body of a request for an assignment. */
function assignment(principal: Holder, permission: { readonly name: string }, scope: Scope, more: object = {}): object {
  return {
    principalKind: principal.kind,
    principalId: principal.id,
    permissionName: permission.name,
    effect: Allow,
    scopeKind: scope.scopeKind,
    scopeId: scope.scopeId,
    ...more,
  };
}

/** The names under `errors` of a refusal. */
function fieldsOf({ body }: ApiAnswer): string[] {
  const hasErrors = typeof body === 'object' && body !== null && 'errors' in body && typeof body.errors === 'object';
  return hasErrors ? Object.keys(body.errors ?? {}) : [];
}

const named = (of: Tenant = tenant): { readonly tenantId: string } => ({ tenantId: of.id });

async function held(principal: Holder, client = server.client(), of = tenant): Promise<PermissionAssignmentDto[]> {
  const query = { tenantId: of.id, principalKind: principal.kind, principalId: principal.id };
  return (await client.get(BASE, { query })).as<PermissionAssignmentsResponseDto>().items;
}

const termsOf = (rows: readonly PermissionAssignmentDto[]): string[] =>
  rows.map(({ effect, permissionName, scopeKind }) => `${effect} ${permissionName} ${scopeKind}`);

function create(client: ApiClient, body: object, of = tenant): Promise<ApiAnswer> {
  return client.post(BASE, { query: named(of), body });
}

async function freshUser(of = tenant): Promise<Holder> {
  return holder.user(await createUser(server, { tenantId: of.id }));
}

describe('catalog and presets', () => {
  it('lists every permission by name with its scope kinds', async () => {
    const { items } = (await server.client().get(`${BASE}/catalog`, { query: named() })).as<PermissionCatalogResponseDto>();
    expect(items).toHaveLength(68);
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
    const { items } = (await server.client().get(`${BASE}/presets`, { query: named() })).as<PermissionPresetsResponseDto>();
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

describe('access', () => {
  const routes: readonly (readonly [string, string, 'read' | 'write'])[] = [
    ['GET', `?principalKind=User&principalId=${newGuid()}`, 'read'],
    ['GET', '/catalog', 'read'],
    ['GET', '/presets', 'read'],
    ['POST', '', 'write'],
    ['POST', '/batch', 'write'],
    ['POST', '/batch-delete', 'write'],
    ['POST', '/presets/apply', 'write'],
    ['POST', '/replace', 'write'],
    ['PUT', `/${newGuid()}`, 'write'],
    ['DELETE', `/${newGuid()}`, 'write'],
  ];

  it.each(routes)('%s %s needs a credential, a tenant of the caller and tenant.permissions.%s', async (method, path, needs) => {
    const call = (client: ApiClient, query: { tenantId?: string }): Promise<ApiAnswer> =>
      client.call(method, `${BASE}${path}`, { query, ...(method === 'POST' || method === 'PUT' ? { body: {} } : {}) });
    expect((await call(server.client({}), named())).status).toBe(401);

    const wrong = await caller([needs === 'read' ? Permission.TenantPermissionsWrite : Permission.TenantPermissionsRead]);
    expect((await call(wrong.client, {})).status).toBe(400);
    expect((await call(wrong.client, { tenantId: '00000000-0000-0000-0000-000000000000' })).status).toBe(400);
    expect((await call(wrong.client, named())).status).toBe(403);
    const right = await caller([needs === 'read' ? Permission.TenantPermissionsRead : Permission.TenantPermissionsWrite]);
    expect((await call(right.client, named(await createTenant(server)))).status).toBe(403);
    expect((await call(right.client, named())).status).not.toBe(403);
  });

  it('answers 404 for a tenant that does not exist', async () => {
    const { account } = await createServiceAccountWithKey(server);
    const gone: Tenant = { id: newGuid(), createdAt: tenant.createdAt, name: null };
    expect(
      (await create(server.client(), assignment(holder.serviceAccount(account), Permission.TenantRead, at.tenant(gone)), gone)).status,
    ).toBe(404);
  });

  it('lets a Restricted server account work in the tenant that its rows name, and in no other', async () => {
    const { account, key } = await createServiceAccountWithKey(server);
    await grant(server, {
      principal: holder.serviceAccount(account),
      permission: Permission.TenantPermissionsWrite,
      scope: at.tenant(tenant),
    });
    const client = server.client({ 'x-api-key': key });
    expect((await create(client, assignment(await freshUser(), Permission.TenantRead, at.tenant(tenant)))).status).toBe(201);
    const other = await createTenant(server);
    expect((await create(client, assignment(await freshUser(other), Permission.TenantRead, at.tenant(other)), other)).status).toBe(403);
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
      expect([body, answer.status, fieldsOf(answer)]).toEqual([body, 400, [field]]);
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
      [await root.put(`${BASE}/${id}`, { query: named(), body: { ...foreign, isEnabled: true } }), 'scopeId'],
      [await root.post(`${BASE}/batch`, { query: named(), body: { assignments: [foreign] } }), 'assignments[0].scopeId'],
      [await root.post(`${BASE}/replace`, { query: named(), body: { ...reference, assignments: [foreign] } }), 'assignments[0].scopeId'],
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

describe('rights of the writer', () => {
  const { TenantPermissionsWrite, TenantPermissionsDeny, TenantPermissionsRead, ServerPermissionsWrite, ServerPermissionsRead } =
    Permission;

  it('needs tenant.permissions.deny for every Deny: to create, change, replace and delete it', async () => {
    const { client } = await caller([TenantPermissionsWrite]);
    const principal = await freshUser();
    const deny = await grant(server, { principal, permission: Permission.TenantRead, effect: Deny, scope: at.tenant(tenant) });
    const allow = assignment(principal, Permission.TenantRead, at.tenant(tenant));
    const reference = { principalKind: principal.kind, principalId: principal.id };
    const values = { permissionName: 'tenant.read', effect: Allow, scopeKind: 'Tenant', isEnabled: false };
    const refused = [
      await create(client, { ...allow, effect: Deny, permissionName: 'tenant.tags.write' }),
      await client.put(`${BASE}/${deny.id}`, { query: named(), body: values }),
      await client.delete(`${BASE}/${deny.id}`, { query: named() }),
      await client.post(`${BASE}/batch-delete`, { query: named(), body: { assignmentIds: [deny.id] } }),
      await client.post(`${BASE}/replace`, { query: named(), body: { ...reference, assignments: [allow] } }),
      await client.post(`${BASE}/presets/apply`, {
        query: named(),
        body: { ...reference, presetNames: ['Self Service'], replaceExisting: true },
      }),
    ];
    for (const answer of refused) {
      expect(answer.status).toBe(403);
      expect(answer.body).toMatchObject({ detail: expect.stringContaining('tenant.permissions.deny') });
    }
    expect(termsOf(await held(principal))).toEqual(['Deny tenant.read Tenant']);

    const stronger = await caller([TenantPermissionsWrite, TenantPermissionsDeny]);
    expect((await stronger.client.delete(`${BASE}/${deny.id}`, { query: named() })).status).toBe(204);
  });

  it('needs server.permissions.write for rows at the server and to change them; they do not exist for others', async () => {
    const { client } = await caller([TenantPermissionsWrite, TenantPermissionsRead]);
    const principal = await freshUser();
    expect((await create(client, assignment(principal, Permission.ServerTenantsRead, at.server))).status).toBe(403);
    const row = await grant(server, { principal, permission: Permission.ServerTenantsRead, scope: at.server });
    expect(await held(principal, client)).toEqual([]);
    expect((await client.delete(`${BASE}/${row.id}`, { query: named() })).status).toBe(404);
    const listed = await client.post(`${BASE}/batch-delete`, { query: named(), body: { assignmentIds: [row.id] } });
    expect(listed.body).toEqual({ successIds: [], failureIds: [row.id] });

    const reader = await caller([TenantPermissionsRead, ServerPermissionsRead]);
    expect(await held(principal, reader.client)).toHaveLength(1);
    const writer = await caller([TenantPermissionsWrite, ServerPermissionsWrite]);
    const values = { permissionName: 'server.tenants.write', effect: Allow, scopeKind: 'Server', scopeId: null, isEnabled: true };
    expect((await writer.client.put(`${BASE}/${row.id}`, { query: named(), body: values })).status).toBe(200);
    expect((await writer.client.delete(`${BASE}/${row.id}`, { query: named() })).status).toBe(204);
  });

  it('keeps a server administrator out of the rows of other tenants, and of their principals at the server', async () => {
    const other = await createTenant(server);
    const stranger = await freshUser(other);
    const rows = [
      await grant(server, { principal: stranger, permission: Permission.TenantRead, scope: at.tenant(other) }),
      await grant(server, { principal: stranger, permission: Permission.ServerTenantsRead, scope: at.server }),
    ];
    const { client } = await caller([TenantPermissionsWrite, TenantPermissionsDeny, ServerPermissionsWrite]);
    for (const { id } of rows) expect((await client.delete(`${BASE}/${id}`, { query: named() })).status).toBe(404);
    expect((await server.client().delete(`${BASE}/${rows[0].id}`, { query: named() })).status).toBe(404);
    expect(await held(stranger, server.client(), other)).toHaveLength(2);
  });

  it('needs server.permissions.write for every row of a server service account, whatever its scope', async () => {
    const { account } = await createServiceAccountWithKey(server);
    const principal = holder.serviceAccount(account);
    const body = assignment(principal, Permission.TenantRead, at.tenant(tenant));
    const { client } = await caller([TenantPermissionsWrite]);
    expect((await create(client, body)).status).toBe(403);
    const writer = await caller([TenantPermissionsWrite, ServerPermissionsWrite]);
    const created = (await create(writer.client, body)).as<PermissionAssignmentDto>();
    expect((await client.delete(`${BASE}/${created.id}`, { query: named() })).status).toBe(403);
    const batch = await client.post(`${BASE}/batch-delete`, { query: named(), body: { assignmentIds: [created.id] } });
    expect(batch.status).toBe(403);
    expect((await writer.client.delete(`${BASE}/${created.id}`, { query: named() })).status).toBe(204);
  });
});

describe('taking rights from oneself', () => {
  const { TenantPermissionsWrite, TenantPermissionsDeny } = Permission;

  const ownRow = async (user: User, permission: { readonly name: string }): Promise<PermissionAssignmentDto> => {
    const row = (await held(holder.user(user))).find(({ permissionName }) => permissionName === permission.name);
    if (row === undefined) throw new Error(`The user has no row of ${permission.name}.`);
    return row;
  };

  it('answers 400 on every route that would, and changes nothing', async () => {
    const { client, user } = await caller([TenantPermissionsWrite, TenantPermissionsDeny]);
    const own = holder.user(user);
    const row = await ownRow(user, TenantPermissionsWrite);
    const before = await held(own);
    const reference = { principalKind: own.kind, principalId: own.id };
    const values = { permissionName: row.permissionName, effect: Allow, scopeKind: 'Tenant', scopeId: null };
    const other = assignment(own, Permission.TenantRead, at.tenant(tenant));
    const deny = assignment(own, TenantPermissionsWrite, at.tenant(tenant), { effect: Deny });
    const refused = [
      await client.delete(`${BASE}/${row.id}`, { query: named() }),
      await client.post(`${BASE}/batch-delete`, { query: named(), body: { assignmentIds: [row.id] } }),
      await client.put(`${BASE}/${row.id}`, { query: named(), body: { ...values, isEnabled: false } }),
      await client.put(`${BASE}/${row.id}`, { query: named(), body: { ...values, permissionName: 'tenant.read', isEnabled: true } }),
      await create(client, deny),
      await client.post(`${BASE}/batch`, { query: named(), body: { assignments: [other, deny] } }),
      await client.post(`${BASE}/replace`, { query: named(), body: { ...reference, assignments: [other] } }),
      await client.post(`${BASE}/presets/apply`, {
        query: named(),
        body: { ...reference, presetNames: ['Self Service'], replaceExisting: true },
      }),
    ];
    for (const answer of refused) {
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ detail: expect.stringContaining('tenant.permissions') });
    }
    expect(await held(own)).toEqual(before);
  });

  it('lets go of a row as long as a group still brings the right', async () => {
    const { client, user } = await caller([TenantPermissionsWrite]);
    const group = await createUserGroup(server, { tenantId: tenant.id });
    await grant(server, { principal: holder.userGroup(group), permission: TenantPermissionsWrite, scope: at.tenant(tenant) });
    const row = await ownRow(user, TenantPermissionsWrite);
    expect((await client.delete(`${BASE}/${row.id}`, { query: named() })).status).toBe(400);
    await addToUserGroup(server, group, user);
    expect((await client.delete(`${BASE}/${row.id}`, { query: named() })).status).toBe(204);
    expect((await create(client, assignment(await freshUser(), Permission.TenantRead, at.tenant(tenant)))).status).toBe(201);
  });

  it('lets go of rights that are not protected, and lets others take the protected ones', async () => {
    const { client, user } = await caller([TenantPermissionsWrite, Permission.TenantPermissionsRead]);
    const own = await ownRow(user, Permission.TenantPermissionsRead);
    expect((await client.delete(`${BASE}/${own.id}`, { query: named() })).status).toBe(204);
    const second = await caller([TenantPermissionsWrite]);
    const row = await ownRow(user, TenantPermissionsWrite);
    expect((await second.client.delete(`${BASE}/${row.id}`, { query: named() })).status).toBe(204);
    expect((await client.delete(`${BASE}/${newGuid()}`, { query: named() })).status).toBe(403);
  });

  it('protects service accounts as well; an Unrestricted one needs no rows', async () => {
    const { account, key } = await createServiceAccountWithKey(server, { tenantId: tenant.id });
    const row = await grant(server, {
      principal: holder.serviceAccount(account),
      permission: TenantPermissionsWrite,
      scope: at.tenant(tenant),
    });
    const client = server.client({ 'x-api-key': key });
    expect((await client.delete(`${BASE}/${row.id}`, { query: named() })).status).toBe(400);
    const unrestricted = await createServiceAccountWithKey(server, { accessMode: ServiceAccountAccessMode.Unrestricted });
    const own = holder.serviceAccount(unrestricted.account);
    const spare = await grant(server, { principal: own, permission: Permission.ServerPermissionsWrite, scope: at.server });
    const root = server.client({ 'x-api-key': unrestricted.key });
    expect((await root.delete(`${BASE}/${spare.id}`, { query: named() })).status).toBe(204);
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
    const answer = await server.client().put(`${BASE}/${id}`, { query: named(), body: { ...body, principalId: newGuid() } });
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
      server
        .client()
        .put(`${BASE}/${id}`, { query: named(), body: { permissionName: 'device.read', effect: Allow, scopeKind, isEnabled: true } });
    expect((await put('Device')).as()).toMatchObject({ scopeKind: 'Device', scopeId: device.id });
    expect(fieldsOf(await put('DeviceGroup'))).toEqual(['scopeId']);
    expect((await put('Tenant')).as()).toMatchObject({ scopeKind: 'Tenant', scopeId: tenant.id });
    expect(fieldsOf(await put('Device'))).toEqual(['scopeId']);
  });

  it('moves a row between tenant and server', async () => {
    const { account } = await createServiceAccountWithKey(server);
    const principal = holder.serviceAccount(account);
    const { id } = (
      await create(server.client(), assignment(principal, Permission.DeviceRead, at.tenant(tenant)))
    ).as<PermissionAssignmentDto>();
    const body = { permissionName: 'device.read', effect: Allow, scopeKind: 'Server', scopeId: null, isEnabled: true };
    expect((await server.client().put(`${BASE}/${id}`, { query: named(), body })).status).toBe(200);
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
    expect((await server.client().put(`${BASE}/${id}`, { query: named(), body })).status).toBe(409);
    expect((await server.client().put(`${BASE}/${newGuid()}`, { query: named(), body })).status).toBe(404);
    const other = await createTenant(server);
    expect((await server.client().put(`${BASE}/${id}`, { query: named(other), body })).status).toBe(404);
    expect((await server.client().delete(`${BASE}/${id}`, { query: named(other) })).status).toBe(404);
    expect((await server.client().delete(`${BASE}/${id}`, { query: named() })).status).toBe(204);
    expect((await server.client().delete(`${BASE}/${id}`, { query: named() })).status).toBe(404);
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

describe('batches', () => {
  const batch = (assignments: readonly object[], client = server.client()): Promise<ApiAnswer> =>
    client.post(`${BASE}/batch`, { query: named(), body: { Assignments: assignments } });

  it('adds up to 1000 assignments of one principal, and no more', async () => {
    const principal = await freshUser();
    await server.dataSource.query(
      `INSERT INTO devices (id, tenant_id) SELECT ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, $1 FROM generate_series(1, 1000) n`,
      [tenant.id],
    );
    const device = (n: number): Scope => at.device({ id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`, tenantId: tenant.id });
    const thousand = Array.from({ length: 1000 }, (_, n) => assignment(principal, Permission.DeviceRead, device(n + 1)));
    expect((await batch([...thousand, assignment(principal, Permission.TenantRead, at.tenant(tenant))])).status).toBe(400);
    expect((await batch([])).status).toBe(400);
    const answer = await batch(thousand);
    expect([answer.status, answer.text]).toEqual([204, '']);
    const rows = await held(principal);
    expect(rows).toHaveLength(1000);
    const removed = await server
      .client()
      .post(`${BASE}/batch-delete`, { query: named(), body: { assignmentIds: rows.map(({ id }) => id) } });
    expect(removed.as<DeleteManyPermissionAssignmentsResponseDto>().successIds).toHaveLength(1000);
    expect(await held(principal)).toEqual([]);
  });

  it('refuses a batch as a whole: mixed principals and wrong rows 400, duplicates 409', async () => {
    const principal = await freshUser();
    const good = assignment(principal, Permission.TenantRead, at.tenant(tenant));
    const mixed = await batch([good, assignment(await freshUser(), Permission.TenantRead, at.tenant(tenant))]);
    expect([mixed.status, fieldsOf(mixed)]).toEqual([400, ['assignments[1].principalId']]);
    const wrong = await batch([good, assignment(principal, { name: 'no.such' }, at.tenant(tenant))]);
    expect([wrong.status, fieldsOf(wrong)]).toEqual([400, ['assignments[1].permissionName']]);
    expect((await batch([good, { ...good, scopeId: null }])).status).toBe(409);
    await grant(server, { principal, permission: Permission.TenantTagsWrite, scope: at.tenant(tenant) });
    expect((await batch([good, assignment(principal, Permission.TenantTagsWrite, at.tenant(tenant))])).status).toBe(409);
    expect(termsOf(await held(principal))).toEqual(['Allow tenant.tags.write Tenant']);
  });

  it('deletes what is visible and names the rest; a row without authority fails the whole', async () => {
    const principal = await freshUser();
    const other = await createTenant(server);
    const allow = await grant(server, { principal, permission: Permission.TenantRead, scope: at.tenant(tenant) });
    const deny = await grant(server, { principal, permission: Permission.TenantRead, effect: Deny, scope: at.tenant(tenant) });
    const foreign = await grant(server, { principal: await freshUser(other), permission: Permission.TenantRead, scope: at.tenant(other) });
    const unknown = newGuid();
    const { client } = await caller([Permission.TenantPermissionsWrite]);
    const remove = (assignmentIds: readonly string[]): Promise<ApiAnswer> =>
      client.post(`${BASE}/batch-delete`, { query: named(), body: { AssignmentIds: assignmentIds } });
    expect((await remove([allow.id, deny.id])).status).toBe(403);
    expect((await remove([allow.id, foreign.id, unknown, allow.id])).body).toEqual({
      successIds: [allow.id],
      failureIds: [foreign.id, unknown],
    });
    expect((await remove([])).body).toEqual({ successIds: [], failureIds: [] });
    expect((await remove(['x'])).status).toBe(400);
    expect((await remove(Array.from({ length: 1001 }, () => newGuid()))).status).toBe(400);
    expect(termsOf(await held(principal))).toEqual(['Deny tenant.read Tenant']);
  });
});

describe('replacing', () => {
  it('replaces the rows at the scope kinds that it names, and keeps the others', async () => {
    const principal = await freshUser();
    const device = await createDevice(server, { tenantId: tenant.id });
    await grant(server, { principal, permission: Permission.TenantRead, scope: at.tenant(tenant) });
    await grant(server, { principal, permission: Permission.TenantTagsWrite, effect: Deny, scope: at.tenant(tenant) });
    await grant(server, { principal, permission: Permission.DeviceRead, scope: at.device(device) });
    await grant(server, { principal, permission: Permission.ServerTenantsRead, scope: at.server });
    const assignments = [
      assignment(principal, Permission.TenantRead, at.tenant(tenant), { notes: 'kept' }),
      assignment(principal, Permission.TenantUsersRead, at.tenant(tenant)),
    ];
    const body = { principalKind: 'User', principalId: principal.id, assignments };
    const answer = await server.client().post(`${BASE}/replace`, { query: named(), body });
    expect([answer.status, answer.text]).toEqual([204, '']);
    const rows = await held(principal);
    expect(termsOf(rows)).toEqual([
      'Allow device.read Device',
      'Allow server.tenants.read Server',
      'Allow tenant.read Tenant',
      'Allow tenant.users.read Tenant',
    ]);
    expect(rows.find(({ permissionName }) => permissionName === 'tenant.read')?.notes).toBe('kept');
  });

  it('changes nothing when one new row is wrong', async () => {
    const principal = await freshUser();
    await grant(server, { principal, permission: Permission.TenantRead, scope: at.tenant(tenant) });
    const wrong = assignment(principal, Permission.DeviceRead, { ...at.tenant(tenant), scopeKind: PermissionScopeKind.Device });
    const good = assignment(principal, Permission.TenantTagsWrite, at.tenant(tenant));
    const stranger = assignment(await freshUser(), Permission.TenantTagsWrite, at.tenant(tenant));
    for (const assignments of [[good, wrong], [good, stranger], []]) {
      const body = { principalKind: 'User', principalId: principal.id, assignments };
      expect((await server.client().post(`${BASE}/replace`, { query: named(), body })).status).toBe(400);
    }
    expect(termsOf(await held(principal))).toEqual(['Allow tenant.read Tenant']);
  });
});

describe('applying presets', () => {
  const apply = (
    principal: Holder,
    presetNames: readonly string[],
    replaceExisting = false,
    client = server.client(),
  ): Promise<ApiAnswer> =>
    client.post(`${BASE}/presets/apply`, {
      query: named(),
      body: { principalKind: principal.kind, principalId: principal.id, presetNames, replaceExisting },
    });

  it('grants each permission once at its broadest scope, and answers a bare number', async () => {
    const principal = await freshUser();
    const answer = await apply(principal, ['agent installer', 'Installer Key Manager', 'No such preset']);
    expect([answer.status, answer.headers.get('content-type'), answer.text]).toEqual([200, 'application/json; charset=utf-8', '3']);
    expect(termsOf(await held(principal))).toEqual([
      'Allow agent.install Tenant',
      'Allow installer-key.read Tenant',
      'Allow installer-key.write Tenant',
    ]);
    expect((await apply(principal, ['Agent Installer'])).body).toBe(0);
    expect((await apply(principal, ['Server Administrator'])).body).toBe(13);
    expect(await held(principal)).toHaveLength(16);
  });

  it('keeps what is there when the body does not say whether to replace it', async () => {
    const principal = await freshUser();
    await grant(server, { principal, permission: Permission.TenantTagsWrite, scope: at.tenant(tenant) });
    const body = { principalKind: principal.kind, principalId: principal.id, presetNames: ['Agent Installer'] };
    const answer = await server.client().post(`${BASE}/presets/apply`, { query: named(), body });
    expect([answer.status, answer.body]).toEqual([200, 3]);
    expect(termsOf(await held(principal))).toEqual([
      'Allow agent.install Tenant',
      'Allow installer-key.read Tenant',
      'Allow installer-key.write Tenant',
      'Allow tenant.tags.write Tenant',
    ]);
  });

  it('enables a disabled row, and puts the Allow beside a Deny that keeps winning', async () => {
    const principal = await freshUser();
    await grant(server, { principal, permission: Permission.AgentInstall, scope: at.tenant(tenant), isEnabled: false });
    await grant(server, { principal, permission: Permission.InstallerKeyRead, effect: Deny, scope: at.tenant(tenant) });
    await grant(server, { principal, permission: Permission.InstallerKeyWrite, scope: at.tenant(tenant) });
    expect((await apply(principal, ['Agent Installer'])).body).toBe(2);
    const rows = await held(principal);
    expect(termsOf(rows).sort()).toEqual([
      'Allow agent.install Tenant',
      'Allow installer-key.read Tenant',
      'Allow installer-key.write Tenant',
      'Deny installer-key.read Tenant',
    ]);
    expect(rows.every(({ isEnabled }) => isEnabled)).toBe(true);
  });

  it('replaces what stands at the same scope kinds when asked to', async () => {
    const principal = await freshUser();
    await grant(server, { principal, permission: Permission.TenantRead, scope: at.tenant(tenant) });
    await grant(server, { principal, permission: Permission.AgentInstall, effect: Deny, scope: at.tenant(tenant) });
    expect((await apply(principal, ['Agent Installer'], true)).body).toBe(3);
    expect((await apply(principal, ['Agent Installer'], true)).body).toBe(3);
    expect(await held(principal)).toHaveLength(3);
  });

  it('refuses names of which none is a preset, and presets beyond the rights of the caller', async () => {
    const principal = await freshUser();
    const unknown = await apply(principal, ['Emperor']);
    const sentence =
      'There is no preset "Emperor". The presets are Agent Installer, Device Superuser, Installer Key Manager, Self Service, ' +
      'Server Administrator, Service Account Manager, Tenant Administrator.';
    expect([unknown.status, (unknown.body as ProblemDetails).errors]).toEqual([400, { presetNames: [sentence] }]);
    expect((await apply(principal, [])).status).toBe(400);
    const { client } = await caller([Permission.TenantPermissionsWrite]);
    expect((await apply(principal, ['Server Administrator'], false, client)).status).toBe(403);
    expect(await held(principal)).toEqual([]);
    expect((await apply(principal, ['Device Superuser'], false, client)).body).toBe(27);
  });
});

describe('seeding a new principal', () => {
  const presets = permissionPresets.filter(({ name }) => name === 'Self Service' || name === 'Agent Installer');

  const seed = (principal: Holder): Promise<void> => {
    const context = { principal: SYSTEM, tenantId: tenant.id, requestId: 'seed', remoteAddress: null, manager: server.dataSource.manager };
    const reference = { principalKind: principal.kind, principalId: principal.id };
    return server.app.get(UnitOfWork).run(context, (tx) => server.app.get(AssignmentLifecycle).seed(tx, tenant.id, reference, presets));
  };

  it('grants presets in the name of the system, with one entry in the change log', async () => {
    const principal = await freshUser();
    await seed(principal);
    expect(await held(principal)).toHaveLength(5);
    const rows = await server.dataSource.manager.findBy(PermissionAssignment, { principalId: principal.id });
    for (const row of rows)
      expect(row).toMatchObject({ createdByPrincipalType: 'system', createdByPrincipalId: null, owningTenantId: tenant.id });
    const entries = await server.dataSource.manager.findBy(AuthorizationChangeLog, { targetId: principal.id });
    expect(entries).toMatchObject([
      { actionType: 'permission-assignments-seeded', actorPrincipalType: 'system', owningTenantId: tenant.id },
    ]);
    expect(JSON.parse(entries[0].afterJson ?? '')).toEqual({
      principalKind: 'User',
      count: 5,
      presets: ['Agent Installer', 'Self Service'],
    });
  });

  it('may be repeated, and acts at once', async () => {
    const user = await createUser(server, { tenantId: tenant.id });
    const principal = holder.user(user);
    const authorization = server.app.get(AuthorizationService);
    const mayInstall = (): Promise<boolean> =>
      authorization.isAllowed(sessionOf(user), Permission.AgentInstall, { kind: 'Tenant', tenantId: tenant.id });
    expect(await mayInstall()).toBe(false);
    await seed(principal);
    expect(await mayInstall()).toBe(true);
    await seed(principal);
    expect(await held(principal)).toHaveLength(5);
  });
});

describe('parallel writers', () => {
  const count = (answers: readonly ApiAnswer[], status: number): number => answers.filter((answer) => answer.status === status).length;

  it('lets exactly one of many equal creations win', async () => {
    const principal = await freshUser();
    const body = assignment(principal, Permission.TenantRead, at.tenant(tenant));
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(server.client(), body)));
    expect([count(answers, 201), count(answers, 409)]).toEqual([1, 19]);
  });

  it('lets exactly one of many deletions and changes to the same terms win', async () => {
    const principal = await freshUser();
    const row = await grant(server, { principal, permission: Permission.TenantRead, scope: at.tenant(tenant) });
    const deletions = await Promise.all(Array.from({ length: 20 }, () => server.client().delete(`${BASE}/${row.id}`, { query: named() })));
    expect([count(deletions, 204), count(deletions, 404)]).toEqual([1, 19]);

    const catalog = permissionCatalog.filter(({ name }) => name.startsWith('device.')).slice(0, 10);
    const rows = await Promise.all(catalog.map((permission) => grant(server, { principal, permission, scope: at.tenant(tenant) })));
    const body = { permissionName: 'tenant.read', effect: Allow, scopeKind: 'Tenant', isEnabled: true };
    const changes = await Promise.all(rows.map(({ id }) => server.client().put(`${BASE}/${id}`, { query: named(), body })));
    expect([count(changes, 200), count(changes, 409)]).toEqual([1, 9]);
  });

  it('ends in one of the replacements, never in a mixture', async () => {
    const principal = await freshUser();
    const sets = [
      [Permission.TenantRead, Permission.TenantTagsWrite],
      [Permission.TenantRead, Permission.TenantUsersRead],
      [Permission.TenantSettingsRead, Permission.TenantTagsWrite],
    ];
    const replacements = Array.from({ length: 12 }, (_, n) => sets[n % sets.length]);
    const answers = await Promise.all(
      replacements.map((permissions) => {
        const assignments = permissions.map((permission) => assignment(principal, permission, at.tenant(tenant)));
        return server
          .client()
          .post(`${BASE}/replace`, { query: named(), body: { principalKind: 'User', principalId: principal.id, assignments } });
      }),
    );
    expect(count(answers, 204)).toBe(12);
    const names = (await held(principal)).map(({ permissionName }) => permissionName);
    expect(sets.map((permissions) => permissions.map(({ name }) => name).sort())).toContainEqual(names);
  });

  it('never fails when batches of several principals cross each other', async () => {
    const principals = await Promise.all(Array.from({ length: 6 }, () => freshUser()));
    const rows = await Promise.all(
      principals.flatMap((principal) =>
        [Permission.TenantRead, Permission.TenantTagsWrite].map((permission) =>
          grant(server, { principal, permission, scope: at.tenant(tenant) }),
        ),
      ),
    );
    const ids = rows.map(({ id }) => id);
    const orders = [ids, ids.toReversed(), [...ids.slice(6), ...ids.slice(0, 6)], ids.toReversed()];
    const answers = await Promise.all(
      orders.map((assignmentIds) => server.client().post(`${BASE}/batch-delete`, { query: named(), body: { assignmentIds } })),
    );
    const deleted = answers.flatMap((answer) => answer.as<DeleteManyPermissionAssignmentsResponseDto>().successIds);
    expect(deleted.sort()).toEqual(ids.sort());
  });

  it('leaves nothing behind when a principal or scope is deleted meanwhile', async () => {
    for (let round = 0; round < 5; round += 1) {
      const principal = await freshUser();
      const device = await createDevice(server, { tenantId: tenant.id });
      const [answers] = await Promise.all([
        Promise.all(
          [Permission.DeviceRead, Permission.DeviceDelete, Permission.DeviceChatSend].map((permission) =>
            create(server.client(), assignment(principal, permission, at.device(device))),
          ),
        ),
        server.dataSource.query('DELETE FROM devices WHERE id = $1', [device.id]),
        server.dataSource.query('DELETE FROM users WHERE id = $1', [principal.id]),
      ]);
      for (const { status } of answers) expect([201, 400]).toContain(status);
      expect(await server.dataSource.manager.countBy(PermissionAssignment, { scopeId: device.id })).toBe(0);
      expect(await server.dataSource.manager.countBy(PermissionAssignment, { principalId: principal.id })).toBe(0);
    }
  });
});

describe('the change log', () => {
  it('says whose row it was and all that it said, before and after, in the order of the changes', async () => {
    const { client, user } = await caller([Permission.TenantPermissionsWrite]);
    const principal = await freshUser();
    const body = assignment(principal, Permission.TenantRead, at.tenant(tenant), { notes: 'first' });
    const { id } = (await create(client, body)).as<PermissionAssignmentDto>();
    const values = { permissionName: 'tenant.read', effect: Allow, scopeKind: 'Tenant', isEnabled: false, notes: null };
    await client.put(`${BASE}/${id}`, { query: named(), body: values });
    await client.put(`${BASE}/${id}`, { query: named(), body: values });
    await client.delete(`${BASE}/${id}`, { query: named() });

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
    await server.client().post(`${BASE}/batch`, { query: named(), body: { assignments: [good, good] } });
    expect(await server.dataSource.manager.count(AuthorizationChangeLog)).toBe(before);
  });
});
