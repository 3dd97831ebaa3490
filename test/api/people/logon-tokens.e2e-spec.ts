import { beforeEach, describe, expect, it } from 'vitest';

import { AuthorizationChangeLog } from '../../../src/access/authorization/change-log/change-log.entity.js';
import { AuthorizationService } from '../../../src/access/authorization/evaluation/authorization.service.js';
import {
  Permission,
  PermissionEffect,
  PermissionPrincipalKind,
  type PermissionDefinition,
} from '../../../src/access/authorization/permissions/permission.js';
import { PermissionAssignment } from '../../../src/access/permission-assignments/permission-assignment.entity.js';
import type { Device } from '../../../src/devices/devices/device.entity.js';
import type { LogonTokenResponseDto } from '../../../src/people/logon-tokens/logon-token.dto.js';
import { LogonToken } from '../../../src/people/logon-tokens/logon-token.entity.js';
import { ServiceAccountAccessMode, ServiceAccountKind } from '../../../src/people/service-accounts/service-account.entity.js';
import { User, UserAccountType } from '../../../src/people/users/user.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { parseKey, secretMatches } from '../../../src/platform/common/identifiers/secret.js';
import type { ProblemDetails } from '../../../src/platform/http/problems/problem-details.js';
import { TenantRemoval } from '../../../src/tenants/tenants/tenant-removal.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import type { ApiAnswer } from '../../support/application/api-client.js';
import { ROOT_KEY } from '../../support/application/app.js';
import { Browser } from '../../support/callers/browser.js';
import {
  at,
  createDevice,
  createServiceAccountWithKey,
  createTenant,
  createUser,
  grant,
  grantAll,
  holder,
  logonSessionOf,
} from '../../support/fixtures/factories.js';
import { testServer } from '../../support/setup/test-server.js';

const MINUTE_MS = 60_000;

const server = testServer({ Service_AppOptions__SmtpLocalDomain: 'devices.example.org' });
let tenant: Tenant;
let device: Device;

beforeEach(async () => {
  tenant = await createTenant(server);
  device = await createDevice(server, { tenantId: tenant.id });
});

type Body = Readonly<Record<string, unknown>>;

function create(kind: 'user' | 'external', body: Body, key = ROOT_KEY): Promise<ApiAnswer> {
  return server
    .client({ 'x-api-key': key })
    .post(`/api/v1/logon-tokens/${kind}`, { body: { deviceId: device.id, tenantId: tenant.id, ...body } });
}

function external(body: Body = {}, key = ROOT_KEY): Promise<ApiAnswer> {
  return create('external', { userCorrelationId: 'person', ...body }, key);
}

/** The stored row of a token. */
function rowOf({ token }: LogonTokenResponseDto): Promise<LogonToken> {
  return server.dataSource.manager.findOneByOrFail(LogonToken, { id: parseKey(token)?.credentialId ?? '' });
}

async function permissionsOf(token: LogonToken): Promise<string[]> {
  const rows = await server.dataSource.manager.findBy(PermissionAssignment, {
    principalKind: PermissionPrincipalKind.LogonToken,
    principalId: token.id,
  });
  for (const row of rows) {
    expect(row).toMatchObject({
      scopeKind: 'Device',
      scopeId: token.deviceId,
      owningTenantId: token.tenantId,
      effect: 'Allow',
      isEnabled: true,
    });
  }
  return rows.map(({ permissionName }) => permissionName).sort();
}

const usersOf = (tenantId: string): Promise<User[]> => server.dataSource.manager.findBy(User, { tenantId });
const countOf = (entity: typeof LogonToken | typeof User): Promise<number> =>
  server.dataSource.manager.countBy(entity, { tenantId: tenant.id });
const errorsOf = ({ body }: ApiAnswer): string[] => Object.keys((body as ProblemDetails).errors ?? {});

async function expectRefused(answer: ApiAnswer, status: number, field?: string): Promise<void> {
  expect([answer.status, field === undefined ? [] : errorsOf(answer)]).toEqual([status, field === undefined ? [] : [field]]);
  expect([await countOf(LogonToken), await countOf(User)]).toEqual([0, 0]);
}

