import { describe, expect, it } from 'vitest';

import { Permission, PermissionEffect } from '../../../src/access/authorization/permissions/permission.js';
import type { PermissionAssignmentDto } from '../../../src/access/permission-assignments/permission-assignment.dto.js';
import { ServiceAccountAccessMode } from '../../../src/people/service-accounts/service-account.entity.js';
import type { User } from '../../../src/people/users/user.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import {
  addToUserGroup,
  at,
  createServiceAccountWithKey,
  createTenant,
  createUserGroup,
  grant,
  holder,
} from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';
import { ASSIGNMENTS, assignment, assignmentCalls, termsOf } from './assignment-calls.js';

/* Rights of a caller over the assignments of others, and over its own. */

const { Allow, Deny } = PermissionEffect;

const server = testServer();
const tenant = testTenant(server);
const { caller, create, freshUser, held, named } = assignmentCalls(server, tenant);

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
      await client.put(`${ASSIGNMENTS}/${deny.id}`, { query: named(), body: values }),
      await client.delete(`${ASSIGNMENTS}/${deny.id}`, { query: named() }),
      await client.post(`${ASSIGNMENTS}/batch-delete`, { query: named(), body: { assignmentIds: [deny.id] } }),
      await client.post(`${ASSIGNMENTS}/replace`, { query: named(), body: { ...reference, assignments: [allow] } }),
      await client.post(`${ASSIGNMENTS}/presets/apply`, {
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
    expect((await stronger.client.delete(`${ASSIGNMENTS}/${deny.id}`, { query: named() })).status).toBe(204);
  });

  it('needs server.permissions.write for rows at the server and to change them; they do not exist for others', async () => {
    const { client } = await caller([TenantPermissionsWrite, TenantPermissionsRead]);
    const principal = await freshUser();
    expect((await create(client, assignment(principal, Permission.ServerTenantsRead, at.server))).status).toBe(403);
    const row = await grant(server, { principal, permission: Permission.ServerTenantsRead, scope: at.server });
    expect(await held(principal, client)).toEqual([]);
    expect((await client.delete(`${ASSIGNMENTS}/${row.id}`, { query: named() })).status).toBe(404);
    const listed = await client.post(`${ASSIGNMENTS}/batch-delete`, { query: named(), body: { assignmentIds: [row.id] } });
    expect(listed.body).toEqual({ successIds: [], failureIds: [row.id] });

    const reader = await caller([TenantPermissionsRead, ServerPermissionsRead]);
    expect(await held(principal, reader.client)).toHaveLength(1);
    const writer = await caller([TenantPermissionsWrite, ServerPermissionsWrite]);
    const values = { permissionName: 'server.tenants.write', effect: Allow, scopeKind: 'Server', scopeId: null, isEnabled: true };
    expect((await writer.client.put(`${ASSIGNMENTS}/${row.id}`, { query: named(), body: values })).status).toBe(200);
    expect((await writer.client.delete(`${ASSIGNMENTS}/${row.id}`, { query: named() })).status).toBe(204);
  });

  it('keeps a server administrator out of the rows of other tenants, and of their principals at the server', async () => {
    const other = await createTenant(server);
    const stranger = await freshUser(other);
    const rows = [
      await grant(server, { principal: stranger, permission: Permission.TenantRead, scope: at.tenant(other) }),
      await grant(server, { principal: stranger, permission: Permission.ServerTenantsRead, scope: at.server }),
    ];
    const { client } = await caller([TenantPermissionsWrite, TenantPermissionsDeny, ServerPermissionsWrite]);
    for (const { id } of rows) expect((await client.delete(`${ASSIGNMENTS}/${id}`, { query: named() })).status).toBe(404);
    expect((await server.client().delete(`${ASSIGNMENTS}/${rows[0].id}`, { query: named() })).status).toBe(404);
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
    expect((await client.delete(`${ASSIGNMENTS}/${created.id}`, { query: named() })).status).toBe(403);
    const batch = await client.post(`${ASSIGNMENTS}/batch-delete`, { query: named(), body: { assignmentIds: [created.id] } });
    expect(batch.status).toBe(403);
    expect((await writer.client.delete(`${ASSIGNMENTS}/${created.id}`, { query: named() })).status).toBe(204);
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
      await client.delete(`${ASSIGNMENTS}/${row.id}`, { query: named() }),
      await client.post(`${ASSIGNMENTS}/batch-delete`, { query: named(), body: { assignmentIds: [row.id] } }),
      await client.put(`${ASSIGNMENTS}/${row.id}`, { query: named(), body: { ...values, isEnabled: false } }),
      await client.put(`${ASSIGNMENTS}/${row.id}`, { query: named(), body: { ...values, permissionName: 'tenant.read', isEnabled: true } }),
      await create(client, deny),
      await client.post(`${ASSIGNMENTS}/batch`, { query: named(), body: { assignments: [other, deny] } }),
      await client.post(`${ASSIGNMENTS}/replace`, { query: named(), body: { ...reference, assignments: [other] } }),
      await client.post(`${ASSIGNMENTS}/presets/apply`, {
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
    expect((await client.delete(`${ASSIGNMENTS}/${row.id}`, { query: named() })).status).toBe(400);
    await addToUserGroup(server, group, user);
    expect((await client.delete(`${ASSIGNMENTS}/${row.id}`, { query: named() })).status).toBe(204);
    expect((await create(client, assignment(await freshUser(), Permission.TenantRead, at.tenant(tenant)))).status).toBe(201);
  });

  it('lets go of rights that are not protected, and lets others take the protected ones', async () => {
    const { client, user } = await caller([TenantPermissionsWrite, Permission.TenantPermissionsRead]);
    const own = await ownRow(user, Permission.TenantPermissionsRead);
    expect((await client.delete(`${ASSIGNMENTS}/${own.id}`, { query: named() })).status).toBe(204);
    const second = await caller([TenantPermissionsWrite]);
    const row = await ownRow(user, TenantPermissionsWrite);
    expect((await second.client.delete(`${ASSIGNMENTS}/${row.id}`, { query: named() })).status).toBe(204);
    expect((await client.delete(`${ASSIGNMENTS}/${newGuid()}`, { query: named() })).status).toBe(403);
  });

  it('protects service accounts as well; an Unrestricted one needs no rows', async () => {
    const { account, key } = await createServiceAccountWithKey(server, { tenantId: tenant.id });
    const row = await grant(server, {
      principal: holder.serviceAccount(account),
      permission: TenantPermissionsWrite,
      scope: at.tenant(tenant),
    });
    const client = server.client({ 'x-api-key': key });
    expect((await client.delete(`${ASSIGNMENTS}/${row.id}`, { query: named() })).status).toBe(400);
    const unrestricted = await createServiceAccountWithKey(server, { accessMode: ServiceAccountAccessMode.Unrestricted });
    const own = holder.serviceAccount(unrestricted.account);
    const spare = await grant(server, { principal: own, permission: Permission.ServerPermissionsWrite, scope: at.server });
    const root = server.client({ 'x-api-key': unrestricted.key });
    expect((await root.delete(`${ASSIGNMENTS}/${spare.id}`, { query: named() })).status).toBe(204);
  });
});
