import { beforeEach, describe, expect, it } from 'vitest';

import { AuthorizationChangeLog } from '../../../src/access/authorization/change-log/change-log.entity.js';
import {
  Permission,
  PermissionEffect,
  PermissionPrincipalKind,
  type PermissionDefinition,
} from '../../../src/access/authorization/permissions/permission.js';
import { PermissionAssignment } from '../../../src/access/permission-assignments/permission-assignment.entity.js';
import type {
  CreateServiceAccountCredentialResponseDto,
  ServiceAccountCredentialDto,
  TenantServiceAccountDto,
} from '../../../src/people/service-accounts/service-account.dto.js';
import { ServiceAccountAccessMode } from '../../../src/people/service-accounts/service-account.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import type { ProblemDetails } from '../../../src/platform/http/problems/problem-details.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import type { ApiAnswer } from '../../support/application/api-client.js';
import { ROOT_KEY } from '../../support/application/app.js';
import { changesOf } from '../../support/callers/callers.js';
import { at, createServiceAccountWithKey, createTenant, grant, grantAll, holder, type Scope } from '../../support/fixtures/factories.js';
import { testServer } from '../../support/setup/test-server.js';

/* Service accounts of tenants. What both kinds of account have in common is tested for both. */

const MINUTE_MS = 60_000;
const UNKNOWN_ID = '0190a0b0-0000-7000-8000-00000000dead';

const server = testServer();
let tenant: Tenant;

beforeEach(async () => {
  tenant = await createTenant(server);
});

const root = () => server.client();
const ofTenant = (tenantId = tenant.id): string => `/api/v1/tenant-service-accounts/${tenantId}`;
const detailOf = ({ body }: ApiAnswer): string | undefined => (body as ProblemDetails).detail;
const inMinutes = (minutes: number): string => new Date(server.clock.milliseconds() + minutes * MINUTE_MS).toISOString();

/** Both kinds of account: their routes, a body that creates one, and a call that only requires authentication. */
const KINDS = [
  {
    kind: 'tenant',
    collection: () => ofTenant(),
    body: () => ({ name: newGuid() }),
    use: (key: string) => server.client({ 'x-api-key': key }).get('/api/v1/server-alert'),
  },
  {
    kind: 'server',
    collection: () => '/api/v1/server-service-accounts',
    body: () => ({ name: newGuid(), accessMode: 'Unrestricted' }),
    use: (key: string) => server.client({ 'x-api-key': key }).get('/api/v1/tenants'),
  },
] as const;

