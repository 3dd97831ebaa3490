import { describe, expect, it } from 'vitest';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { INVITE_LIFETIME_MS } from '../../../src/people/invites/activation-code.js';
import type { AdministratorInvitationDto, FoundedTenantDto } from '../../../src/people/invites/first-administrators.dto.js';
import { Invite } from '../../../src/people/invites/invite.entity.js';
import { User } from '../../../src/people/users/user.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import type { ApiAnswer } from '../../support/application/api-client.js';
import { accountWith, changesOf, detailOf, wrongFieldsOf } from '../../support/callers/callers.js';
import { at, createTenant, createUser } from '../../support/fixtures/factories.js';
import { testServerWithMail } from '../../support/setup/mailed.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

const server = testServer();
const mailed = testServerWithMail();
const existing = testTenant(server);

const newAddress = (): string => `first-${newGuid()}@example.org`;
const found = (
  administrator: { readonly email: string } | null,
  name = `Tenant ${newGuid()}`,
  client = server.client(),
): Promise<ApiAnswer> => client.post('/account/tenants', { body: { name, administrator } });
const invite = ({ id }: Pick<Tenant, 'id'>, email: string, client = server.client()): Promise<ApiAnswer> =>
  client.post(`/account/tenants/${id}/administrators`, { body: { email } });
const accept = (inviteUrl: string, email: string): Promise<ApiAnswer> =>
  server.client({}).post('/api/invites/accept', { body: { activationCode: codeOf(inviteUrl), email, password: 'Correct-Horse-7' } });
const codeOf = (inviteUrl: string): string => inviteUrl.split('/').at(-1) ?? '';
const accountsOf = (email: string): Promise<User[]> => server.dataSource.manager.findBy(User, { email });
const tenantsNamed = (name: string): Promise<number> => server.dataSource.manager.countBy(Tenant, { name });

async function withoutUsers({ id }: Pick<Tenant, 'id'>): Promise<unknown> {
  const { items } = (await server.client().get('/account/tenants/without-users')).as<{
    items: { tenantId: string; invitedUntil: unknown }[];
  }>();
  return items.find(({ tenantId }) => tenantId === id);
}

describe('a tenant with its first administrator', () => {
  it('is created with an account, its permissions and a link, and both are in the change log', async () => {
    const email = newAddress();
    const answer = await found({ email: ` ${email.toUpperCase()} ` }, 'Contoso IT');
    expect(answer.status).toBe(201);
    const { tenantId, invitation } = answer.as<FoundedTenantDto>();
    expect(answer.body).toEqual({
      tenantId,
      tenantName: 'Contoso IT',
      invitation: {
        email,
        inviteUrl: expect.stringMatching(new RegExp(`^${server.url}/invite-confirmation/[\\w-]{86}$`)),
        expiresAt: expect.any(String),
        isMailSent: false,
      },
    });
    const { createdAt, id, userId } = await server.dataSource.manager.findOneByOrFail(Invite, { inviteeEmail: email, tenantId });
    expect(new Date(String(invitation?.expiresAt)).getTime()).toBe(createdAt.getTime() + INVITE_LIFETIME_MS);
    expect(await changesOf(server, tenantId)).toMatchObject([{ action: 'tenant-created', after: { name: 'Contoso IT' } }]);
    expect(await changesOf(server, id)).toMatchObject([{ action: 'invite-created', after: { inviteeEmail: email, userId } }]);
    const { items } = (await server.client().get('/api/v1/users', { query: { tenantId } })).as<{ items: { permissions: string[] }[] }>();
    expect(items).toHaveLength(1);
    expect(items[0].permissions).toContain(Permission.TenantSettingsWrite.name);
    expect(items[0].permissions).toContain(Permission.TenantPermissionsWrite.name);
    expect(items[0].permissions).not.toContain(Permission.ServerTenantsRead.name);
  });

  it('is created without one on request', async () => {
    const answer = await found(null);
    expect([answer.status, answer.as<FoundedTenantDto>().invitation]).toEqual([201, null]);
    const { tenantId } = answer.as<FoundedTenantDto>();
    expect(await withoutUsers({ id: tenantId })).toEqual({ tenantId, invitedUntil: null });
  });

  it('does not come to be when an account has the address, in any tenant and letter case', async () => {
    const { email } = await createUser(server, { tenantId: existing.id, userName: newAddress() });
    const name = `Tenant ${newGuid()}`;
    const answer = await found({ email: String(email).toUpperCase() }, name);
    expect([answer.status, wrongFieldsOf(answer)]).toEqual([400, ['administrator.email']]);
    expect(await tenantsNamed(name)).toBe(0);
  });

  it.each([[''], ['ann@'], ['a@b@c']])('does not come to be for the address %j', async (email) => {
    const name = `Tenant ${newGuid()}`;
    const answer = await found({ email }, name);
    expect([answer.status, wrongFieldsOf(answer)]).toEqual([400, ['administrator.email']]);
    expect(await tenantsNamed(name)).toBe(0);
  });

  it('does not come to be for callers who may not grant the permissions of an administrator', async () => {
    const client = await accountWith(server, null, [Permission.ServerTenantsWrite, at.server]);
    const [name, email] = [`Tenant ${newGuid()}`, newAddress()];
    const answer = await found({ email }, name, client);
    expect([answer.status, detailOf(answer)]).toEqual([
      403,
      'Creating a user with the preset Tenant Administrator requires tenant.permissions.write.',
    ]);
    expect([await tenantsNamed(name), await accountsOf(email)]).toEqual([0, []]);
    expect((await found(null, name, client)).status).toBe(201);
  });

  it('is created by callers who may', async () => {
    const client = await accountWith(
      server,
      null,
      [Permission.ServerTenantsWrite, at.server],
      [Permission.ServerPermissionsWrite, at.server],
    );
    expect((await found({ email: newAddress() }, undefined, client)).status).toBe(201);
  });
});

