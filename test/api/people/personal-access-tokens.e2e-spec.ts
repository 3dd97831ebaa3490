import { describe, expect, it } from 'vitest';

import { CredentialUsage } from '../../../src/access/authentication/credentials/credential-usage.js';
import { Permission, PermissionEffect } from '../../../src/access/authorization/permissions/permission.js';
import { PermissionAssignment } from '../../../src/access/permission-assignments/permission-assignment.entity.js';
import {
  MAXIMUM_TOKENS,
  type CreatePersonalAccessTokenResponseDto,
  type PersonalAccessTokenResponseDto,
  type PersonalAccessTokensResponseDto,
} from '../../../src/people/personal-access-tokens/personal-access-token.dto.js';
import { PersonalAccessToken } from '../../../src/people/personal-access-tokens/personal-access-token.entity.js';
import type { User } from '../../../src/people/users/user.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import type { ApiAnswer, ApiClient } from '../../support/application/api-client.js';
import { callingUser, changesOf, detailOf, wrongFieldsOf, type CallingUser, statusesOf } from '../../support/callers/callers.js';
import {
  at,
  createDevice,
  createPersonalAccessToken,
  createServiceAccountWithKey,
  createUser,
  grant,
  grantAll,
  holder,
} from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

const OWN = '/api/v1/personal-access-tokens';
const SELF = [Permission.PersonalAccessTokenSelfRead, Permission.PersonalAccessTokenSelfWrite];
const SELF_READ = { permissionName: 'personal-access-token.self.read', scopeKind: 'Tenant' };

const server = testServer();
const tenant = testTenant(server);
const other = testTenant(server);

const named = (): { readonly tenantId: string } => ({ tenantId: tenant.id });
const of = (user: Pick<User, 'id'>): string => `/api/v1/users/${user.id}/personal-access-tokens`;

function create(client: ApiClient, body: object, path = OWN): Promise<ApiAnswer> {
  return client.post(path, { query: named(), body: { name: `Token ${newGuid()}`, ...body } });
}

async function list(client: ApiClient, path = OWN): Promise<PersonalAccessTokenResponseDto[]> {
  return (await client.get(path, { query: named() })).as<PersonalAccessTokensResponseDto>().items;
}

const withToken = (answer: ApiAnswer): ApiClient =>
  server.client({ 'x-personal-token': answer.as<CreatePersonalAccessTokenResponseDto>().plainTextToken });

function self(): Promise<CallingUser> {
  return callingUser(server, tenant, SELF);
}

