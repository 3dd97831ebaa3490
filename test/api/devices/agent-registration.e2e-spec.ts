import { randomBytes } from 'node:crypto';

import { beforeEach, describe, expect, it } from 'vitest';

import { AuthorizationChangeLog } from '../../../src/access/authorization/change-log/change-log.entity.js';
import { Permission, PermissionEffect } from '../../../src/access/authorization/permissions/permission.js';
import type { DeviceResponseDto } from '../../../src/devices/devices/device.dto.js';
import { Device } from '../../../src/devices/devices/device.entity.js';
import {
  InstallerKey,
  InstallerKeyCreatorKind,
  InstallerKeyType,
  InstallerKeyUsage,
} from '../../../src/devices/installer-keys/installer-key.entity.js';
import { DeviceTag, Tag, TagType } from '../../../src/devices/tags/tag.entity.js';
import { ServiceAccount, ServiceAccountAccessMode } from '../../../src/people/service-accounts/service-account.entity.js';
import { User } from '../../../src/people/users/user.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { hashSecret, newSecret } from '../../../src/platform/common/identifiers/secret.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import type { ApiAnswer } from '../../support/application/api-client.js';
import { changesOf, wrongFieldsOf } from '../../support/callers/callers.js';
import {
  at,
  createCustomer,
  createDevice,
  createDeviceGroup,
  createServiceAccountWithKey,
  createTenant,
  createUser,
  grant,
  holder,
} from '../../support/fixtures/factories.js';
import { testServer } from '../../support/setup/test-server.js';

const PATH = '/api/agent/devices';
/** The one refusal for all problems with keys, creators, customers and tags. */
const SENTENCE = 'The device cannot be registered with this installer key.';
const publicKey = (): string => randomBytes(32).toString('base64');

interface PlainKey {
  readonly id: string;
  readonly secret: string;
}