describe.each(KINDS)('a $kind service account', ({ collection, body, use }) => {
  async function account(): Promise<TenantServiceAccountDto & { readonly path: string }> {
    const created = (await root().post(collection(), { body: body() })).as<TenantServiceAccountDto>();
    return { ...created, path: `${collection()}/${created.id}` };
  }

  async function credential(
    path: string,
    values: object = {},
  ): Promise<CreateServiceAccountCredentialResponseDto & { readonly path: string }> {
    const answer = await root().post(`${path}/credentials`, { body: { name: 'Key', ...values } });
    const created = answer.as<CreateServiceAccountCredentialResponseDto>();
    return { ...created, path: `${path}/credentials/${created.credential.id}` };
  }

  async function listed(path: string): Promise<ServiceAccountCredentialDto[]> {
    return (await root().get(path)).as<TenantServiceAccountDto>().credentials;
  }

  /** Brings a credential into a state. */
  const states = {
    Active: async (path: string) => credential(path, { expiresAt: inMinutes(30) }),
    Revoked: async (path: string) => {
      const made = await credential(path);
      expect((await root().delete(made.path)).status).toBe(204);
      return made;
    },
    Expired: async (path: string) => {
      const made = await credential(path, { expiresAt: inMinutes(1) });
      server.clock.advance(MINUTE_MS);
      return made;
    },
    Purged: async (path: string) => {
      const made = await states.Revoked(path);
      expect((await root().delete(`${made.path}/purge`)).status).toBe(204);
      return made;
    },
  } as const;

  it('can have credentials that expire in the future, or never', async () => {
    const { path } = await account();
    const forever = await credential(path);
    expect(forever.credential).toEqual({
      id: expect.any(String),
      name: 'Key',
      createdAt: expect.any(String),
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
    });
    const expiresAt = inMinutes(5);
    const limited = await credential(path, { name: 'Second', expiresAt });
    expect(new Date(limited.credential.expiresAt ?? '').toISOString()).toBe(expiresAt);
    for (const made of [forever, limited]) expect((await use(made.plainTextSecretKey)).status).toBe(200);
    expect((await listed(path)).map(({ name }) => name)).toEqual(['Key', 'Second']);
  });

  it.each([
    ['in the past', () => ({ name: 'Key', expiresAt: inMinutes(-1) }), 'expiresAt'],
    ['right now', () => ({ name: 'Key', expiresAt: inMinutes(0) }), 'expiresAt'],
    ['at no time', () => ({ name: 'Key', expiresAt: 'tomorrow' }), 'expiresAt'],
    ['but without a name', () => ({}), 'name'],
    ['but with a blank name', () => ({ name: ' ' }), 'name'],
    ['but with a long name', () => ({ name: 'x'.repeat(101) }), 'name'],
  ])('gets no credential that expires %s', async (_when, request, field) => {
    const { path } = await account();
    const answer = await root().post(`${path}/credentials`, { body: request() });
    expect([answer.status, Object.keys((answer.body as ProblemDetails).errors ?? {})]).toEqual([400, [field]]);
    expect(await listed(path)).toEqual([]);
  });

  it('gets no credential while it is disabled; its credentials work again when it is enabled', async () => {
    const { path, name } = await account();
    const { plainTextSecretKey } = await credential(path);
    expect((await root().put(path, { body: { name, isEnabled: false } })).as<TenantServiceAccountDto>().isEnabled).toBe(false);
    const refused = await root().post(`${path}/credentials`, { body: { name: 'Key' } });
    expect([refused.status, detailOf(refused)]).toEqual([
      403,
      'The service account is disabled: enable it before you create a credential.',
    ]);
    expect((await use(plainTextSecretKey)).status).toBe(401);
    await root().put(path, { body: { name, isEnabled: true } });
    expect((await use(plainTextSecretKey)).status).toBe(200);
  });

  it.each([
    ['Active', 'revoked', 204, 'Revoked'],
    ['Revoked', 'revoked', 204, 'Revoked'],
    ['Expired', 'revoked', 204, 'Revoked'],
    ['Purged', 'revoked', 404, 'Purged'],
    ['Active', 'purged', 400, 'Active'],
    ['Revoked', 'purged', 204, 'Purged'],
    ['Expired', 'purged', 204, 'Purged'],
    ['Purged', 'purged', 404, 'Purged'],
  ] as const)('has a credential that is %s: when it is %s, the answer is %d and it is %s', async (from, trigger, status, to) => {
    const { path } = await account();
    const made = await states[from](path);
    const [before] = await listed(path);
    const answer = await root().delete(trigger === 'purged' ? `${made.path}/purge` : made.path);
    expect(answer.status).toBe(status);
    if (status === 400) {
      expect(detailOf(answer)).toBe('Only revoked or expired credentials can be deleted. Revoke the credential first.');
    }
    const [after] = await listed(path);
    if (to === 'Purged') expect(after).toBeUndefined();
    if (to === 'Active') expect(after).toEqual(before);
    if (to === 'Revoked') expect(after).toEqual({ ...before, revokedAt: before.revokedAt ?? expect.any(String) });
    expect((await use(made.plainTextSecretKey)).status).toBe(to === 'Active' ? 200 : 401);
  });

  it('has credentials that work until their last millisecond', async () => {
    const { path } = await account();
    const made = await credential(path, { expiresAt: inMinutes(10) });
    server.clock.advance(9 * MINUTE_MS);
    expect((await use(made.plainTextSecretKey)).status).toBe(200);
    server.clock.advance(MINUTE_MS);
    expect((await use(made.plainTextSecretKey)).status).toBe(401);
    const [{ revokedAt }] = await listed(path);
    expect(revokedAt).toBeNull();
  });

  it('keeps the time of the first revocation of a credential', async () => {
    const { path } = await account();
    const made = await states.Revoked(path);
    const [{ revokedAt }] = await listed(path);
    server.clock.advance(MINUTE_MS);
    expect((await root().delete(made.path)).status).toBe(204);
    expect((await listed(path))[0].revokedAt).toBe(revokedAt);
  });

  it('allows parallel revocations and deletions of a credential, without an unexpected error', async () => {
    const { path } = await account();
    const { credential: made, path: credentialPath } = await credential(path);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => root().delete(index % 2 === 0 ? credentialPath : `${credentialPath}/purge`)),
    );
    const purges = answers.filter((_, index) => index % 2 === 1);
    expect(purges.filter(({ status }) => status === 204).length).toBeLessThanOrEqual(1);
    for (const { status } of answers) expect([204, 400, 404]).toContain(status);
    // Depending on the order, it is revoked or deleted.
    expect((await listed(path)).filter(({ revokedAt }) => revokedAt === null)).toEqual([]);
    const actions = await server.dataSource.manager.find(AuthorizationChangeLog, {
      where: { targetId: made.id },
      order: { createdAt: 'ASC' },
    });
    const counts = new Map<string, number>();
    for (const { actionType } of actions) counts.set(actionType, (counts.get(actionType) ?? 0) + 1);
    expect([counts.get('service-account-credential-created'), counts.get('service-account-credential-revoked')]).toEqual([1, 1]);
    expect(counts.get('service-account-credential-deleted') ?? 0).toBe(purges.some(({ status }) => status === 204) ? 1 : 0);
  });

  it('has a unique name: of parallel calls with one name, one succeeds', async () => {
    const request = body();
    const answers = await Promise.all(Array.from({ length: 8 }, () => root().post(collection(), { body: request })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(7);
    const other = await account();
    const renamed = await root().put(other.path, { body: { name: request.name, isEnabled: true } });
    expect([renamed.status, detailOf(renamed)]).toEqual([409, 'A service account with this name already exists.']);
  });

  it('is deleted with its credentials and assignments, each of which is logged', async () => {
    const { id, path } = await account();
    const { plainTextSecretKey, credential: made } = await credential(path);
    const permission = Permission.DeviceRead;
    const row = await grant(server, { principal: holder.serviceAccount({ id }), permission, scope: at.tenant(tenant) });
    expect((await root().delete(path)).status).toBe(204);
    expect((await use(plainTextSecretKey)).status).toBe(401);
    const { manager } = server.dataSource;
    expect(await manager.countBy(PermissionAssignment, { principalId: id })).toBe(0);
    const [entry] = await manager.findBy(AuthorizationChangeLog, { targetId: row.id });
    expect(entry).toMatchObject({ actionType: 'permission-assignment-deleted', owningTenantId: tenant.id });
    expect(JSON.parse(entry.beforeJson ?? '')).toMatchObject({ principalId: id, permissionName: permission.name, isEnabled: true });
    for (const answer of [
      await root().get(path),
      await root().delete(path),
      await root().put(path, { body: { name: 'x', isEnabled: true } }),
      await root().post(`${path}/credentials`, { body: { name: 'x' } }),
      await root().delete(`${path}/credentials/${made.id}`),
    ]) {
      expect([answer.status, detailOf(answer)]).toEqual([404, 'The service account was not found.']);
    }
  });

  it.each([
    ['name', { name: '' }],
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(101) }],
    ['name', { name: null }],
    ['description', { description: 'x'.repeat(501) }],
  ])('is not made with a wrong %s: %j', async (field, values) => {
    const answer = await root().post(collection(), { body: { ...body(), ...values } });
    expect([answer.status, Object.keys((answer.body as ProblemDetails).errors ?? {})]).toEqual([400, [field]]);
  });
});

