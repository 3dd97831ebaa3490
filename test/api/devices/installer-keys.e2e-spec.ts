import { describe, expect, it } from 'vitest';

import { SYSTEM } from '../../../src/access/authentication/principals/principal.js';
import type { RequestContext } from '../../../src/access/authentication/principals/request-context.js';
import { AuthorizationChangeLog } from '../../../src/access/authorization/change-log/change-log.entity.js';
import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { InstallerKeyRedemption } from '../../../src/devices/installer-keys/installer-key-redemption.js';
import type {
  CreateInstallerKeyResponseDto,
  InstallerKeysResponseDto,
  InstallerKeyUsagesResponseDto,
} from '../../../src/devices/installer-keys/installer-key.dto.js';
import { InstallerKey, InstallerKeyUsage } from '../../../src/devices/installer-keys/installer-key.entity.js';
import { InstallerKeysService } from '../../../src/devices/installer-keys/installer-keys.service.js';
import { PersonalAccessTokenPermissionMode } from '../../../src/people/personal-access-tokens/personal-access-token.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { UnitOfWork } from '../../../src/platform/database/queries/unit-of-work.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import type { ApiClient } from '../../support/application/api-client.js';
import {
  at,
  createPersonalAccessToken,
  createServiceAccountWithKey,
  createUser,
  grantAll,
  holder,
} from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

const PATH = '/api/v1/installer-keys';
const DAY_MS = 24 * 60 * 60 * 1000;