describe("one's own tokens", () => {
  it('are created with the requested permissions, shown once, listed newest first, renamed and deleted', async () => {
    const { client, user } = await self();
    const expiresAt = new Date(server.clock.milliseconds() + 3_600_000).toISOString();
    const created = await create(client, { name: 'ci', expiresAt, scopes: [SELF_READ] });
    expect(created.status).toBe(201);
    const { personalAccessToken: token, plainTextToken } = created.as<CreatePersonalAccessTokenResponseDto>();
    expect(token).toEqual({
      id: expect.any(String),
      name: 'ci',
      createdAt: expect.any(String),
      lastUsed: null,
      permissionCount: 1,
      permissionMode: 'Restricted',
      expiresAt,
      revokedAt: null,
    });
    expect(plainTextToken).toMatch(/^[0-9A-F]{32}:[\w-]{86}$/);
    expect((await list(client))[0]).toEqual(token);
    expect(JSON.stringify(await list(client))).not.toContain(plainTextToken.split(':')[1]);

    const caller = withToken(created);
    expect((await caller.get(OWN, { query: named() })).status).toBe(200);
    expect((await create(caller, {})).status).toBe(403);
    await server.app.get(CredentialUsage).write();
    expect((await list(client))[0].lastUsed).not.toBeNull();

    const renamed = await client.put(`${OWN}/${token.id}`, { query: named(), body: { name: 'build' } });
    expect([renamed.status, renamed.body]).toMatchObject([200, { id: token.id, name: 'build', permissionCount: 1 }]);
    const [row] = await server.dataSource.manager.findBy(PermissionAssignment, { principalId: token.id });
    expect((await client.delete(`${OWN}/${token.id}`, { query: named() })).status).toBe(204);
    expect((await caller.get(OWN, { query: named() })).status).toBe(401);
    expect((await client.delete(`${OWN}/${token.id}`, { query: named() })).status).toBe(404);
    const changes = await changesOf(server, token.id);
    const state = { userId: user.id, permissionMode: 'Restricted', expiresAt };
    expect(changes).toEqual([
      { action: 'personal-access-token-created', before: null, after: { name: 'ci', ...state } },
      { action: 'credential-scope-set', before: null, after: { scopeCount: 1 } },
      { action: 'personal-access-token-updated', before: { name: 'ci', ...state }, after: { name: 'build', ...state } },
      { action: 'personal-access-token-deleted', before: { name: 'build', ...state }, after: null },
    ]);
    expect(JSON.stringify(changes)).not.toContain(plainTextToken.split(':')[1]);
    expect((await changesOf(server, row.id)).map(({ action }) => action)).toEqual([
      'permission-assignment-created',
      'permission-assignment-deleted',
    ]);
  });

  it('stop working when they expire', async () => {
    const { client } = await self();
    const expiresAt = new Date(server.clock.milliseconds() + 60_000).toISOString();
    const caller = withToken(await create(client, { expiresAt, scopes: [SELF_READ] }));
    expect((await caller.get(OWN, { query: named() })).status).toBe(200);
    server.clock.advance(60_000);
    expect((await caller.get(OWN, { query: named() })).status).toBe(401);
  });

  it('without permissions allow nothing', async () => {
    const { client } = await self();
    const created = await create(client, {});
    expect(created.body).toMatchObject({ personalAccessToken: { permissionCount: 0 } });
    expect((await withToken(created).get(OWN, { query: named() })).status).toBe(403);
  });

  it('belong to users only', async () => {
    const { account, key } = await createServiceAccountWithKey(server, { tenantId: tenant.id });
    await grantAll(server, holder.serviceAccount(account), SELF, at.tenant(tenant));
    const client = server.client({ 'x-api-key': key });
    const answers = [
      await client.get(OWN, { query: named() }),
      await create(client, {}),
      await client.put(`${OWN}/${newGuid()}`, { query: named(), body: { name: 'x' } }),
      await client.delete(`${OWN}/${newGuid()}`, { query: named() }),
    ];
    const sentence = 'Personal access tokens belong to users: a service account has none.';
    expect(answers.map((answer) => [answer.status, detailOf(answer)])).toEqual(answers.map(() => [403, sentence]));
  });

  it('of other users answer 404', async () => {
    const { client } = await self();
    const foreign = await createPersonalAccessToken(server, await createUser(server, { tenantId: tenant.id }));
    for (const id of [foreign.token.id, newGuid()]) {
      const answers = [
        await client.put(`${OWN}/${id}`, { query: named(), body: { name: 'x' } }),
        await client.delete(`${OWN}/${id}`, { query: named() }),
      ];
      expect(answers.map((answer) => [answer.status, detailOf(answer)])).toEqual(
        answers.map(() => [404, 'The personal access token was not found.']),
      );
    }
    expect(await server.dataSource.manager.existsBy(PersonalAccessToken, { id: foreign.token.id })).toBe(true);
  });
});