describe('the routes of tenants', () => {
  it('show, change and delete accounts without an access mode', async () => {
    const created = await root().post(ofTenant(), { body: { name: 'Sync', description: 'Nightly', accessMode: 'Unrestricted' } });
    expect(created.status).toBe(201);
    const account = created.as<TenantServiceAccountDto>();
    expect(account).toEqual({
      id: expect.any(String),
      name: 'Sync',
      description: 'Nightly',
      isEnabled: true,
      createdAt: expect.any(String),
      credentials: [],
    });
    await root().post(ofTenant(), { body: { name: 'Alpha' } });
    const { items } = (await root().get(ofTenant())).as<{ items: TenantServiceAccountDto[] }>();
    expect(items.map(({ name }) => name)).toEqual(['Alpha', 'Sync']);
    const updated = await root().put(`${ofTenant()}/${account.id}`, { body: { name: 'Sync 2', isEnabled: false } });
    expect(updated.body).toEqual({ ...account, name: 'Sync 2', isEnabled: false });
    const { account: of, credential } = await createServiceAccountWithKey(server, { tenantId: tenant.id });
    expect((await root().delete(`${ofTenant()}/${of.id}`)).status).toBe(204);
    expect(await changesOf(server, of.id)).toMatchObject([{ before: { credentials: [{ id: credential.id, name: credential.name }] } }]);
    expect((await root().delete(`${ofTenant()}/${account.id}`)).status).toBe(204);
    const entries = await server.dataSource.manager.find(AuthorizationChangeLog, {
      where: { targetId: account.id },
      order: { createdAt: 'ASC' },
    });
    expect(entries.map(({ actionType }) => actionType)).toEqual([
      'service-account-created',
      'service-account-updated',
      'service-account-deleted',
    ]);
    expect(entries.map(({ owningTenantId }) => owningTenantId)).toEqual([tenant.id, tenant.id, tenant.id]);
    expect(JSON.parse(entries[1].beforeJson ?? '')).toMatchObject({ name: 'Sync', isEnabled: true });
    expect(JSON.parse(entries[1].afterJson ?? '')).toMatchObject({ name: 'Sync 2', isEnabled: false });
  });

  it('allow the same name in two tenants', async () => {
    const other = await createTenant(server);
    for (const tenantId of [tenant.id, other.id]) {
      expect((await root().post(ofTenant(tenantId), { body: { name: 'same' } })).status).toBe(201);
    }
  });

  it('answer 404 for accounts of the server and of other tenants, as server routes do for accounts of tenants', async () => {
    const other = await createTenant(server);
    const ofServer = await createServiceAccountWithKey(server);
    const foreign = await createServiceAccountWithKey(server, { tenantId: other.id });
    const own = await createServiceAccountWithKey(server, { tenantId: tenant.id });
    const paths = [
      ...[ofServer, foreign].map(({ account, credential }) => [`${ofTenant()}/${account.id}`, credential.id]),
      ...[own, foreign].map(({ account, credential }) => [`/api/v1/server-service-accounts/${account.id}`, credential.id]),
      [`${ofTenant()}/${UNKNOWN_ID}`, UNKNOWN_ID],
    ];
    for (const [path, credentialId] of paths) {
      for (const answer of [
        await root().get(path),
        await root().put(path, { body: { name: newGuid(), isEnabled: false } }),
        await root().post(`${path}/credentials`, { body: { name: 'x' } }),
        await root().delete(`${path}/credentials/${credentialId}`),
        await root().delete(`${path}/credentials/${credentialId}/purge`),
        await root().delete(path),
      ]) {
        expect([answer.status, detailOf(answer)]).toEqual([404, 'The service account was not found.']);
      }
    }
    // A credential of one account does not belong to another.
    const answer = await root().delete(`${ofTenant()}/${own.account.id}/credentials/${foreign.credential.id}`);
    expect([answer.status, detailOf(answer)]).toEqual([404, 'The credential was not found.']);
    for (const { key } of [ofServer, foreign, own]) {
      expect((await server.client({ 'x-api-key': key }).get('/api/v1/server-alert')).status).not.toBe(401);
    }
  });
});

