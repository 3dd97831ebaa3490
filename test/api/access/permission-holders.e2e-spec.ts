import { describe, expect, it } from 'vitest';

import { Permission, PermissionEffect } from '../../../src/access/authorization/permissions/permission.js';
import type { PermissionHoldersResponseDto } from '../../../src/access/permission-assignments/holders/permission-holder.dto.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import type { ApiAnswer, ApiClient } from '../../support/application/api-client.js';
import { accountWith, wrongFieldsOf, type Right } from '../../support/callers/callers.js';
import {
  addToUserGroup,
  at,
  createCustomer,
  createDevice,
  createDeviceGroup,
  createServiceAccountWithKey,
  createUser,
  createUserGroup,
  grant,
  holder,
  type Scope,
} from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

const server = testServer();
const tenant = testTenant(server);
const other = testTenant(server);

const { DeviceTerminalUse, ServerTelemetryRead, TenantPermissionsRead, TenantTagsWrite } = Permission;

/** A caller that may read assignments of the tenant, and more. */
const reader = (...more: readonly Right[]): Promise<ApiClient> =>
  accountWith(server, tenant, [TenantPermissionsRead, at.tenant(tenant)], ...more);

const ask = (client: ApiClient, permission: string, { scopeKind, scopeId }: Scope, page: object = {}): Promise<ApiAnswer> =>
  client.get('/account/holders', { query: { permission, scopeKind, ...(scopeId === null ? {} : { scopeId }), ...page } });

async function holders(client: ApiClient, permission: string, scope: Scope, page: object = {}): Promise<PermissionHoldersResponseDto> {
  return (await ask(client, permission, scope, page)).as<PermissionHoldersResponseDto>();
}

const userNamed = (name: string, tenantId = tenant.id) => createUser(server, { tenantId, userName: `${name}-${newGuid()}@example.org` });

describe('the holders of a permission', () => {
  it('are those whom an assignment around the device allows it, by name, each with that assignment', async () => {
    const client = await reader();
    const customer = await createCustomer(server, { tenantId: tenant.id });
    const deviceGroup = await createDeviceGroup(server, { tenantId: tenant.id });
    const device = await createDevice(server, { tenantId: tenant.id, customerId: customer.id, groups: [deviceGroup] });
    const elsewhere = await createDevice(server, { tenantId: tenant.id });
    const [anna, bert, cleo, dora] = [await userNamed('anna'), await userNamed('Bert'), await userNamed('cleo'), await userNamed('dora')];
    const group = await createUserGroup(server, { tenantId: tenant.id, name: `all ${newGuid()}` });
    const { account } = await createServiceAccountWithKey(server, { tenantId: tenant.id, name: `robot ${newGuid()}` });
    await addToUserGroup(server, group, cleo);
    const allow = (principal: ReturnType<typeof holder.user>, scope: Scope, more: object = {}) =>
      grant(server, { principal, permission: DeviceTerminalUse, scope, ...more });
    const rows = {
      anna: await allow(holder.user(anna), at.device(device)),
      bert: await allow(holder.user(bert), at.customer(customer)),
      group: await allow(holder.userGroup(group), at.deviceGroup(deviceGroup)),
      robot: await allow(holder.serviceAccount(account), at.tenant(tenant)),
    };
    await allow(holder.user(dora), at.device(elsewhere));
    const { items, next } = await holders(client, DeviceTerminalUse.name, at.device(device));
    const through = (id: string | null) => ({ throughUserGroupId: id });
    expect(next).toBeNull();
    expect(items).toMatchObject([
      { principalKind: 'UserGroup', principalId: group.id, name: group.name, decidingAssignment: { assignmentId: rows.group.id } },
      { principalKind: 'User', principalId: anna.id, decidingAssignment: { assignmentId: rows.anna.id, ...through(null) } },
      { principalKind: 'User', principalId: bert.id, decidingAssignment: { assignmentId: rows.bert.id, scopeKind: 'CustomerTenant' } },
      { principalKind: 'User', principalId: cleo.id, decidingAssignment: { assignmentId: rows.group.id, ...through(group.id) } },
      { principalKind: 'ServiceAccount', principalId: account.id, decidingAssignment: { assignmentId: rows.robot.id } },
    ]);
    const onlyTenantWide = await holders(client, DeviceTerminalUse.name, at.tenant(tenant));
    expect(onlyTenantWide.items.map(({ principalId }) => principalId)).toEqual([account.id]);
  });

  it('are not those whom anything denies it, nor those of disabled assignments', async () => {
    const client = await reader();
    const device = await createDevice(server, { tenantId: tenant.id });
    const [denied, deniedByGroup, disabled, held] = [
      await userNamed('a'),
      await userNamed('b'),
      await userNamed('c'),
      await userNamed('d'),
    ];
    const group = await createUserGroup(server, { tenantId: tenant.id });
    await addToUserGroup(server, group, deniedByGroup);
    for (const user of [denied, deniedByGroup, disabled, held]) {
      const isEnabled = user !== disabled;
      await grant(server, { principal: holder.user(user), permission: TenantTagsWrite, scope: at.tenant(tenant), isEnabled });
    }
    const deny = { permission: TenantTagsWrite, effect: PermissionEffect.Deny };
    await grant(server, { principal: holder.user(denied), scope: at.tenant(tenant), ...deny });
    await grant(server, { principal: holder.userGroup(group), scope: at.server, ...deny });
    const { items } = await holders(client, TenantTagsWrite.name, at.tenant(tenant));
    expect(items.map(({ principalId }) => principalId)).toEqual([held.id]);
    expect((await holders(client, 'device.fly', at.device(device))).items).toEqual([]);
  });

  it('are read page by page, those of equal names as well', async () => {
    const client = await reader();
    const device = await createDevice(server, { tenantId: tenant.id });
    const name = `twin ${newGuid()}`;
    const accounts: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      const { account } = await createServiceAccountWithKey(server, {
        tenantId: tenant.id,
        name: count < 3 ? `${name} ${count}` : `${name.toUpperCase()} ${count}`,
      });
      await grant(server, { principal: holder.serviceAccount(account), permission: DeviceTerminalUse, scope: at.device(device) });
      accounts.push(account.id);
    }
    const seen: string[] = [];
    let after: string | null = null;
    let pages = 0;
    do {
      const page: PermissionHoldersResponseDto = await holders(client, DeviceTerminalUse.name, at.device(device), {
        pageSize: 2,
        ...(after === null ? {} : { after }),
      });
      seen.push(...page.items.map(({ principalId }) => principalId));
      after = page.next;
      pages += 1;
    } while (after !== null);
    expect(seen.filter((id) => accounts.includes(id))).toEqual(accounts);
    expect(pages).toBe(Math.ceil(seen.length / 2));
  });

  it('show assignments at the server to those only who may read these', async () => {
    const user = await userNamed('operator');
    const row = await grant(server, { principal: holder.user(user), permission: ServerTelemetryRead, scope: at.server });
    const found = async (client: ApiClient) =>
      (await holders(client, ServerTelemetryRead.name, at.server)).items.find(({ principalId }) => principalId === user.id);
    expect(await found(await reader())).toMatchObject({ decidingAssignment: null });
    expect(await found(await reader([Permission.ServerPermissionsRead, at.server]))).toMatchObject({
      decidingAssignment: { assignmentId: row.id },
    });
  });
});