describe('agent registration', () => {
  const server = testServer();
  let tenant: Tenant;
  let user: User;

  beforeEach(async () => {
    tenant = await createTenant(server);
    user = await createUser(server, { tenantId: tenant.id });
  });

  async function createKey(values: Partial<InstallerKey> = {}): Promise<PlainKey> {
    const secret = newSecret();
    const id = newGuid();
    await server.dataSource.manager.insert(InstallerKey, {
      id,
      tenantId: tenant.id,
      creatorId: user.id,
      creatorKind: InstallerKeyCreatorKind.User,
      keyType: InstallerKeyType.Persistent,
      allowedUses: null,
      expiration: null,
      friendlyName: null,
      hashedSecret: hashSecret(secret),
      ...values,
    });
    return { id, secret };
  }

  function report(values: object = {}): object {
    return {
      id: newGuid(),
      tenantId: tenant.id,
      name: 'PC-1',
      agentVersion: '1.2.3.4',
      is64Bit: true,
      osArchitecture: 1,
      osDescription: 'Linux 6.1',
      platform: 2,
      processorCount: 8,
      cpuUtilization: 0.25,
      totalMemory: 16,
      totalStorage: 512,
      usedMemory: 8,
      usedStorage: 100,
      currentUsers: ['ann'],
      macAddresses: ['00AABBCCDDEE'],
      localIpV4: '10.0.0.1',
      localIpV6: 'fe80::1',
      drives: [
        { driveType: 'Fixed', rootDirectory: '/', name: '/', driveFormat: 'ext4', freeSpace: 412, totalSize: 512, volumeLabel: 'root' },
      ],
      dnsHostName: 'pc-1.example.org',
      ...values,
    };
  }

  function register(key: PlainKey, device: object, rest: object = {}, headers: Record<string, string> = {}): Promise<ApiAnswer> {
    const body = { device, installerKeyId: key.id, installerKeySecret: key.secret, tagIds: null, publicKey: publicKey(), ...rest };
    return server.client(headers).post(PATH, { body });
  }

  const row = (id: string): Promise<Device> => server.dataSource.manager.findOneByOrFail(Device, { id });
  const tagsOf = async (deviceId: string): Promise<string[]> =>
    (await server.dataSource.manager.findBy(DeviceTag, { deviceId })).map(({ tagId }) => tagId).sort();

  async function createTags(...names: string[]): Promise<Tag[]> {
    const tags = names.map((name) => ({ id: newGuid(), tenantId: tenant.id, name, type: TagType.Permission, createdAt: new Date() }));
    await server.dataSource.manager.insert(Tag, tags);
    return tags;
  }

  const allow = (permission = Permission.AgentInstall) =>
    grant(server, { principal: holder.user(user), permission, scope: at.tenant(tenant) });

  it('adds an offline device to the tenant of the key, with its address, and logs who added it', async () => {
    const key = await createKey({ keyType: InstallerKeyType.UsageBased, allowedUses: 2, expiration: new Date(Date.now() + 60_000) });
    const id = newGuid();
    const stored = publicKey();
    const elsewhere = await createTenant(server);
    const answer = await register(
      key,
      report({ id, tenantId: elsewhere.id }),
      { publicKey: stored },
      { 'x-forwarded-for': '198.51.100.7' },
    );
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      id,
      tenantId: tenant.id,
      name: 'PC-1',
      isOnline: false,
      connectionId: '',
      publicIpV4: '198.51.100.7',
      publicIpV6: '',
      alias: '',
      tagIds: null,
      customerId: null,
      drives: [{ driveType: 'Fixed', totalSize: 512 }],
    });
    expect(answer.text).not.toContain(stored);
    expect(await row(id)).toMatchObject({ publicKey: stored, lastUpdateTicks: '0', nodeId: null });

    const { manager } = server.dataSource;
    expect(await manager.findBy(InstallerKeyUsage, { installerKeyId: key.id })).toMatchObject([
      { deviceId: id, tenantId: tenant.id, remoteIpAddress: '198.51.100.7' },
    ]);
    const log = await manager.findBy(AuthorizationChangeLog, { targetId: id });
    expect(log).toMatchObject([
      { actionType: 'device-registered', actorPrincipalType: 'system', owningTenantId: tenant.id, ipAddress: '198.51.100.7' },
    ]);
    expect(log[0].afterJson).toContain(key.id);
    expect((await server.client().get(`/api/v1/devices/${id}`)).body).toEqual(answer.body);
  });

  it('accepts requests of older agents: the other path, names in any case, nulls, no public key', async () => {
    const key = await createKey();
    const id = newGuid();
    const device = { Id: id, TENANTID: tenant.id, name: null, drives: null, currentUsers: null, platform: 'Windows', is64Bit: true };
    const body = { Device: device, InstallerKeyId: key.id.toUpperCase(), installerkeysecret: key.secret };
    const answer = await server.client({ 'x-api-key': 'ignored' }).post('/api/devices', { body });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ id, name: '', drives: [], currentUsers: [], platform: 1 });
    expect(await row(id)).toMatchObject({ publicKey: '' });
    expect((await register(key, report(), { publicKey: '' })).status).toBe(200);
  });

  it('cuts values that are too long for their column', async () => {
    const id = newGuid();
    const answer = await register(
      await createKey(),
      report({ id, name: 'n'.repeat(500), osDescription: 'o'.repeat(1000), currentUsers: ['a\0\ud800'] }),
    );
    expect(answer.status).toBe(200);
    expect(await row(id)).toMatchObject({ name: 'n'.repeat(100), osDescription: 'o'.repeat(300), currentUsers: ['a'] });
  });

  describe('answers 400 with the same message', () => {
    it('for every unusable key', async () => {
      const good = await createKey();
      const table: [string, PlainKey][] = [
        ['unknown', { id: newGuid(), secret: good.secret }],
        ['zero', { id: '00000000-0000-0000-0000-000000000000', secret: '' }],
        ['wrong secret', { id: good.id, secret: newSecret() }],
        ['empty secret', { id: good.id, secret: '' }],
        ['expired', await createKey({ keyType: InstallerKeyType.TimeBased, expiration: new Date(Date.now() - 1_000) })],
        [
          'exhausted',
          await createKey({
            keyType: InstallerKeyType.UsageBased,
            allowedUses: 1,
            usageCount: 1,
            expiration: new Date(Date.now() + 60_000),
          }),
        ],
      ];
      for (const [what, key] of table) {
        const id = newGuid();
        const answer = await register(key, report({ id }));
        expect([what, answer.status, answer.body]).toEqual([
          what,
          400,
          { type: 'about:blank', title: 'Invalid request.', status: 400, detail: SENTENCE },
        ]);
        expect(await server.dataSource.manager.existsBy(Device, { id })).toBe(false);
      }
    });

    it('for tags of another tenant, without using up the key', async () => {
      await allow(Permission.DeviceTagsWrite);
      const key = await createKey();
      const answer = await register(key, report(), { tagIds: [newGuid()] });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ detail: SENTENCE });
      expect(await server.dataSource.manager.countBy(InstallerKeyUsage, { installerKeyId: key.id })).toBe(0);
    });

    it('for a known device when the creator of the key is deleted, disabled or suspended', async () => {
      const device = await createDevice(server, { tenantId: tenant.id });
      const { account } = await createServiceAccountWithKey(server, { tenantId: tenant.id });
      await grant(server, { principal: holder.serviceAccount(account), permission: Permission.AgentInstall, scope: at.tenant(tenant) });
      const ofAccount = await createKey({ creatorId: account.id, creatorKind: InstallerKeyCreatorKind.TenantServiceAccount });
      const { manager } = server.dataSource;
      expect((await register(ofAccount, report({ id: device.id }))).status).toBe(200);
      await manager.update(ServiceAccount, { id: account.id }, { isEnabled: false });
      expect((await register(ofAccount, report({ id: device.id }))).status).toBe(400);
      expect((await register(ofAccount, report())).status).toBe(200);
      const ofUser = await createKey();
      await allow(Permission.AgentInstall);
      expect((await register(ofUser, report({ id: device.id }))).status).toBe(200);
      await manager.update(User, { id: user.id }, { suspendedAt: new Date() });
      expect((await register(ofUser, report({ id: device.id }))).status).toBe(400);
      expect((await register(ofUser, report())).status).toBe(200);
      await manager.delete(User, { id: user.id });
      expect((await register(ofUser, report({ id: device.id }))).status).toBe(400);
      expect((await register(ofUser, report())).status).toBe(400);
    });
  });

  it.each([
    ['no object', [], '$'],
    ['no device', { installerKeyId: newGuid() }, 'device'],
    ['a device without id', { device: { name: 'x' } }, 'device.id'],
    ['a device id of zeros', { device: { id: '00000000-0000-0000-0000-000000000000' } }, 'device.id'],
    ['a malformed device id', { device: { id: 'x' } }, 'device.id'],
    ['a malformed key id', { device: { id: newGuid() }, installerKeyId: 'x' }, 'installerKeyId'],
    ['a number as name', { device: { id: newGuid(), name: 5 } }, 'device.name'],
    ['an unknown platform', { device: { id: newGuid(), platform: 99 } }, 'device.platform'],
    ['no list of tags', { device: { id: newGuid() }, tagIds: 'x' }, 'tagIds'],
    ['a malformed customer', { device: { id: newGuid() }, customerId: 'x' }, 'customerId'],
    ['a public key that is not base64', { device: { id: newGuid() }, publicKey: '!'.repeat(44) }, 'publicKey'],
    ['a short public key', { device: { id: newGuid() }, publicKey: randomBytes(31).toString('base64') }, 'publicKey'],
    ['a long public key', { device: { id: newGuid() }, publicKey: randomBytes(33).toString('base64') }, 'publicKey'],
  ])('refuses %s', async (_what, body, field) => {
    for (const path of [PATH, '/api/devices']) {
      const answer = await server.client({}).post(path, { body });
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual(expect.objectContaining({ errors: { [field]: [expect.any(String)] } }));
    }
  });

  it('explains that the device is missing', async () => {
    const answer = await server.client({}).post(PATH, { body: { installerKeyId: newGuid() } });
    expect(answer.body).toMatchObject({ errors: { device: ['device is required.'] } });
  });

  describe('of a known device', () => {
    it('requires the key’s creator to hold agent.install on it, then replaces its public key and resets the replay guard', async () => {
      const group = await createDeviceGroup(server, { tenantId: tenant.id });
      const customer = await createCustomer(server, { tenantId: tenant.id });
      const device = await createDevice(server, {
        tenantId: tenant.id,
        customerId: customer.id,
        groups: [group],
        publicKey: publicKey(),
        lastUpdateTicks: '900000000000000000',
        isOnline: true,
        connectionId: 'c',
        nodeId: 'n',
        alias: 'kept',
        publicIpV6: '2001:db8::1',
      });
      const key = await createKey();
      expect((await register(key, report({ id: device.id }))).status).toBe(403);
      expect(await row(device.id)).toMatchObject({ publicKey: device.publicKey, name: device.name });
      expect(await server.dataSource.manager.countBy(InstallerKeyUsage, { installerKeyId: key.id })).toBe(0);

      await allow();
      const replaced = publicKey();
      const answer = await register(key, report({ id: device.id, name: null }), { publicKey: replaced });
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ name: device.name, alias: 'kept', customerId: customer.id, isOnline: false, connectionId: '' });
      expect(await row(device.id)).toMatchObject({
        publicKey: replaced,
        lastUpdateTicks: '0',
        publicIpV4: '127.0.0.1',
        publicIpV6: '2001:db8::1',
        nodeId: null,
      });
      expect((await register(key, report({ id: device.id }), { publicKey: null })).status).toBe(200);
      expect(await row(device.id)).toMatchObject({ publicKey: replaced });

      await grant(server, {
        principal: holder.user(user),
        permission: Permission.AgentInstall,
        scope: at.deviceGroup(group),
        effect: PermissionEffect.Deny,
      });
      expect((await register(key, report({ id: device.id }))).status).toBe(403);
    });

    it('is refused with 403 in another tenant, and nothing changes', async () => {
      await allow();
      const elsewhere = await createTenant(server);
      const device = await createDevice(server, { tenantId: elsewhere.id, publicKey: publicKey() });
      const answer = await register(await createKey(), report({ id: device.id }));
      expect(answer.status).toBe(403);
      expect(await row(device.id)).toMatchObject({ tenantId: elsewhere.id, publicKey: device.publicKey, name: device.name });
    });

    it('is let through for an Unrestricted server account that is enabled', async () => {
      const device = await createDevice(server, { tenantId: tenant.id });
      const { account } = await createServiceAccountWithKey(server, { accessMode: ServiceAccountAccessMode.Unrestricted });
      const key = await createKey({ creatorId: account.id, creatorKind: InstallerKeyCreatorKind.ServerServiceAccount });
      const [tag] = await createTags('of server');
      expect((await register(key, report({ id: device.id }), { tagIds: [tag.id] })).body).toMatchObject({ tagIds: [tag.id] });
      await server.dataSource.manager.update(ServiceAccount, { id: account.id }, { isEnabled: false });
      expect((await register(key, report({ id: device.id }))).status).toBe(400);
    });
  });

  it('sets tags if the creator may: null keeps them, an empty list removes them', async () => {
    const [red, blue] = await createTags('red', 'blue');
    const key = await createKey();
    const id = newGuid();
    expect((await register(key, report({ id }), { tagIds: [red.id] })).status).toBe(403);
    expect((await register(key, report({ id }), { tagIds: [] })).status).toBe(200);
    await allow();
    expect((await register(key, report({ id }), { tagIds: [red.id] })).status).toBe(403);

    await allow(Permission.DeviceTagsWrite);
    const set = await register(key, report({ id }), { tagIds: [red.id, blue.id, red.id] });
    expect(set.status).toBe(200);
    expect(await tagsOf(id)).toEqual([red.id, blue.id].sort());
    expect((await register(key, report({ id }), { tagIds: null })).body).toMatchObject({ tagIds: [red.id, blue.id].sort() });
    expect((await register(key, report({ id }), { tagIds: [blue.id] })).body).toMatchObject({ tagIds: [blue.id] });

    expect((await register(key, report({ id }), { tagIds: [] })).body).toMatchObject({ tagIds: null });
    expect(await tagsOf(id)).toEqual([]);

    await register(key, report({ id }), { tagIds: [red.id] });
    const principal = holder.user(user);
    await grant(server, { principal, permission: Permission.DeviceTagsWrite, scope: at.tenant(tenant), effect: PermissionEffect.Deny });
    expect((await register(key, report({ id }), { tagIds: [] })).status).toBe(403);
    expect(await tagsOf(id)).toEqual([red.id]);
  });

  describe('for a customer', () => {
    it('adds the device to it, and considers the creator’s permissions there', async () => {
      const customer = await createCustomer(server, { tenantId: tenant.id });
      const [red] = await createTags('red');
      const key = await createKey();
      const id = newGuid();
      expect((await register(key, report({ id }), { customerId: customer.id, tagIds: [red.id] })).status).toBe(403);
      await grant(server, { principal: holder.user(user), permission: Permission.DeviceTagsWrite, scope: at.customer(customer) });
      const answer = await register(key, report({ id }), { customerId: customer.id.toUpperCase(), tagIds: [red.id] });
      expect(answer.as<DeviceResponseDto>()).toMatchObject({ customerId: customer.id, customerName: customer.name, tagIds: [red.id] });
      expect(await changesOf(server, id)).toMatchObject([{ action: 'device-registered', after: { customerId: customer.id } }]);
    });

    it('keeps a known device’s customer when none is named, and sets its first one if the creator may', async () => {
      const customer = await createCustomer(server, { tenantId: tenant.id });
      const { id } = await createDevice(server, { tenantId: tenant.id });
      const key = await createKey();
      await allow();
      await allow(Permission.TenantCustomersWrite);
      expect((await register(key, report({ id }), { customerId: customer.id })).status).toBe(403);
      expect((await row(id)).customerId).toBeNull();
      await allow(Permission.DeviceRead);
      expect((await register(key, report({ id }), { customerId: customer.id })).status).toBe(200);
      for (const rest of [{}, { customerId: null }, { customerId: customer.id }]) {
        expect((await register(key, report({ id }), rest)).body).toMatchObject({ customerId: customer.id });
      }
    });

    it('never moves a device away from its customer', async () => {
      const [theirs, other] = [
        await createCustomer(server, { tenantId: tenant.id }),
        await createCustomer(server, { tenantId: tenant.id }),
      ];
      const { id } = await createDevice(server, { tenantId: tenant.id, customerId: theirs.id });
      const { account } = await createServiceAccountWithKey(server, { accessMode: ServiceAccountAccessMode.Unrestricted });
      const key = await createKey({ creatorId: account.id, creatorKind: InstallerKeyCreatorKind.ServerServiceAccount });
      expect((await register(key, report({ id }), { customerId: other.id })).status).toBe(403);
      expect((await row(id)).customerId).toBe(theirs.id);
    });

    it('refuses a customer of another tenant like an unknown one, without using up the key', async () => {
      const foreign = await createCustomer(server, { tenantId: (await createTenant(server)).id });
      const key = await createKey();
      for (const customerId of [foreign.id, newGuid()]) {
        const answer = await register(key, report(), { customerId });
        expect(answer.status).toBe(400);
        expect(answer.body).toMatchObject({ detail: SENTENCE });
      }
      expect(await server.dataSource.manager.countBy(InstallerKeyUsage, { installerKeyId: key.id })).toBe(0);
    });
  });

  it('never uses a key more often than allowed, also by parallel registrations', async () => {
    const key = await createKey({ keyType: InstallerKeyType.UsageBased, allowedUses: 5, expiration: new Date(Date.now() + 60_000) });
    const answers = await Promise.all(Array.from({ length: 20 }, (_none, n) => register(key, report({ name: `parallel ${n}` }))));
    const statuses = answers.map(({ status }) => status).sort((one, other) => one - other);
    expect(statuses).toEqual([...Array<number>(5).fill(200), ...Array<number>(15).fill(400)]);
    expect(await server.dataSource.manager.countBy(Device, { tenantId: tenant.id })).toBe(5);
    // A late attempt deletes the spent key with its history, perhaps already one of the twenty.
    expect((await register(key, report())).status).toBe(400);
    expect(await server.dataSource.manager.existsBy(InstallerKey, { id: key.id })).toBe(false);
    expect(await server.dataSource.manager.countBy(InstallerKeyUsage, { tenantId: tenant.id })).toBe(0);
  });

  it('stores one row for a device that registers twice at once', async () => {
    await allow();
    const key = await createKey();
    const id = newGuid();
    const answers = await Promise.all(Array.from({ length: 10 }, () => register(key, report({ id }))));
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(10).fill(200));
    expect(await server.dataSource.manager.countBy(Device, { id })).toBe(1);
    expect(await server.dataSource.manager.countBy(InstallerKeyUsage, { deviceId: id })).toBe(10);
  });

  describe('the check of a key before it', () => {
    let address = 0;
    /** From another address each time, unless one is named: they are limited. */
    const check = (key: PlainKey, from = `203.0.113.${++address}`): Promise<ApiAnswer> =>
      server
        .client({ 'x-forwarded-for': from })
        .post('/api/agent/installer-keys/check', { body: { installerKeyId: key.id, installerKeySecret: key.secret } });
    const soon = (): Date => new Date(server.clock.milliseconds() + 60_000);

    it('does not use the key up', async () => {
      const key = await createKey({ keyType: InstallerKeyType.UsageBased, allowedUses: 1, expiration: soon() });
      for (let time = 1; time <= 3; time += 1) {
        const { status, text } = await check(key);
        expect([status, text]).toEqual([204, '']);
      }
      expect(await server.dataSource.manager.countBy(InstallerKeyUsage, { installerKeyId: key.id })).toBe(0);
      expect((await register(key, report())).status).toBe(200);
    });

    it('answers the same to unknown, foreign, used-up and expired keys, and deletes none', async () => {
      const used = await createKey({ keyType: InstallerKeyType.UsageBased, allowedUses: 1, expiration: soon(), usageCount: 1 });
      const expired = await createKey({ keyType: InstallerKeyType.TimeBased, expiration: new Date(server.clock.milliseconds() - 1000) });
      const key = await createKey();
      const orphan = await createKey({ creatorId: newGuid() });
      const wrong = [
        { id: newGuid(), secret: key.secret },
        { id: key.id, secret: 'guessed' },
        { id: key.id, secret: '' },
        used,
        expired,
        orphan,
      ];
      const answers = await Promise.all(wrong.map((one) => check(one)));
      const refusals = answers.map(({ status, body }) => {
        const { traceId: _, instance: _instance, ...rest } = body as Record<string, unknown>;
        return { status, rest };
      });
      expect(refusals[0]).toMatchObject({ status: 404, rest: { title: 'Not found.' } });
      for (const refusal of refusals) expect(refusal).toEqual(refusals[0]);
      expect(await server.dataSource.manager.countBy(InstallerKey, { tenantId: tenant.id })).toBe(4);
      for (const { id } of [used, expired]) expect(await changesOf(server, id)).toEqual([]);
    });

    it('is refused to those who ask too often, by address', async () => {
      const key = await createKey();
      for (let request = 1; request <= 20; request += 1) expect((await check(key, '198.51.100.9')).status).toBe(204);
      const refused = await check(key, '198.51.100.9');
      expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
      expect((await check(key, '198.51.100.10')).status).toBe(204);
    });

    it.each<[string, unknown, string]>([
      ['no secret', { installerKeyId: newGuid() }, 'installerKeySecret'],
      ['no id', { installerKeySecret: 's' }, 'installerKeyId'],
      ['a malformed id', { installerKeyId: 'x', installerKeySecret: 's' }, 'installerKeyId'],
      ['a number as secret', { installerKeyId: newGuid(), installerKeySecret: 5 }, 'installerKeySecret'],
      ['a very long secret', { installerKeyId: newGuid(), installerKeySecret: 's'.repeat(1025) }, 'installerKeySecret'],
    ])('refuses %s', async (_, body, field) => {
      const answer = await server.client({ 'x-forwarded-for': '198.51.100.11' }).post('/api/agent/installer-keys/check', { body });
      expect([answer.status, wrongFieldsOf(answer)]).toEqual([400, [field]]);
    });
  });
});
