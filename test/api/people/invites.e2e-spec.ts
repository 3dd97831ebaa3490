import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';

import { describe, expect, it } from 'vitest';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { INVITE_LIFETIME_MS } from '../../../src/people/invites/activation-code.js';
import type { InviteResponseDto, InvitesResponseDto } from '../../../src/people/invites/invite.dto.js';
import { Invite } from '../../../src/people/invites/invite.entity.js';
import type { UsersResponseDto } from '../../../src/people/users/user.dto.js';
import { User } from '../../../src/people/users/user.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { hashSecret } from '../../../src/platform/common/identifiers/secret.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import type { ApiAnswer, ApiClient } from '../../support/application/api-client.js';
import { ROOT_KEY, TestApp } from '../../support/application/app.js';
import { callingUser, changesOf, detailOf, wrongFieldsOf, statusesOf } from '../../support/callers/callers.js';
import { createTenant, createUser } from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

const BASE = '/api/v1/invites';
const PENDING = 'An invitation for this address is already pending.';

const server = testServer();
const tenant = testTenant(server);
const other = testTenant(server);

const named = (of: Tenant = tenant): { readonly tenantId: string } => ({ tenantId: of.id });
const newAddress = (): string => `invitee-${newGuid()}@example.org`;

const PAGE = (): string => `${server.url}/invite-confirmation`;
const codeOf = ({ inviteUrl }: Pick<InviteResponseDto, 'inviteUrl'>): string => inviteUrl.split('/').at(-1) ?? '';

function invite(inviteeEmail: unknown, client: ApiClient = server.client(), of = tenant): Promise<ApiAnswer> {
  return client.post(BASE, { query: named(of), body: { inviteeEmail } });
}

async function listed(id: string, client: ApiClient = server.client()): Promise<InviteResponseDto | undefined> {
  const { items } = (await client.get(BASE, { query: named() })).as<InvitesResponseDto>();
  return items.find((item) => item.id === id);
}

function remove(id: string): Promise<ApiAnswer> {
  return server.client().delete(`${BASE}/${id}`, { query: named() });
}

describe('inviting', () => {
  it('creates the account at once, without a password, and answers the link to set one', async () => {
    const address = newAddress();
    const answer = await invite(`  ${address.toUpperCase()} `);
    expect(answer.status).toBe(201);
    const { id } = answer.as<InviteResponseDto>();
    expect(answer.body).toEqual({
      id: expect.any(String),
      createdAt: expect.any(String),
      inviteeEmail: address,
      inviteUrl: expect.stringMatching(new RegExp(`^${server.url}/invite-confirmation/[\\w-]{86}$`)),
    });
    const code = codeOf(answer.as<InviteResponseDto>());
    const { userId, hashedActivationCode } = await server.dataSource.manager.findOneByOrFail(Invite, { id });
    const { items } = (await server.client().get('/api/v1/users', { query: named() })).as<UsersResponseDto>();
    expect(items.find((user) => user.id === userId)).toMatchObject({
      userName: address,
      email: address,
      permissions: ['personal-access-token.self.read', 'personal-access-token.self.write'],
    });
    expect((await server.dataSource.manager.findOneByOrFail(User, { id: userId })).passwordHash).toBeNull();
    const changes = await changesOf(server, id);
    expect(changes).toMatchObject([{ action: 'invite-created', after: { inviteeEmail: address, userId } }]);
    expect(JSON.stringify(changes)).not.toContain(code);
    expect(hashedActivationCode).toEqual(hashSecret(code));
  });

  it.each([[''], ['  '], ['ann@'], ['a@b@c'], [`${'a'.repeat(250)}@example.org`]])('refuses %j', async (address) => {
    const answer = await invite(address);
    expect([answer.status, wrongFieldsOf(answer)]).toEqual([400, ['inviteeEmail']]);
  });

  it('answers 409 for a pending invite and for a user with the address, in any tenant and letter case', async () => {
    const address = newAddress();
    const answers = await Promise.all([tenant, other, tenant, other].map((of) => invite(address, server.client(), of)));
    expect(statusesOf(answers)).toEqual([201, 409, 409, 409]);
    const again = await invite(address.toUpperCase());
    expect([again.status, detailOf(again)]).toEqual([409, PENDING]);
    const user = await createUser(server, { tenantId: other.id });
    const taken = await invite(user.userName);
    expect([taken.status, detailOf(taken)]).toEqual([409, 'A user with this e-mail address already exists.']);
    expect(await server.dataSource.manager.countBy(User, { userName: address })).toBe(1);
  });
});