describe('a tenant without users', () => {
  it('gets an administrator, and a new link for the same address, until a person has accepted', async () => {
    const tenant = await createTenant(server);
    const email = newAddress();
    const former = (await invite(tenant, email)).as<AdministratorInvitationDto>();
    const answer = await invite(tenant, email);
    expect(answer.status).toBe(201);
    const { inviteUrl, expiresAt } = answer.as<AdministratorInvitationDto>();
    expect(await withoutUsers(tenant)).toEqual({ tenantId: tenant.id, invitedUntil: expiresAt });
    expect((await server.client({}).get(`/account/invites/${codeOf(former.inviteUrl)}`)).status).toBe(404);
    expect(await accountsOf(email)).toHaveLength(1);

    expect((await accept(inviteUrl, email)).status).toBe(200);
    expect(await withoutUsers(tenant)).toBeUndefined();
    const late = await invite(tenant, newAddress());
    expect([late.status, detailOf(late)]).toEqual([409, 'The tenant has users. They invite others: ask one of its administrators.']);
  });

  it('gets none with the address of another account', async () => {
    const tenant = await createTenant(server);
    const { email } = await createUser(server, { tenantId: existing.id, userName: newAddress() });
    const answer = await invite(tenant, String(email));
    expect([answer.status, wrongFieldsOf(answer)]).toEqual([400, ['email']]);
    expect(await withoutUsers(tenant)).toEqual({ tenantId: tenant.id, invitedUntil: null });
  });

  it('gets none from callers who may not grant the permissions', async () => {
    const tenant = await createTenant(server);
    const client = await accountWith(server, null, [Permission.ServerTenantsWrite, at.server]);
    const email = newAddress();
    expect((await invite(tenant, email, client)).status).toBe(403);
    expect(await accountsOf(email)).toEqual([]);
  });
});

it('the link is mailed where the server sends mail, and the answer says so', async () => {
  const email = newAddress();
  const answer = await mailed.server.client().post('/account/tenants', { body: { name: 'Mailed IT', administrator: { email } } });
  const { invitation } = answer.as<FoundedTenantDto>();
  expect(invitation?.isMailSent).toBe(true);
  expect((await mailed.mails().mailTo(email)).text).toContain(codeOf(String(invitation?.inviteUrl)));
});