describe('a token for a person of another system', () => {
  it('is valid for one device and 15 minutes, and is stored only as a hash', async () => {
    const before = server.clock.milliseconds();
    const answer = await external({ userCorrelationId: ' a.b-c_d@e+f|1 ', userDisplayName: 'Ada 1', sessionCorrelationId: 'ticket 7' });
    expect(answer.status).toBe(200);
    const response = answer.as<LogonTokenResponseDto>();
    expect(response).toEqual({
      deviceAccessUrl: `/device-access?deviceId=${device.id}&logonToken=${response.token}`,
      expiresAt: expect.any(String),
      token: expect.stringMatching(/^[0-9A-F]{32}:[\w-]{43,}$/),
    });
    expect(new URL(response.deviceAccessUrl, server.url).searchParams.get('logonToken')).toBe(response.token);
    const lifetime = new Date(response.expiresAt).getTime() - before;
    expect(lifetime).toBeGreaterThanOrEqual(15 * MINUTE_MS);
    expect(lifetime).toBeLessThan(16 * MINUTE_MS);

    const row = await rowOf(response);
    expect(row).toMatchObject({
      tenantId: tenant.id,
      deviceId: device.id,
      userCorrelationId: ' a.b-c_d@e+f|1 ',
      sessionCorrelationId: 'ticket 7',
      allowedDesktopSessionIds: null,
      consumedAt: null,
      sessionExpirationMinutes: 480,
    });
    expect(secretMatches(parseKey(response.token)?.secret ?? '', row.hashedSecret)).toBe(true);
    expect(await permissionsOf(row)).toEqual(['device.overview.read', 'device.read']);
  });

  it('creates a user without password and permissions, with a generated address', async () => {
    await external({ userCorrelationId: 'Person-1', userDisplayName: ' Grace  ' });
    const [user, ...others] = await usersOf(tenant.id);
    expect(others).toEqual([]);
    expect(user).toMatchObject({
      userName: 'ext-Person-1',
      email: 'ext-Person-1@devices.example.org',
      passwordHash: null,
      accountType: UserAccountType.ExternalUser,
      lastLogin: null,
    });
    expect(await server.dataSource.manager.countBy(PermissionAssignment, { principalId: user.id })).toBe(0);
    const listed = (await server.client().get('/api/v1/users', { query: { tenantId: tenant.id } })).as<{
      items: { displayName: string }[];
    }>();
    expect(listed.items).toEqual([expect.objectContaining({ userName: 'ext-Person-1', displayName: 'Grace', permissions: [] })]);
  });

  it('finds the user again and updates the display name', async () => {
    await external({ userCorrelationId: 'person', userDisplayName: 'Old' });
    await external({ userCorrelationId: 'person' });
    await external({ userCorrelationId: 'person', userDisplayName: 'Neu_é 2' });
    // Names from other systems are not always valid display names.
    await external({ userCorrelationId: 'person', userDisplayName: "O'Neill (IT)" });
    expect(await countOf(LogonToken)).toBe(4);
    const listed = (await server.client().get('/api/v1/users', { query: { tenantId: tenant.id } })).as<{ items: object[] }>();
    expect(listed.items).toEqual([expect.objectContaining({ userName: 'ext-person', displayName: 'Neu_é 2' })]);
  });

  it('creates one user for parallel calls', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => external({ userCorrelationId: 'many' })));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map((answer) => answer.as<LogonTokenResponseDto>().token)).size).toBe(12);
    expect([await countOf(User), await countOf(LogonToken)]).toEqual([1, 12]);
  });

  it('creates a separate user in each tenant', async () => {
    await external();
    const other = await createTenant(server);
    const itsDevice = await createDevice(server, { tenantId: other.id });
    expect((await external({ tenantId: other.id, deviceId: itsDevice.id })).status).toBe(200);
    const [here] = await usersOf(tenant.id);
    const [there] = await usersOf(other.id);
    expect([here.userName, there.userName]).toEqual(['ext-person', 'ext-person']);
    expect(here.id).not.toBe(there.id);
  });

  it('treats ids that differ only in case as different people, like identity providers', async () => {
    for (const userCorrelationId of ['AAAAbC', 'aaaabc', 'AAAAbC']) await external({ userCorrelationId });
    expect((await usersOf(tenant.id)).map(({ userName }) => userName).sort()).toEqual(['ext-AAAAbC', 'ext-aaaabc']);
  });

  it.each([
    ['auth0|5f7c8ec7c33c6c004bbafe82', 'ext-auth0%7C5f7c8ec7c33c6c004bbafe82@devices.example.org'],
    ['https://login.example.org/users/42', 'ext-https%3A%2F%2Flogin.example.org%2Fusers%2F42@devices.example.org'],
    ['DOMAIN\\ann', 'ext-DOMAIN%5Cann@devices.example.org'],
    ['CN=Ann Müller,OU=IT', 'ext-CN%3DAnn%20M%C3%BCller%2COU%3DIT@devices.example.org'],
    ['AAAA/bb+cc==', 'ext-AAAA%2Fbb+cc%3D%3D@devices.example.org'],
    [' spaces around ', 'ext-%20spaces%20around%20@devices.example.org'],
    ['ann@example.org', 'ext-ann%40example.org@devices.example.org'],
    ['x', 'ext-x@devices.example.org'],
    ['x'.repeat(200), `ext-${'x'.repeat(200)}@devices.example.org`],
    ['ß'.repeat(200), null],
    ['😀'.repeat(200), null],
  ])('takes the id %j as it is, and encodes it in the address', async (userCorrelationId, email) => {
    const answers = [await external({ userCorrelationId }), await external({ userCorrelationId })];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const users = await usersOf(tenant.id);
    expect(users.map((user) => [user.userName, user.email])).toEqual([[`ext-${userCorrelationId}`, email]]);
    expect((await rowOf(answers[1].as<LogonTokenResponseDto>())).userCorrelationId).toBe(userCorrelationId);
  });

  it('refuses the correlation id of a user who is not external, in any tenant', async () => {
    const elsewhere = await createTenant(server);
    const name = `ext-${newGuid()}@example.org`;
    await createUser(server, { tenantId: elsewhere.id, userName: name });
    await expectRefused(await external({ userCorrelationId: name.slice(4).toUpperCase() }), 400, 'userCorrelationId');
  });

  it.each(['new\nline', 'tab\t', '\0', '\u007f', '\u0085'])(
    'refuses a correlation id with a control character: %j',
    async (userCorrelationId) => {
      const answer = await external({ userCorrelationId });
      await expectRefused(answer, 400, 'userCorrelationId');
      expect(answer.text).toContain('userCorrelationId must not contain control characters.');
    },
  );
});