describe('other tenants', () => {
  it('have no part in the answer, even with an assignment that names the device', async () => {
    const client = await reader();
    const device = await createDevice(server, { tenantId: tenant.id });
    const stranger = await userNamed('stranger', other.id);
    await grant(server, { principal: holder.user(stranger), permission: DeviceTerminalUse, scope: at.device(device) });
    const { account } = await createServiceAccountWithKey(server, { tenantId: null });
    await grant(server, { principal: holder.serviceAccount(account), permission: DeviceTerminalUse, scope: at.device(device) });
    const { items } = await holders(client, DeviceTerminalUse.name, at.device(device));
    const ids = items.map(({ principalId }) => principalId);
    expect(ids).not.toContain(stranger.id);
    expect(ids).not.toContain(account.id);
  });

  it('have scopes that are answered like unknown ones', async () => {
    const client = await reader();
    const device = await createDevice(server, { tenantId: other.id });
    const group = await createDeviceGroup(server, { tenantId: other.id });
    const unknown = { id: newGuid(), tenantId: tenant.id };
    const answers = [at.device(device), at.deviceGroup(group), at.tenant(other), at.device(unknown)].map((scope) =>
      ask(client, DeviceTerminalUse.name, scope),
    );
    for (const { status, body } of await Promise.all(answers))
      expect([status, body]).toMatchObject([404, { detail: 'The scope was not found.' }]);
  });

  it('fill a page of at most 200, whatever size is asked for', async () => {
    const query = { permission: DeviceTerminalUse.name, scopeKind: 'Tenant', pageSize: 100_000 };
    expect((await (await reader()).get('/account/holders', { query })).status).toBe(200);
  });
});

it.each([
  [{ scopeKind: 'Device' }, ['scopeId']],
  [{ scopeKind: 'Nothing' }, ['scopeKind']],
  [{ scopeKind: 'Server', scopeId: newGuid() }, ['scopeId']],
  [{ scopeKind: 'Tenant', after: 'x' }, ['after']],
  [{ scopeKind: 'Tenant', after: newGuid() }, ['after']],
  [{ scopeKind: 'Tenant', pageSize: 0 }, ['pageSize']],
])('a query with %j is refused', async (query, fields) => {
  const answer = await (await reader()).get('/account/holders', { query: { permission: DeviceTerminalUse.name, ...query } });
  expect([answer.status, wrongFieldsOf(answer)]).toEqual([400, fields]);
});