describe('a request for a token', () => {
  it.each<[string, object, string]>([
    ['an expiry in the past', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    ['permissions beside those of the owner', { permissionMode: 'InheritOwner', scopes: [SELF_READ] }, 'scopes'],
    ['too many permissions', { scopes: Array.from({ length: 1001 }, () => SELF_READ) }, 'scopes'],
    ['a permission that does not exist', { scopes: [{ ...SELF_READ, permissionName: 'x' }] }, 'scopes[0].permissionName'],
    ['a scope kind that is not legal', { scopes: [SELF_READ, { ...SELF_READ, scopeKind: 'Server' }] }, 'scopes[1].scopeKind'],
    ['an unknown scope kind', { scopes: [{ ...SELF_READ, scopeKind: 'Unknown' }] }, 'scopes[0].scopeKind'],
    ['a permission that the owner lacks', { scopes: [{ ...SELF_READ, permissionName: 'tenant.read' }] }, 'scopes[0].permissionName'],
    ['another tenant', { scopes: [{ ...SELF_READ, scopeId: newGuid() }] }, 'scopes[0].scopeId'],
    ['a scope without an id', { scopes: [{ permissionName: 'device.read', scopeKind: 'Device' }] }, 'scopes[0].scopeId'],
    [
      'a device that is not there',
      { scopes: [{ permissionName: 'device.read', scopeKind: 'Device', scopeId: newGuid() }] },
      'scopes[0].scopeId',
    ],
  ])('with %s answers 400', async (_what, wrong, field) => {
    const { client, user } = await self();
    const answer = await create(client, wrong);
    expect([answer.status, wrongFieldsOf(answer)]).toEqual([400, [field]]);
    expect(await server.dataSource.manager.countBy(PersonalAccessToken, { userId: user.id })).toBe(1);
  });

  it('gives the same answer for a device of another tenant as for an unknown one', async () => {
    const { client } = await self();
    const device = await createDevice(server, { tenantId: other.id });
    const scopes = (scopeId: string): object => ({ scopes: [{ permissionName: 'device.read', scopeKind: 'Device', scopeId }] });
    const [foreign, unknown] = [await create(client, scopes(device.id)), await create(client, scopes(newGuid()))];
    expect([foreign.status, foreign.body]).toEqual([400, unknown.body]);
  });

  it('can name a permission at scopes where the owner holds it, and no broader', async () => {
    const { client, user } = await self();
    const device = await createDevice(server, { tenantId: tenant.id });
    await grant(server, { principal: holder.user(user), permission: Permission.DeviceRead, scope: at.device(device) });
    const narrow = { permissionName: 'device.read', scopeKind: 'Device', scopeId: device.id };
    expect((await create(client, { scopes: [narrow] })).status).toBe(201);
    expect((await create(client, { scopes: [{ permissionName: 'device.read', scopeKind: 'Tenant' }] })).status).toBe(400);
  });

  it('requires a name that is new for the user, also among parallel calls', async () => {
    const { client } = await self();
    const answers = await Promise.all(Array.from({ length: 4 }, () => create(client, { name: 'same' })));
    expect(statusesOf(answers)).toEqual([201, 409, 409, 409]);
    const second = (await create(client, { name: 'second' })).as<CreatePersonalAccessTokenResponseDto>().personalAccessToken;
    expect((await client.put(`${OWN}/${second.id}`, { query: named(), body: { name: 'same' } })).status).toBe(409);
    expect((await create((await self()).client, { name: 'same' })).status).toBe(201);
  });

  it('is refused when the user has a thousand tokens, also among parallel calls', async () => {
    const { client, user } = await self();
    const { token } = await createPersonalAccessToken(server, user);
    const { id: _id, name: _name, ...same } = token;
    const more = Array.from({ length: MAXIMUM_TOKENS - 3 }, () => ({ ...same, id: newGuid(), name: newGuid() }));
    await server.dataSource.manager.insert(PersonalAccessToken, more);
    const answers = await Promise.all(Array.from({ length: 4 }, () => create(client, {})));
    expect(statusesOf(answers)).toEqual([201, 400, 400, 400]);
    const refused = answers.find(({ status }) => status === 400);
    expect(refused?.body).toMatchObject({ detail: 'A user can have at most 1000 personal access tokens. Delete one first.' });
  });

  it('cannot create an inheriting token with a token', async () => {
    const { client, user } = await self();
    const path = of(user);
    await grantAll(
      server,
      holder.user(user),
      [Permission.PersonalAccessTokenOthersWrite, Permission.PersonalAccessTokenOthersRead],
      at.tenant(tenant),
    );
    for (const answer of [await create(client, { permissionMode: 'inheritOwner' }), await create(client, { permissionMode: 1 }, path)]) {
      expect([answer.status, detailOf(answer)]).toEqual([
        400,
        'A token cannot create a token that inherits all rights of its owner: sign in to create one.',
      ]);
    }
  });
});

describe('a token made with a Restricted token', () => {
  /** A client with a token that holds the self-service permissions and device.read in the tenant, but not on the denied device. */
  async function restricted(user: User, denied: Awaited<ReturnType<typeof createDevice>>): Promise<ApiClient> {
    const { token, key } = await createPersonalAccessToken(server, user);
    const principal = holder.personalAccessToken(token);
    await grantAll(server, principal, [...SELF, Permission.DeviceRead], at.tenant(tenant));
    await grant(server, { principal, permission: Permission.DeviceRead, scope: at.device(denied), effect: PermissionEffect.Deny });
    return server.client({ 'x-personal-token': key });
  }

  it('has no more rights than that one', async () => {
    const { user } = await callingUser(server, tenant, [...SELF, Permission.DeviceRead, Permission.TenantRead]);
    const [denied, allowed] = [await createDevice(server, { tenantId: tenant.id }), await createDevice(server, { tenantId: tenant.id })];
    const client = await restricted(user, denied);
    const onDevice = (scopeId: string): object => ({ permissionName: 'device.read', scopeKind: 'Device', scopeId });
    const refused = [
      [{ permissionName: 'tenant.read', scopeKind: 'Tenant' }],
      [onDevice(denied.id)],
      [{ permissionName: 'device.read', scopeKind: 'Tenant' }],
    ];
    for (const scopes of refused) {
      const answer = await create(client, { scopes });
      expect([answer.status, detailOf(answer)]).toEqual([
        403,
        expect.stringMatching(
          /^A token cannot create a token with more rights than its own\. It does not hold (tenant|device)\.read to that extent\.$/,
        ),
      ]);
    }
    expect((await create(client, { scopes: [SELF_READ, onDevice(allowed.id)] })).status).toBe(201);
  });
});

describe('the tokens of other users', () => {
  const OTHERS = [Permission.PersonalAccessTokenOthersRead, Permission.PersonalAccessTokenOthersWrite];

  it('are created, listed, renamed and deleted', async () => {
    const { client, user: issuer } = await callingUser(server, tenant, [...SELF, ...OTHERS]);
    const user = await createUser(server, { tenantId: tenant.id });
    await grantAll(server, holder.user(user), SELF, at.tenant(tenant));
    const path = of(user);
    const created = await create(client, { name: 'for ann', scopes: [SELF_READ] }, path);
    expect(created.status).toBe(201);
    const { personalAccessToken: token } = created.as<CreatePersonalAccessTokenResponseDto>();
    const { createdByUserId, userId } = await server.dataSource.manager.findOneByOrFail(PersonalAccessToken, { id: token.id });
    expect({ createdByUserId, userId }).toEqual({ createdByUserId: issuer.id, userId: user.id });
    expect(await list(client, path)).toEqual([token]);
    expect(await list(withToken(created))).toEqual([expect.objectContaining({ id: token.id })]);
    expect((await client.put(`${path}/${token.id}`, { query: named(), body: { name: 'y' } })).body).toMatchObject({ name: 'y' });
    expect((await client.delete(`${path}/${token.id}`, { query: named() })).status).toBe(204);
    expect((await withToken(created).get(OWN, { query: named() })).status).toBe(401);
  });

  it('can inherit from their owner when a server account creates them', async () => {
    const user = await createUser(server, { tenantId: tenant.id });
    const created = await create(server.client(), { permissionMode: 'InheritOwner' }, of(user));
    expect(created.body).toMatchObject({ personalAccessToken: { permissionMode: 'InheritOwner', permissionCount: 0 } });
    const client = withToken(created);
    expect((await client.get(OWN, { query: named() })).status).toBe(403);
    await grant(server, { principal: holder.user(user), permission: Permission.PersonalAccessTokenSelfRead, scope: at.tenant(tenant) });
    expect((await client.get(OWN, { query: named() })).status).toBe(200);
  });

  it('answer 201 or 404 and leave nothing behind when their owner is deleted at the same time', async () => {
    const user = await createUser(server, { tenantId: tenant.id });
    const answers = await Promise.all([
      create(server.client(), {}, of(user)),
      server.client().delete(`/api/v1/users/${user.id}`, { query: named() }),
      create(server.client(), {}, of(user)),
    ]);
    for (const { status } of answers) expect([201, 204, 404]).toContain(status);
    expect(await server.dataSource.manager.countBy(PersonalAccessToken, { userId: user.id })).toBe(0);
  });
});