describe('a token for a user', () => {
  it('signs in that user', async () => {
    const user = await createUser(server, { tenantId: tenant.id });
    const answer = await create('user', { userId: user.id, expirationMinutes: 1440, sessionExpirationMinutes: 5 });
    expect(answer.status).toBe(200);
    const row = await rowOf(answer.as<LogonTokenResponseDto>());
    expect(row).toMatchObject({ userId: user.id, userCorrelationId: null, sessionExpirationMinutes: 5 });
    expect(row.expiresAt.getTime() - row.createdAt.getTime()).toBe(1440 * MINUTE_MS);
  });

  it('does not end the count of failed sign-ins of that user', async () => {
    const user = await createUser(server, { tenantId: tenant.id, accessFailedCount: 7 });
    const { deviceAccessUrl } = (await create('user', { userId: user.id })).as<LogonTokenResponseDto>();
    expect((await new Browser(server).get(deviceAccessUrl)).status).toBe(303);
    const after = await server.dataSource.manager.findOneByOrFail(User, { id: user.id });
    expect([after.accessFailedCount, after.lastLogin]).toEqual([7, expect.any(Date)]);
  });

  it('requires a user of the tenant', async () => {
    const foreign = await createUser(server, { tenantId: (await createTenant(server)).id });
    for (const userId of [foreign.id, newGuid()]) {
      const answer = await create('user', { userId });
      await expectRefused(answer, 400, 'userId');
      expect((answer.body as ProblemDetails).errors).toEqual({ userId: ['The tenant has no such user.'] });
    }
    await expectRefused(await create('user', {}), 400, 'userId');
  });
});