describe('the activation code', () => {
  it('is shown once, and stored as a hash only', async () => {
    const { id, inviteUrl } = (await invite(newAddress())).as<InviteResponseDto>();
    expect(inviteUrl).toMatch(/\/invite-confirmation\/[\w-]{86}$/);
    const inviter = await callingUser(server, tenant, [Permission.TenantUsersRead, Permission.TenantUsersWrite]);
    for (const client of [server.client(), inviter.client]) expect((await listed(id, client))?.inviteUrl).toBe(PAGE());
    const [row] = await server.dataSource.query<object[]>('SELECT * FROM invites WHERE id = $1', [id]);
    expect(JSON.stringify(row)).not.toContain(codeOf({ inviteUrl }));
  });

  it('expires, after which its tenant can renew the invite with a new code for the same account', async () => {
    const address = newAddress();
    const first = (await invite(address)).as<InviteResponseDto>();
    server.clock.advance(INVITE_LIFETIME_MS - 60_000);
    expect((await invite(address)).status).toBe(409);
    server.clock.advance(60_000);
    expect((await invite(address, server.client(), other)).status).toBe(409);
    const answers = await Promise.all([invite(address), invite(address)]);
    expect(statusesOf(answers)).toEqual([201, 409]);
    const renewed = answers.find(({ status }) => status === 201)?.as<InviteResponseDto>();
    expect(renewed).toMatchObject({ id: first.id, inviteeEmail: address });
    expect(renewed?.inviteUrl).not.toBe(first.inviteUrl);
    expect(Date.parse(renewed?.createdAt.toString() ?? '')).toBeGreaterThan(Date.parse(first.createdAt.toString()));
    expect((await changesOf(server, first.id)).map(({ action }) => action)).toEqual(['invite-created', 'invite-renewed']);
  });
});

describe('withdrawing', () => {
  it('deletes the invite and the account that was created for it, once', async () => {
    const address = newAddress();
    const { id } = (await invite(address)).as<InviteResponseDto>();
    const { userId } = await server.dataSource.manager.findOneByOrFail(Invite, { id });
    const answers = await Promise.all([remove(id), remove(id), remove(id)]);
    expect(statusesOf(answers)).toEqual([204, 404, 404]);
    expect(await server.dataSource.manager.existsBy(User, { id: userId })).toBe(false);
    expect((await changesOf(server, id)).map(({ action }) => action)).toEqual(['invite-created', 'invite-deleted']);
    expect((await changesOf(server, userId)).map(({ action }) => action)).toContain('user-deleted');
    expect((await invite(address)).status).toBe(201);
  });

  it('happens automatically when the account is deleted', async () => {
    const { id } = (await invite(newAddress())).as<InviteResponseDto>();
    const { userId } = await server.dataSource.manager.findOneByOrFail(Invite, { id });
    expect((await server.client().delete(`/api/v1/users/${userId}`, { query: named() })).status).toBe(204);
    expect(await listed(id)).toBeUndefined();
  });
});