describe('installer keys', () => {
  const server = testServer();
  const tenant = testTenant(server);

  const create = (client: ApiClient, body: object) => client.post(PATH, { body: { tenantId: tenant.id, ...body } });

  async function created(client: ApiClient, body: object): Promise<CreateInstallerKeyResponseDto> {
    return (await create(client, body)).as<CreateInstallerKeyResponseDto>();
  }

  async function listed(client: ApiClient): Promise<InstallerKeysResponseDto['items']> {
    return (await client.get(PATH, { query: { tenantId: tenant.id } })).as<InstallerKeysResponseDto>().items;
  }

  /** A caller of a tenant with the permissions to read and write its own keys, or all keys. */
  async function keeper(of: Tenant, options: { readonly managesAll?: boolean } = {}): Promise<ApiClient> {
    const { account, key } = await createServiceAccountWithKey(server, { tenantId: of.id });
    const permissions = [Permission.InstallerKeyRead, Permission.InstallerKeyWrite];
    if (options.managesAll) permissions.push(Permission.InstallerKeyManageAll);
    await grantAll(server, holder.serviceAccount(account), permissions, at.tenant(of));
    return server.client({ 'x-api-key': key });
  }

  function systemContext(): RequestContext {
    return { principal: SYSTEM, tenantId: null, requestId: 'test', remoteAddress: null, manager: server.dataSource.manager };
  }

  function consume({ id, keySecret }: Pick<CreateInstallerKeyResponseDto, 'id' | 'keySecret'>): Promise<boolean> {
    return server.app
      .get(UnitOfWork)
      .run(systemContext(), (tx) => server.app.get(InstallerKeyRedemption).consume(tx, id, keySecret, newGuid(), '192.0.2.1'));
  }

  it('have three types, and show their secret once', async () => {
    const client = await keeper(tenant);
    const future = new Date(server.clock.milliseconds() + 3 * DAY_MS).toISOString();

    const usageBased = await created(client, { keyType: 'usagebased', allowedUses: 5, expiration: future, friendlyName: 'five' });
    expect(usageBased).toMatchObject({ keyType: 'UsageBased', allowedUses: 5, friendlyName: 'five' });
    const lifetime = Date.parse(String(usageBased.expiration)) - Date.parse(String(usageBased.createdAt));
    expect(Math.abs(lifetime - DAY_MS)).toBeLessThan(60_000);
    expect(usageBased.keySecret).toMatch(/^[\w-]{86}$/);

    const timeBased = await created(client, { keyType: 2, expiration: future });
    expect(timeBased).toMatchObject({ keyType: 'TimeBased', allowedUses: null, expiration: future, friendlyName: null });
    const persistent = await created(client, { keyType: 'Persistent', expiration: future });
    expect(persistent).toMatchObject({ keyType: 'Persistent', allowedUses: null, expiration: null });

    const items = await listed(client);
    expect(items.map(({ id }) => id)).toEqual([usageBased.id, timeBased.id, persistent.id]);
    expect(JSON.stringify(items)).not.toContain(usageBased.keySecret);
    const stored = await server.dataSource.manager.findOneByOrFail(InstallerKey, { id: usageBased.id });
    expect(JSON.stringify(stored)).not.toContain(usageBased.keySecret);
    const log = await server.dataSource.manager.findBy(AuthorizationChangeLog, { targetId: usageBased.id });
    expect(log).toMatchObject([{ actionType: 'installer-key-created', targetType: 'InstallerKey', owningTenantId: tenant.id }]);
    expect(JSON.stringify(log)).not.toContain(usageBased.keySecret);
  });

  it.each([
    ['Unknown', { keyType: 'Unknown' }, 'keyType'],
    ['type 0', { keyType: 0 }, 'keyType'],
    ['type 4', { keyType: 4 }, 'keyType'],
    ['a TimeBased key without expiration', { keyType: 'TimeBased' }, 'expiration'],
    ['a TimeBased key of the past', { keyType: 'TimeBased', expiration: '2020-01-01T00:00:00Z' }, 'expiration'],
    ['an expiration that is not a time', { keyType: 'TimeBased', expiration: 'tomorrow' }, 'expiration'],
    ['a UsageBased key without uses', { keyType: 'UsageBased', allowedUses: 0 }, 'allowedUses'],
    ['uses of a TimeBased key', { keyType: 'TimeBased', expiration: '2999-01-01T00:00:00Z', allowedUses: 1 }, 'allowedUses'],
    ['uses of a Persistent key', { keyType: 'Persistent', allowedUses: 5 }, 'allowedUses'],
    ['negative uses', { keyType: 'UsageBased', allowedUses: -1 }, 'allowedUses'],
    ['half a use', { keyType: 'UsageBased', allowedUses: 0.5 }, 'allowedUses'],
  ])('refuses %s', async (_what, body, field) => {
    const answer = await create(server.client(), body);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(expect.objectContaining({ errors: { [field]: [expect.any(String)] } }));
  });

  it.each([null, 0])('of a type that does not count uses accept %j for them', async (allowedUses) => {
    const expiration = new Date(server.clock.milliseconds() + DAY_MS).toISOString();
    for (const body of [{ keyType: 'Persistent' }, { keyType: 'TimeBased', expiration }]) {
      expect(await created(server.client(), { ...body, allowedUses })).toMatchObject({ ...body, allowedUses: null });
    }
  });

  it('are accessible to their creator, to callers with manage-all, and to the Unrestricted account', async () => {
    const [creator, other, manager] = [await keeper(tenant), await keeper(tenant), await keeper(tenant, { managesAll: true })];
    const key = await created(creator, { keyType: 'Persistent', friendlyName: 'mine' });
    const query = { tenantId: tenant.id };
    const idsOf = async (client: ApiClient): Promise<string[]> => (await listed(client)).map(({ id }) => id);

    expect(await idsOf(creator)).toEqual([key.id]);
    expect(await idsOf(other)).toEqual([]);
    expect(await idsOf(manager)).toContain(key.id);
    expect(await idsOf(server.client())).toContain(key.id);

    const body = { friendlyName: 'renamed' };
    expect((await other.put(`${PATH}/${key.id}`, { query, body })).status).toBe(403);
    expect((await other.get(`${PATH}/${key.id}/usages`, { query })).status).toBe(403);
    expect((await other.delete(`${PATH}/${key.id}`, { query })).status).toBe(403);
    expect((await other.delete(`${PATH}/${newGuid()}`, { query })).status).toBe(404);
    expect((await manager.put(`${PATH}/${key.id}`, { query, body })).status).toBe(204);
    expect((await listed(creator))[0]).toMatchObject({ friendlyName: 'renamed', usageCount: 0 });
    expect((await creator.delete(`${PATH}/${key.id}`, { query })).status).toBe(204);
    expect((await creator.delete(`${PATH}/${key.id}`, { query })).status).toBe(404);
    const log = await server.dataSource.manager.find(AuthorizationChangeLog, { where: { targetId: key.id }, order: { id: 'ASC' } });
    expect(log.map(({ actionType }) => actionType)).toEqual(['installer-key-created', 'installer-key-updated', 'installer-key-deleted']);
  });

  it.each(['', '   ', 'x'.repeat(101), null, 5])('cannot be renamed to %j', async (friendlyName) => {
    const key = await created(server.client(), { keyType: 'Persistent' });
    const answer = await server.client().put(`${PATH}/${key.id}`, { query: { tenantId: tenant.id }, body: { friendlyName } });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ errors: { friendlyName: [expect.any(String)] } });
  });

  it('show their creator, a user or a service account', async () => {
    const user = await createUser(server, { tenantId: tenant.id, userName: 'installer@example.org' });
    await grantAll(server, holder.user(user), [Permission.InstallerKeyRead, Permission.InstallerKeyWrite], at.tenant(tenant));
    const token = await createPersonalAccessToken(server, user, { permissionMode: PersonalAccessTokenPermissionMode.InheritOwner });
    const client = server.client({ 'x-personal-token': token.key });
    const key = await created(client, { keyType: 'Persistent' });
    expect(key.creatorId).toBe(user.id);
    expect(await listed(client)).toMatchObject([{ id: key.id, creatorName: 'installer@example.org' }]);
    await created(server.client(), { keyType: 'Persistent', friendlyName: 'of root' });
    expect(await listed(server.client())).toEqual(expect.arrayContaining([expect.objectContaining({ creatorName: 'root' })]));
  });

  it('are never used more often than allowed, also by parallel calls', async () => {
    const client = await keeper(tenant);
    const key = await created(client, { keyType: 'UsageBased', allowedUses: 5 });
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => consume(key)));
    expect(outcomes.filter((used) => used)).toHaveLength(5);

    // The spent key is no longer listed, but its uses can still be read.
    expect(await listed(client)).toEqual([]);
    const usages = (await client.get(`${PATH}/${key.id}/usages`, { query: { tenantId: tenant.id } })).as<InstallerKeyUsagesResponseDto>();
    expect(usages.items).toHaveLength(5);
    expect(usages.items[0]).toEqual({
      id: expect.any(String),
      deviceId: expect.any(String),
      timestamp: expect.any(String),
      remoteIpAddress: '192.0.2.1',
    });
  });

  it('are refused with a wrong secret or id and after they expired, and are then deleted', async () => {
    const keys = server.app.get(InstallerKeyRedemption);
    const key = await created(server.client(), { keyType: 'UsageBased' });
    expect(await keys.check(systemContext(), key.id, 'wrong')).toBeNull();
    expect(await keys.check(systemContext(), newGuid(), key.keySecret)).toBeNull();
    expect(await consume({ id: key.id, keySecret: 'wrong' })).toBe(false);
    expect(await keys.check(systemContext(), key.id, key.keySecret)).toMatchObject({ id: key.id, tenantId: tenant.id });
    expect(await consume(key)).toBe(true);

    server.clock.advance(DAY_MS + 1_000);
    expect(await consume(key)).toBe(false);
    expect((await listed(server.client())).map(({ id }) => id)).not.toContain(key.id);
    const { manager } = server.dataSource;
    expect(await manager.existsBy(InstallerKey, { id: key.id })).toBe(true);
    expect(await keys.check(systemContext(), key.id, key.keySecret)).toBeNull();
    expect(await manager.existsBy(InstallerKey, { id: key.id })).toBe(false);
    expect(await manager.existsBy(InstallerKeyUsage, { installerKeyId: key.id })).toBe(false);
    const log = await manager.findBy(AuthorizationChangeLog, { targetId: key.id, actionType: 'installer-key-expired' });
    expect(log).toMatchObject([{ actorPrincipalType: 'system', actorPrincipalId: null }]);
  });

  it('keep their uses for the configured time', async () => {
    const key = await created(server.client(), { keyType: 'Persistent' });
    const query = { tenantId: tenant.id };
    await consume(key);
    server.clock.advance(91 * DAY_MS);
    await consume(key);
    const usages = (await server.client().get(`${PATH}/${key.id}/usages`, { query })).as<InstallerKeyUsagesResponseDto>();
    expect(usages.items).toHaveLength(1);
    expect((await listed(server.client())).find(({ id }) => id === key.id)).toMatchObject({ usageCount: 1 });
    const { manager } = server.dataSource;
    expect(await manager.countBy(InstallerKeyUsage, { installerKeyId: key.id })).toBe(2);
    const keys = server.app.get(InstallerKeysService);
    expect(await keys.purgeUsages(manager, AbortSignal.abort())).toBe(0);
    expect(await keys.purgeUsages(manager, new AbortController().signal)).toBeGreaterThan(0);
    expect(await manager.countBy(InstallerKeyUsage, { installerKeyId: key.id })).toBe(1);
  });
});