describe('a request', () => {
  it.each([
    ['userCorrelationId', ' '],
    ['allowedDesktopSessionIds', [-1]],
    ['allowedDesktopSessionIds', ['1']],
    ['permissions', Array.from({ length: 101 }, () => 'device.read')],
    ['permissions', ['nothing.such']],
    ['permissions', ['tenant.read']],
    ['permissions', ['server.permissions.write']],
  ])('with a wrong %s answers 400 and leaves nothing behind (%#)', async (field, value) => {
    await expectRefused(await external({ [field]: value }), 400, field);
  });

  it('for a device that the tenant does not have answers 400 with the same message, whether or not it exists', async () => {
    const foreign = await createDevice(server, { tenantId: (await createTenant(server)).id });
    const answers = [await external({ deviceId: foreign.id }), await external({ deviceId: newGuid() })];
    for (const answer of answers) await expectRefused(answer, 400, 'deviceId');
    expect(answers[0].body).toEqual(answers[1].body);
    await expectRefused(await external({ deviceId: null }), 400, 'deviceId');
  });

  it('stores the named desktop sessions, each once', async () => {
    const answer = await external({ allowedDesktopSessionIds: [3, 0, 3] });
    expect((await rowOf(answer.as<LogonTokenResponseDto>())).allowedDesktopSessionIds).toEqual([3, 0]);
  });
});

describe('the permissions of a token', () => {
  async function creatorWith(...permissions: PermissionDefinition[]): Promise<string> {
    const { account, key } = await createServiceAccountWithKey(server, { tenantId: tenant.id });
    await grantAll(server, holder.serviceAccount(account), permissions, at.device(device));
    return key;
  }

  it('are limited to what its creator holds on the device', async () => {
    const key = await creatorWith(Permission.DeviceLogonTokenCreate, Permission.DeviceTerminalUse, Permission.DeviceRead);
    const refused = await external({ permissions: ['device.terminal.use', 'device.chat.send'] }, key);
    await expectRefused(refused, 403);
    expect(refused.body).toMatchObject({
      detail: 'A logon token can only carry what its creator holds: you do not hold device.chat.send on the device.',
    });
    const answer = await external({ permissions: ['device.terminal.use'] }, key);
    expect(await permissionsOf(await rowOf(answer.as<LogonTokenResponseDto>()))).toEqual(['device.read', 'device.terminal.use']);
  });

  it('leave out what a token gets by default and its creator does not hold', async () => {
    const key = await creatorWith(Permission.DeviceLogonTokenCreate, Permission.DeviceTerminalUse);
    const named = await external({ permissions: ['device.terminal.use'] }, key);
    expect(await permissionsOf(await rowOf(named.as<LogonTokenResponseDto>()))).toEqual(['device.terminal.use']);
    const byDefault = await external({}, key);
    expect(await permissionsOf(await rowOf(byDefault.as<LogonTokenResponseDto>()))).toEqual([]);
  });

  it('exclude what a Deny takes from its creator', async () => {
    const { account, key } = await createServiceAccountWithKey(server, { tenantId: tenant.id });
    const principal = holder.serviceAccount(account);
    await grantAll(server, principal, [Permission.DeviceLogonTokenCreate, Permission.DeviceTerminalUse], at.tenant(tenant));
    expect((await external({ permissions: ['device.terminal.use'] }, key)).status).toBe(200);
    await grant(server, { principal, permission: Permission.DeviceTerminalUse, scope: at.device(device), effect: PermissionEffect.Deny });
    expect((await external({ permissions: ['device.terminal.use'] }, key)).status).toBe(403);
  });

  it('apply to the device of the token only, and not against a Deny of the user', async () => {
    const user = await createUser(server, { tenantId: tenant.id });
    const answer = await create('user', { userId: user.id, permissions: ['device.terminal.use'] });
    const session = logonSessionOf(user, await rowOf(answer.as<LogonTokenResponseDto>()));
    const authorization = server.app.get(AuthorizationService);
    const resourceOf = ({ id: deviceId }: Device) =>
      ({ kind: 'Device', id: deviceId, tenantId: tenant.id, customerId: null, deviceGroupIds: [] }) as const;
    const may = (permission: PermissionDefinition, on = device) => authorization.isAllowed(session, permission, resourceOf(on));
    expect([await may(Permission.DeviceTerminalUse), await may(Permission.DeviceRead), await may(Permission.DeviceChatSend)]).toEqual([
      true,
      true,
      false,
    ]);
    expect(await may(Permission.DeviceTerminalUse, await createDevice(server, { tenantId: tenant.id }))).toBe(false);
    await grant(server, {
      principal: holder.user(user),
      permission: Permission.DeviceTerminalUse,
      scope: at.tenant(tenant),
      effect: PermissionEffect.Deny,
    });
    expect(await may(Permission.DeviceTerminalUse)).toBe(false);
  });
});