/** The key of an account of the tenant with these permissions. */
async function caller(permissions: readonly PermissionDefinition[], scope: Scope, tenantId: string | null = tenant.id): Promise<string> {
  const { account, key } = await createServiceAccountWithKey(server, tenantId === null ? {} : { tenantId });
  await grantAll(server, holder.serviceAccount(account), permissions, scope);
  return key;
}

describe('a caller that creates a credential', () => {
  const create = (path: string, key: string): Promise<ApiAnswer> =>
    server.client({ 'x-api-key': key }).post(`${path}/credentials`, { body: { name: 'Mine' } });

  it('must hold everything that an account of the tenant holds', async () => {
    const target = await createServiceAccountWithKey(server, { tenantId: tenant.id });
    const path = `${ofTenant()}/${target.account.id}`;
    const poor = await caller([Permission.ServiceAccountRotateCredentials], at.tenant(tenant));
    expect((await create(path, poor)).status).toBe(200);
    const principal = holder.serviceAccount(target.account);
    await grant(server, { principal, permission: Permission.TenantUsersWrite, scope: at.tenant(tenant) });
    const refused = await create(path, poor);
    expect([refused.status, detailOf(refused)]).toEqual([
      403,
      'Creating a credential of a service account lets you act as that account. It holds tenant.users.write, which you do not hold to the same extent.',
    ]);
    const rich = await caller([Permission.ServiceAccountRotateCredentials, Permission.TenantUsersWrite], at.tenant(tenant));
    expect((await create(path, rich)).status).toBe(200);
    expect((await create(path, ROOT_KEY)).status).toBe(200);
    // Disabled and denied permissions do not count.
    await grant(server, { principal, permission: Permission.TenantUsersWrite, scope: at.tenant(tenant), effect: PermissionEffect.Deny });
    expect((await create(path, poor)).status).toBe(200);
  });

  it('may create one for itself', async () => {
    const { account, key } = await createServiceAccountWithKey(server, { tenantId: tenant.id });
    await grantAll(
      server,
      holder.serviceAccount(account),
      [Permission.ServiceAccountRotateCredentials, Permission.TenantUsersWrite],
      at.tenant(tenant),
    );
    expect((await create(`${ofTenant()}/${account.id}`, key)).status).toBe(200);
  });

  it('must hold everything that a Restricted server account holds, and may create one for an Unrestricted account with server.permissions.write', async () => {
    const restricted = await createServiceAccountWithKey(server);
    const unrestricted = await createServiceAccountWithKey(server, { accessMode: ServiceAccountAccessMode.Unrestricted });
    const pathOf = ({ account }: typeof restricted): string => `/api/v1/server-service-accounts/${account.id}`;
    const rotates = await caller([Permission.ServerServiceAccountsRotateCredentials], at.server, null);
    expect((await create(pathOf(restricted), rotates)).status).toBe(200);
    await grant(server, {
      principal: holder.serviceAccount(restricted.account),
      permission: Permission.ServerTenantsWrite,
      scope: at.server,
    });
    expect((await create(pathOf(restricted), rotates)).status).toBe(403);
    const refused = await create(pathOf(unrestricted), rotates);
    expect([refused.status, detailOf(refused)]).toEqual([
      403,
      'An Unrestricted account bypasses every check: creating a credential for one also requires server.permissions.write.',
    ]);
    const administrator = await caller(
      [Permission.ServerServiceAccountsRotateCredentials, Permission.ServerPermissionsWrite],
      at.server,
      null,
    );
    expect((await create(pathOf(unrestricted), administrator)).status).toBe(200);
    expect((await create(pathOf(unrestricted), ROOT_KEY)).status).toBe(200);
  });

  it('cannot delete its own account', async () => {
    const { account, key } = await createServiceAccountWithKey(server, { tenantId: tenant.id });
    await grant(server, {
      principal: holder.serviceAccount(account),
      permission: Permission.ServiceAccountWrite,
      scope: at.tenant(tenant),
    });
    const answer = await server.client({ 'x-api-key': key }).delete(`${ofTenant()}/${account.id}`);
    expect([answer.status, detailOf(answer)]).toEqual([403, 'A service account cannot delete itself.']);
    expect(
      await server.dataSource.manager.countBy(PermissionAssignment, {
        principalKind: PermissionPrincipalKind.ServiceAccount,
        principalId: account.id,
      }),
    ).toBe(1);
  });
});