describe('the address in the link', () => {
  const inviteAt = async (headers: Record<string, string>): Promise<{ status: number; body: InviteResponseDto }> => {
    const url = new URL(`${BASE}?tenantId=${tenant.id}`, server.url);
    const sent = { 'x-api-key': ROOT_KEY, 'content-type': 'application/json', ...headers };
    const sending = request(url, { method: 'POST', headers: sent }).end(JSON.stringify({ inviteeEmail: newAddress() }));
    const [received]: [IncomingMessage] = (await once(sending, 'response')) as [IncomingMessage];
    return { status: received.statusCode ?? 0, body: JSON.parse((await received.setEncoding('utf8').toArray()).join('')) };
  };

  it('is the host that the caller called', async () => {
    const { body } = await inviteAt({ host: 'devices.example.org:8080' });
    expect(body.inviteUrl).toMatch(/^http:\/\/devices\.example\.org:8080\/invite-confirmation\//);
  });

  it('is not what a program of this machine passes on: it is no proxy that is configured', async () => {
    const { body } = await inviteAt({ 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example' });
    expect(body.inviteUrl).toMatch(new RegExp(`^${server.url}/invite-confirmation/`));
  });

  it.each(['a/b', 'a b', 'user@host', 'host?x=', 'host#x', '['])('refuses the host %j', async (host) => {
    const { status, body } = await inviteAt({ host });
    expect([status, (body as unknown as { detail: string }).detail]).toEqual([400, 'The Host header does not name a host.']);
  });

  it('comes from the headers of a proxy that is configured', async () => {
    const proxied = await TestApp.start({ Service_AppOptions__KnownProxies: '127.0.0.1' });
    try {
      const of = await createTenant(proxied);
      const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'devices.example.org:8443' };
      const answer = await proxied.client().post(BASE, { query: named(of), headers, body: { inviteeEmail: newAddress() } });
      expect(answer.as<InviteResponseDto>().inviteUrl).toMatch(/^https:\/\/devices\.example\.org:8443\/invite-confirmation\//);
      const refused = await proxied.client().get(BASE, { query: named(of), headers: { 'x-forwarded-host': 'a/b' } });
      expect([refused.status, detailOf(refused)]).toEqual([400, 'The X-Forwarded-Host header does not name a host.']);
    } finally {
      await proxied.stop();
    }
  });

  it('is the configured one, whatever the request contains', async () => {
    const configured = await TestApp.start({ Service_AppOptions__PublicUrl: 'https://public.example.org/base/' });
    try {
      const of = await createTenant(configured);
      const headers = { 'x-forwarded-host': 'elsewhere.example.org' };
      const answer = await configured.client().post(BASE, { query: named(of), headers, body: { inviteeEmail: newAddress() } });
      expect(answer.as<InviteResponseDto>().inviteUrl).toMatch(/^https:\/\/public\.example\.org\/base\/invite-confirmation\/[\w-]{86}$/);
    } finally {
      await configured.stop();
    }
  });
});

describe('an invite whose account gets a temporary password from an administrator', () => {
  it('is over: its link sets no password, and the user is one like others', async () => {
    const address = newAddress();
    const made = (await invite(address)).as<InviteResponseDto>();
    const { userId } = await server.dataSource.manager.findOneByOrFail(Invite, { id: made.id });
    const reset = await server.client().post(`/api/v1/users/${userId}/reset-password`, { query: named() });
    const { passwordHash } = await server.dataSource.manager.findOneByOrFail(User, { id: userId });
    const body = { activationCode: codeOf(made), email: address, password: 'Correct-Horse-7' };
    const accepted = await server.client({}).post('/api/invites/accept', { body });
    expect([reset.status, accepted.body]).toMatchObject([200, { isSuccessful: false }]);
    expect((await server.dataSource.manager.findOneByOrFail(User, { id: userId })).passwordHash).toBe(passwordHash);
    expect(await changesOf(server, made.id)).toMatchObject([
      { action: 'invite-created' },
      { action: 'invite-deleted', before: { inviteeEmail: address, userId }, after: null },
    ]);
    expect((await server.client().put(`/account/users/${userId}/suspension`, { query: named() })).status).toBe(204);
  });
});