it('are logged with the token and the new user, but without the secret', async () => {
  const answer = await external({ permissions: ['device.terminal.use'], userDisplayName: 'Ada' });
  const { token } = answer.as<LogonTokenResponseDto>();
  const row = await rowOf({ token } as LogonTokenResponseDto);
  const entries = await server.dataSource.manager.find(AuthorizationChangeLog, { where: { owningTenantId: tenant.id } });
  expect(entries.map(({ actionType }) => actionType).sort()).toEqual([
    'logon-token-created',
    'permission-assignment-created',
    'permission-assignment-created',
    'user-created',
  ]);
  const created = entries.find(({ actionType }) => actionType === 'logon-token-created');
  expect(created).toMatchObject({ targetType: 'LogonToken', targetId: row.id, actorPrincipalType: 'service-account', beforeJson: null });
  expect(JSON.parse(created?.afterJson ?? '')).toEqual({
    deviceId: device.id,
    userId: row.userId,
    userCorrelationId: 'person',
    expiresAt: row.expiresAt.toISOString(),
    sessionExpirationMinutes: 480,
    permissions: ['device.read', 'device.terminal.use'],
  });
  expect(JSON.stringify(entries)).not.toContain(parseKey(token)?.secret);
});

it('open nothing while the service account that made them is disabled, and end its sessions', async () => {
  const accessMode = ServiceAccountAccessMode.Unrestricted;
  const { account, key } = await createServiceAccountWithKey(server, { kind: ServiceAccountKind.Server, tenantId: null, accessMode });
  const setEnabled = async (isEnabled: boolean): Promise<void> => {
    const body = { name: account.name, isEnabled };
    expect((await server.client().put(`/api/v1/server-service-accounts/${account.id}`, { body })).status).toBe(200);
  };
  const link = async (): Promise<string> =>
    (await external({ userCorrelationId: newGuid(), permissions: ['device.terminal.use'] }, key)).as<LogonTokenResponseDto>()
      .deviceAccessUrl;
  const [opened, unopened] = [await link(), await link()];
  const visitor = new Browser(server);
  expect((await visitor.get(opened)).status).toBe(303);
  const look = async (): Promise<number> => (await visitor.get(`/api/v1/devices/${device.id}`)).status;
  expect(await look()).toBe(200);

  await setEnabled(false);
  expect(await look()).toBe(401);
  expect((await new Browser(server).get(unopened)).status).toBe(401);
  await setEnabled(true);
  expect((await new Browser(server).get(unopened)).status).toBe(303);
});

it('leave nothing behind when the tenant is deleted while they are created', async () => {
  const calls = Promise.all(Array.from({ length: 8 }, (_, index) => external({ userCorrelationId: `p${index}` })));
  const deleted = await server.client().delete(`/api/v1/tenants/${tenant.id}`);
  expect(deleted.status).toBe(204);
  for (const { status } of await calls) expect([200, 400, 404]).toContain(status);
  for (const { app } of server.nodes) await app.get(TenantRemoval).idle();
  expect([await countOf(LogonToken), await countOf(User)]).toEqual([0, 0]);
  expect(await server.dataSource.manager.countBy(PermissionAssignment, { owningTenantId: tenant.id })).toBe(0);
});
