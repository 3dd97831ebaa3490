import { readFileSync } from 'node:fs';

import { describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { getPublicKeyAsync, utils } from '@noble/ed25519';
import { Client } from 'pg';

import { agentClient, agentHub, hubOk, Timestamp, toBase64, type DeviceUpdateRequestDto, type Encoding } from '#libs/contracts';
import { SignalRHost } from '../../libs/signalr/src/nest/signalr.module.js';

import { AuthorizationChangeLog } from '../../src/authorization/change-log.entity.js';
import { Permission } from '../../src/authorization/permission.js';
import { AGENT_HUB_PATH } from '../../src/common/hub-paths.js';
import { EMPTY_GUID, newGuid } from '../../src/common/guid.js';
import { DeviceLink } from '../../src/device-link/device-link.js';
import { DevicePresence } from '../../src/device-link/device-presence.js';
import { Device } from '../../src/devices/device.entity.js';
import { ServerNode } from '../../src/server/server-node.js';
import { createKeyedDevice, deviceReport, FakeAgent, waitOffline, type KeyedDevice } from '../support/agents.js';
import { ROOT_KEY, TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { at, createTenant, createUser, grant, holder } from '../support/factories.js';
import { stopAfterEach, testServer, testTenant } from '../support/test-server.js';
import { envelopeOf, rowOf, sendSigned, sendUnsigned, serverTime, type Envelope, type EnvelopeParts } from './agent-envelope.js';
import { buildClient } from './signalr-support.js';

const UNUSED_KEY = Buffer.alloc(32, 7).toString('base64');

/** A device that the server has never seen. */
function strangerOf(tenantId: string): KeyedDevice {
  return { id: newGuid(), tenantId, seed: utils.randomSecretKey(), publicKey: '' };
}

async function logOf(server: TestApp, targetId: string): Promise<AuthorizationChangeLog[]> {
  return server.dataSource.manager.find(AuthorizationChangeLog, { where: { targetId }, order: { createdAt: 'ASC', id: 'ASC' } });
}

describe('device updates', () => {
  const server = testServer();
  const tenant = testTenant(server);
  const keep = stopAfterEach();

  async function connected(device: KeyedDevice, encoding: Encoding = 'json'): Promise<FakeAgent> {
    return keep(await FakeAgent.connect(server, device, encoding));
  }

  async function online(device: KeyedDevice, encoding: Encoding = 'json'): Promise<FakeAgent> {
    return keep(await FakeAgent.online(server, device, encoding));
  }

  async function newDevice(values: Partial<Device> = {}): Promise<KeyedDevice> {
    return createKeyedDevice(server, tenant, values);
  }

  describe.each<Encoding>(['json', 'messagepack'])('in %s', (encoding) => {
    it('are stored and answered with the device as it stands', async () => {
      const device = await newDevice({ alias: 'Front desk', publicIpV6: '2001:db8::77' });
      const agent = await connected(device, encoding);
      const drive = {
        name: '/',
        driveType: 3,
        rootDirectory: '/',
        driveFormat: 'ext4',
        freeSpace: 400.5,
        totalSize: 512.5,
        volumeLabel: 'root',
      } as const;
      const { isSuccess, value, reason } = await sendSigned(
        agent.connection,
        await envelopeOf(server, device, { report: { drives: [drive] } }),
        encoding,
      );
      expect({ isSuccess, reason }).toEqual({ isSuccess: true, reason: null });
      expect(value).toMatchObject({
        ...deviceReport(device),
        drives: [drive],
        isOnline: true,
        alias: 'Front desk',
        connectionId: agent.connectionId,
        publicIpV4: '127.0.0.1',
        publicIpV6: '2001:db8::77',
        tagIds: null,
        customerId: null,
      });
      expect(await rowOf(server, device.id)).toMatchObject({
        name: 'workshop-pc',
        agent_version: '1.2.3.4',
        is64_bit: true,
        os_architecture: 1,
        platform: 2,
        processor_count: 4,
        cpu_utilization: 0.25,
        total_memory: 16,
        used_storage: 128.75,
        current_users: ['operator'],
        mac_addresses: ['001122AABBCC'],
        drives: [{ ...drive, driveType: 'Fixed' }],
        is_online: true,
        connection_id: agent.connectionId,
        node_id: server.app.get(ServerNode).id,
        public_key: device.publicKey,
        public_ip_v4: '127.0.0.1',
        public_ip_v6: '2001:db8::77',
      });
    });

    it('of a device without a key bring the key, and from then on only that one counts', async () => {
      const device = await newDevice({ publicKey: '' });
      const agent = await connected(device, encoding);
      expect((await sendUnsigned(agent.connection, deviceReport(device), encoding)).isSuccess).toBe(true);
      expect(await rowOf(server, device.id)).toMatchObject({ public_key: '', is_online: true });
      expect((await sendSigned(agent.connection, await envelopeOf(server, device), encoding)).isSuccess).toBe(true);
      expect(await rowOf(server, device.id)).toMatchObject({ public_key: device.publicKey });

      const other = await envelopeOf(server, device, { seed: utils.randomSecretKey(), timestamp: serverTime(server, 1_000) });
      expect(await sendSigned(agent.connection, other, encoding)).toMatchObject({ reason: 'Signature verification failed.' });
      expect(await sendUnsigned(agent.connection, deviceReport(device), encoding)).toMatchObject({
        isSuccess: false,
        value: null,
        reason: 'Device requires signed updates.',
      });
      expect(await rowOf(server, device.id)).toMatchObject({ public_key: device.publicKey });
    });
  });

  describe('that are refused change nothing', () => {
    const forged = (change: (envelope: Envelope) => void) => async (device: KeyedDevice) => {
      const envelope = await envelopeOf(server, device);
      change(envelope);
      return envelope;
    };
    const made = (parts: () => EnvelopeParts) => (device: KeyedDevice) => envelopeOf(server, device, parts());

    it.each<[string, string, (device: KeyedDevice) => Promise<Envelope>]>([
      ['a flipped bit in the signature', 'Signature verification failed.', forged(({ signature }) => void (signature[63] ^= 1))],
      [
        'a short signature',
        'Signature verification failed.',
        forged((envelope) => void (envelope.signature = envelope.signature.slice(0, 63))),
      ],
      ['an empty signature', 'Signature verification failed.', forged((envelope) => void (envelope.signature = new Uint8Array()))],
      ['another report than the signed one', 'Signature verification failed.', forged(({ dto }) => void (dto.usedMemory += 1))],
      [
        'another time than the signed one',
        'Signature verification failed.',
        forged((envelope) => void (envelope.timestamp = serverTime(server, 5))),
      ],
      [
        'another key in the envelope than the signed one',
        'Signature verification failed.',
        forged((envelope) => void (envelope.publicKey = UNUSED_KEY)),
      ],
      ['a key of its own', 'Signature verification failed.', made(() => ({ seed: utils.randomSecretKey() }))],
      ['a time in the past', 'Timestamp expired.', made(() => ({ timestamp: serverTime(server, -61_000) }))],
      ['a time in the future', 'Timestamp expired.', made(() => ({ timestamp: serverTime(server, 120_000) }))],
    ])('for %s: %s', async (_, reason, make) => {
      const device = await newDevice({ name: 'before' });
      const before = await rowOf(server, device.id);
      const agent = await connected(device);
      const result = await sendSigned(agent.connection, await make(device));
      expect(result).toEqual({ isSuccess: false, value: null, reason, errorCode: null });
      expect(await rowOf(server, device.id)).toEqual(before);
      expect(server.app.get(DevicePresence).connectionOf(device.id)).toBeUndefined();
    });

    it.each<[string, string | null, string]>([
      ['no key', null, 'Public key is required.'],
      ['an empty key', '', 'Public key is required.'],
      ['a key that is no base64', 'not base64!', 'Invalid public key format.'],
      ['a key in the URL alphabet', `${'-_'.repeat(21)}A=`, 'Invalid public key format.'],
      ['a key without its padding', UNUSED_KEY.slice(0, -1), 'Invalid public key format.'],
      ['a key of 31 bytes', Buffer.alloc(31).toString('base64'), 'Invalid public key length.'],
      ['a key of 33 bytes', Buffer.alloc(33).toString('base64'), 'Invalid public key length.'],
    ])('for a device without a stored key that names %s', async (_, publicKey, reason) => {
      const device = await newDevice({ publicKey: '' });
      const before = await rowOf(server, device.id);
      const agent = await connected(device);
      expect(await sendSigned(agent.connection, await envelopeOf(server, device, { publicKey }))).toMatchObject({
        isSuccess: false,
        reason,
      });
      expect(await rowOf(server, device.id)).toEqual(before);
    });

    it('for a device that the server has never seen', async () => {
      const stranger = strangerOf(tenant.id);
      const agent = await connected(stranger);
      expect(await sendSigned(agent.connection, await envelopeOf(server, stranger))).toMatchObject({ reason: 'Unknown device.' });
      expect(await sendUnsigned(agent.connection, deviceReport(stranger))).toMatchObject({ reason: 'Unknown device.' });
      expect(await rowOf(server, stranger.id)).toBeUndefined();
    });

    it('when they are sent again within the tolerance, on the same connection and on another', async () => {
      const device = await newDevice();
      const agent = await connected(device);
      const envelope = await envelopeOf(server, device);
      expect((await sendSigned(agent.connection, envelope)).isSuccess).toBe(true);
      const before = await rowOf(server, device.id);
      const thief = await connected(device);
      for (const connection of [agent.connection, thief.connection]) {
        expect(await sendSigned(connection, envelope)).toMatchObject({ isSuccess: false, reason: 'Timestamp expired.' });
      }
      const older = await envelopeOf(server, device, { timestamp: serverTime(server, -30_000) });
      expect(await sendSigned(thief.connection, older)).toMatchObject({ reason: 'Timestamp expired.' });
      expect(await rowOf(server, device.id)).toEqual(before);
    });
  });

  it('that are refused for a wrong clock are told in the log, with how far it is off', async () => {
    const device = await newDevice();
    const agent = await connected(device);
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    try {
      await sendSigned(agent.connection, await envelopeOf(server, device, { timestamp: serverTime(server, -3_600_000) }));
      await sendSigned(agent.connection, await envelopeOf(server, device, { timestamp: serverTime(server, -3_600_000) }));
      const message = expect.stringMatching(/^Timestamp expired\. The clock of the device is 360\d s behind that of this server\.$/);
      expect(warn.mock.calls).toEqual([[{ message, deviceId: device.id }]]);
    } finally {
      warn.mockRestore();
    }
  });

  it('that are equal and arrive together are accepted exactly once', async () => {
    const device = await newDevice();
    const first = await connected(device);
    const second = await connected(device);
    const envelope = await envelopeOf(server, device);
    const results = await Promise.all(
      [first, second].flatMap(({ connection }) => Array.from({ length: 10 }, () => sendSigned(connection, envelope))),
    );
    expect(results.filter(({ isSuccess }) => isSuccess)).toHaveLength(1);
    expect(new Set(results.flatMap(({ reason }) => reason ?? []))).toEqual(new Set(['Timestamp expired.']));
  });

  it('sent one after the other without waiting are all accepted, in their order', async () => {
    const device = await newDevice();
    const agent = await connected(device);
    const start = serverTime(server, -1_000).ticks;
    const envelopes = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        envelopeOf(server, device, { report: { name: `step-${index}` }, timestamp: Timestamp.fromTicks(start + BigInt(index)) }),
      ),
    );
    const results = await Promise.all(envelopes.map((envelope) => sendSigned(agent.connection, envelope)));
    expect(results.map(({ value }) => value?.name)).toEqual(envelopes.map(({ dto }) => dto.name));
    expect(await rowOf(server, device.id)).toMatchObject({ name: 'step-29' });
  });

  it('keep all seven digits of the second under the signature', async () => {
    const device = await newDevice();
    const agent = await connected(device);
    const whole = serverTime(server).ticks;
    const precise = Timestamp.fromTicks(whole - (whole % 10_000_000n) + 1_234_567n);
    expect(precise?.toString()).toMatch(/\.1234567\+00:00$/);
    expect((await sendSigned(agent.connection, await envelopeOf(server, device, { timestamp: precise }))).isSuccess).toBe(true);
    expect(await rowOf(server, device.id)).toMatchObject({ last_update_ticks: Number(precise?.ticks) });
    const later = Timestamp.fromTicks((precise?.ticks ?? 0n) + 1n);
    expect((await sendSigned(agent.connection, await envelopeOf(server, device, { timestamp: later }))).isSuccess).toBe(true);
  });

  it('accept the worked example of the contract, sent as it stands', async () => {
    const file = new URL('../../libs/contracts/src/fixtures/signing-vector.json', import.meta.url);
    const { envelopeJson, publicKeyBase64 }: { envelopeJson: { dto: { id: string }; timestamp: string }; publicKeyBase64: string } =
      JSON.parse(readFileSync(file, 'utf8'));
    await newDevice({ id: envelopeJson.dto.id, publicKey: publicKeyBase64 });
    const agent = await connected(strangerOf(tenant.id));
    const away = Date.parse(envelopeJson.timestamp) - server.clock.milliseconds();
    server.clock.advance(away);
    try {
      expect(await agent.connection.invoke('UpdateDeviceSigned', envelopeJson)).toMatchObject({
        isSuccess: true,
        value: { name: 'host-1' },
      });
    } finally {
      server.clock.advance(-away);
    }
  });

  it('never move a device to the tenant that they name', async () => {
    const other = await createTenant(server);
    const device = await newDevice();
    const agent = await connected(device);
    for (const tenantId of [other.id, newGuid()]) {
      const { value } = await sendSigned(agent.connection, await envelopeOf(server, device, { report: { tenantId } }));
      expect(value?.tenantId).toBe(tenant.id);
    }
    expect(await rowOf(server, device.id)).toMatchObject({ tenant_id: tenant.id });
  });

  it('leave the columns of null members as they are', async () => {
    const device = await newDevice();
    const agent = await online(device);
    const before = await rowOf(server, device.id);
    const nothing = {
      name: null,
      agentVersion: null,
      osDescription: null,
      currentUsers: null,
      macAddresses: null,
      localIpV4: null,
      localIpV6: null,
      drives: null,
    };
    const { isSuccess, value } = await agent.heartbeat({ ...nothing, cpuUtilization: 0.5 });
    expect(isSuccess).toBe(true);
    expect(value).toMatchObject({ name: 'workshop-pc', currentUsers: ['operator'], localIpV4: '192.0.2.10', cpuUtilization: 0.5 });
    const after = await rowOf(server, device.id);
    for (const column of [
      'name',
      'agent_version',
      'os_description',
      'current_users',
      'mac_addresses',
      'local_ip_v4',
      'local_ip_v6',
      'drives',
    ]) {
      expect(after?.[column]).toEqual(before?.[column]);
    }
  });

  it('are cut to what the columns hold, whatever characters they carry', async () => {
    const device = await newDevice();
    const agent = await connected(device);
    const long = 'x'.repeat(1_024);
    const report: Partial<DeviceUpdateRequestDto> = {
      name: `${'n'.repeat(99)}😀 tail`,
      agentVersion: long,
      osDescription: `Debian\0 \ud800 12`,
      dnsHostName: long,
      localIpV4: long,
      localIpV6: long,
      currentUsers: Array.from({ length: 1_000 }, (_, index) => `user-${index}\0`),
      macAddresses: [long],
    };
    const { isSuccess, reason } = await sendSigned(agent.connection, await envelopeOf(server, device, { report }));
    expect({ isSuccess, reason }).toEqual({ isSuccess: true, reason: null });
    const row = await server.dataSource.manager.findOneByOrFail(Device, { id: device.id });
    expect(row.name).toBe(`${'n'.repeat(99)}\ufffd`);
    expect(row.agentVersion).toHaveLength(50);
    expect(row.dnsHostName).toHaveLength(255);
    expect(row.localIpV4).toHaveLength(15);
    expect(row.localIpV6).toHaveLength(39);
    expect(row.osDescription).toBe('Debian \ufffd 12');
    expect(row.currentUsers).toHaveLength(256);
    expect(row.currentUsers[1]).toBe('user-1');
    expect(row.macAddresses[0]).toHaveLength(256);
  });

  describe('that do not fit the contract end as an error of the call, and the connection lives on', () => {
    it.each<[string, Record<string, unknown>]>([
      ['a text beyond its limit', { name: 'x'.repeat(1_025) }],
      ['a list beyond its limit', { currentUsers: Array.from({ length: 10_001 }, () => '') }],
      ['a number as text', { totalMemory: '16' }],
      ['no number', { totalMemory: null }],
      ['a fraction for a whole number', { processorCount: 1.5 }],
      ['a number for a truth', { is64Bit: 1 }],
      ['an unknown member of an enum', { platform: 'Plan9' }],
      ['an unknown number of an enum', { osArchitecture: 99 }],
      ['no GUID', { id: '42' }],
      ['an object for a list', { drives: {} }],
    ])('%s', async (_, change) => {
      const device = await newDevice();
      const agent = await connected(device);
      const { parameters, name } = agentHub.UpdateDeviceSigned;
      const raw = parameters[0].encode(await envelopeOf(server, device), 'json') as { dto: Record<string, unknown> };
      const call = agent.connection.invoke(name, { ...raw, dto: { ...raw.dto, ...change } });
      await expect(call).rejects.toThrow(/Failed to invoke 'UpdateDeviceSigned' .*: Argument 0 .* does not fit: dto\.\w+ must/);
      expect((await agent.heartbeat()).isSuccess).toBe(true);
    });

    it('no finite number, where the encoding has one', async () => {
      const device = await newDevice();
      const agent = await connected(device, 'messagepack');
      for (const cpuUtilization of [NaN, Infinity]) {
        await expect(
          sendSigned(agent.connection, await envelopeOf(server, device, { report: { cpuUtilization } }), 'messagepack'),
        ).rejects.toThrow('dto.cpuUtilization must be a number');
      }
      expect(await rowOf(server, device.id)).toMatchObject({ is_online: false });
    });
  });

  it('read enums by name in any case and by number', async () => {
    const device = await newDevice();
    const agent = await connected(device);
    const { parameters, name } = agentHub.UpdateDeviceSigned;
    const forms = [
      { platform: 'Linux', osArchitecture: 'X64' },
      { platform: 'LINUX', osArchitecture: 'x64' },
      { platform: 2, osArchitecture: 1 },
    ];
    for (const form of forms) {
      const raw = parameters[0].encode(await envelopeOf(server, device), 'json') as { dto: Record<string, unknown> };
      const result = await agent.connection.invoke(name, { ...raw, dto: { ...raw.dto, ...form } });
      expect(result).toMatchObject({ isSuccess: true, value: { platform: 2, osArchitecture: 1 } });
    }
  });

  it('take the address from the connection, each family into its column', async () => {
    const device = await newDevice();
    const from = async (address: string): Promise<void> => {
      const connection = buildClient(`${server.url}/hubs/agent`, { skipNegotiation: true, headers: { 'X-Forwarded-For': address } });
      await connection.start();
      expect((await sendSigned(connection, await envelopeOf(server, device))).isSuccess).toBe(true);
      await connection.stop();
    };
    await from('203.0.113.7');
    expect(await rowOf(server, device.id)).toMatchObject({ public_ip_v4: '203.0.113.7', public_ip_v6: '' });
    await from('2001:db8::7');
    expect(await rowOf(server, device.id)).toMatchObject({ public_ip_v4: '203.0.113.7', public_ip_v6: '2001:db8::7' });
    await from('::ffff:198.51.100.9');
    expect(await rowOf(server, device.id)).toMatchObject({ public_ip_v4: '198.51.100.9', public_ip_v6: '2001:db8::7' });
  });

  describe('and the connection behind the device', () => {
    it('is the last one with an accepted update; the older stays open without commands', async () => {
      const device = await newDevice();
      const link = server.app.get(DeviceLink);
      const older = await online(device);
      const newer = await connected(device);
      const called: string[] = [];
      older.on(agentClient.CreateTerminalSession, () => (called.push('older'), hubOk()));
      newer.on(agentClient.CreateTerminalSession, () => (called.push('newer'), hubOk()));
      const call = (): Promise<unknown> => link.invoke(device.id, agentClient.CreateTerminalSession, [newGuid(), 'nobody']);

      await call();
      expect(
        (await sendSigned(newer.connection, await envelopeOf(server, device, { timestamp: serverTime(server, 2_000) }))).isSuccess,
      ).toBe(true);
      await call();
      expect(older.isOpen).toBe(true);
      const takenBack = await sendSigned(older.connection, await envelopeOf(server, device, { timestamp: serverTime(server, 4_000) }));
      expect(takenBack.isSuccess).toBe(true);
      await call();
      expect(called).toEqual(['older', 'newer', 'older']);

      await newer.stop();
      await eventually('the server lets the newer connection go', () => hubSize(server) === 1);
      expect(await rowOf(server, device.id)).toMatchObject({ is_online: true, connection_id: older.connectionId });
    });

    it('writes what it reported, also when another one reported something else in between', async () => {
      const device = await newDevice();
      const first = await connected(device);
      const second = await connected(device);
      const steps: [FakeAgent, string][] = [
        [first, 'one'],
        [second, 'two'],
        [first, 'one'],
      ];
      for (const [index, [agent, name]] of steps.entries()) {
        const envelope = await envelopeOf(server, device, { report: { name }, timestamp: serverTime(server, index * 1_000) });
        expect((await sendSigned(agent.connection, envelope)).value?.name).toBe(name);
        expect(await rowOf(server, device.id)).toMatchObject({ name });
      }
    });

    it('takes the device offline when it ends, with the time of the end', async () => {
      const device = await newDevice();
      const agent = await online(device);
      const before = await rowOf(server, device.id);
      server.clock.advance(1_000);
      agent.vanish();
      await waitOffline(server, device.id);
      await eventually('the row is offline', async () => (await rowOf(server, device.id))?.is_online === false);
      server.clock.advance(-1_000);
      const after = await rowOf(server, device.id);
      expect(after).toMatchObject({ connection_id: '', node_id: null, name: 'workshop-pc' });
      expect(Date.parse(String(after?.last_seen))).toBeGreaterThan(Date.parse(String(before?.last_seen)));
    });

    it('changes nothing when it never had an accepted update', async () => {
      const device = await newDevice();
      const agent = await online(device);
      const refused = await connected(device);
      expect((await sendSigned(refused.connection, await envelopeOf(server, device, { seed: utils.randomSecretKey() }))).isSuccess).toBe(
        false,
      );
      const before = await rowOf(server, device.id);
      await refused.stop();
      await eventually('only the agent is left', () => hubSize(server) === 1);
      expect(await rowOf(server, device.id)).toEqual(before);
      expect(agent.isOpen).toBe(true);
    });

    it('does not keep the device online when it ends while its update is being written', async () => {
      const device = await newDevice();
      const agent = await connected(device);
      const runner = server.dataSource.createQueryRunner();
      await runner.startTransaction();
      // The table and not the row: a batch waits only a moment for a row, and might have given up before anybody looks.
      await runner.query('LOCK TABLE devices IN EXCLUSIVE MODE');
      const lost = sendSigned(agent.connection, await envelopeOf(server, device)).catch(() => 'lost');
      await eventually('the writer waits for the table', async () => {
        const [{ count }] = await server.dataSource.query<{ count: string }[]>(
          `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return Number(count) > 0;
      });
      agent.vanish();
      await eventually('the connection is gone', () => hubSize(server) === 0);
      await runner.commitTransaction();
      await runner.release();
      expect(await lost).toBe('lost');
      await eventually('the update and then the end are written', async () => {
        const row = await rowOf(server, device.id);
        return row?.name === 'workshop-pc' && row.is_online === false;
      });
      expect(server.app.get(DevicePresence).connectionOf(device.id)).toBeUndefined();
    });

    it('stands for one device: reporting another one takes the first offline', async () => {
      const first = await newDevice();
      const second = await newDevice();
      const agent = await online(first);
      expect((await sendSigned(agent.connection, await envelopeOf(server, second))).isSuccess).toBe(true);
      expect(server.app.get(DevicePresence).connectionOf(first.id)).toBeUndefined();
      expect(await rowOf(server, first.id)).toMatchObject({ is_online: false, connection_id: '' });
      expect(await rowOf(server, second.id)).toMatchObject({ is_online: true });
    });
  });

  it('of a device that was deleted meanwhile are refused and do not bring it back', async () => {
    const device = await newDevice();
    const agent = await online(device);
    expect((await server.client().delete(`/api/v1/devices/${device.id}`)).status).toBe(204);
    await waitOffline(server, device.id);
    expect(await agent.heartbeat()).toMatchObject({ isSuccess: false, reason: 'Unknown device.' });
    expect(await rowOf(server, device.id)).toBeUndefined();
    expect(() => server.app.get(DeviceLink).send(device.id, agentClient.RefreshDeviceInfo)).toThrow('The device is offline.');
  });

  it('follow a key that was registered anew: the old one is refused at once, the new one accepted on the open connection', async () => {
    const device = await newDevice();
    const agent = await connected(device);
    expect(
      (await sendSigned(agent.connection, await envelopeOf(server, device, { timestamp: serverTime(server, 30_000) }))).isSuccess,
    ).toBe(true);
    const renewed = await createKeyedDevice(server, tenant);
    await server.dataSource.query(`UPDATE devices SET public_key = $2, last_update_ticks = 0 WHERE id = $1`, [
      device.id,
      renewed.publicKey,
    ]);

    const old = await envelopeOf(server, device, { timestamp: serverTime(server, 31_000) });
    expect(await sendSigned(agent.connection, old)).toMatchObject({ reason: 'Signature verification failed.' });
    const fresh = await envelopeOf(server, device, { seed: renewed.seed });
    expect(await sendSigned(agent.connection, fresh)).toMatchObject({ isSuccess: true, reason: null });
  });

  it('of a device that was registered anew over HTTP are needed before it is reached again, through whichever connection', async () => {
    const device = await newDevice();
    const agent = await online(device);
    const link = server.app.get(DeviceLink);
    expect(link.isOnline(device.id)).toBe(true);
    const key = await server
      .client({ 'x-api-key': ROOT_KEY })
      .post('/api/v1/installer-keys', { body: { tenantId: tenant.id, keyType: 'Persistent' } });
    const { id, keySecret } = key.as<{ id: string; keySecret: string }>();
    const seed = utils.randomSecretKey();
    const body = {
      device: { id: device.id, tenantId: tenant.id, name: 'PC-1' },
      installerKeyId: id,
      installerKeySecret: keySecret,
      tagIds: null,
      publicKey: toBase64(await getPublicKeyAsync(seed)),
    };
    expect((await server.client().post('/api/agent/devices', { body })).status).toBe(200);

    expect(await rowOf(server, device.id)).toMatchObject({ is_online: false, connection_id: '' });
    expect(link.isOnline(device.id)).toBe(false);
    expect(await agent.heartbeat()).toMatchObject({ isSuccess: false, reason: 'Signature verification failed.' });
    expect(link.isOnline(device.id)).toBe(false);
    expect(await sendSigned(agent.connection, await envelopeOf(server, device, { seed }))).toMatchObject({ isSuccess: true });
    expect(link.isOnline(device.id)).toBe(true);
  });

  it('answer a sentence when the database fails, and are accepted again when it works', async () => {
    const device = await newDevice();
    const agent = await online(device);
    await server.dataSource.query(`ALTER TABLE devices RENAME TO devices_away`);
    try {
      expect(await agent.heartbeat()).toEqual({
        isSuccess: false,
        value: null,
        reason: 'An error occurred while updating the device.',
        errorCode: null,
      });
    } finally {
      await server.dataSource.query(`ALTER TABLE devices_away RENAME TO devices`);
    }
    expect((await agent.heartbeat()).isSuccess).toBe(true);
  });

  it('of nodes that are gone: their devices are marked offline, nobody else’s', async () => {
    const stale = await newDevice({ isOnline: true, connectionId: 'gone.1', nodeId: 'gone' });
    const alive = await newDevice({ isOnline: true, connectionId: 'alive.1', nodeId: 'alive' });
    const own = await newDevice();
    await online(own);
    const now = server.clock.milliseconds();
    await server.dataSource.query(`INSERT INTO nodes (id, started_at, last_seen_at) VALUES ('gone', $1, $1), ('alive', $2, $2)`, [
      new Date(now - 61_000),
      new Date(now - 30_000),
    ]);
    await server.app.get(ServerNode).report();
    expect(await rowOf(server, stale.id)).toMatchObject({ is_online: false, connection_id: '', node_id: null });
    expect(await rowOf(server, alive.id)).toMatchObject({ is_online: true, connection_id: 'alive.1' });
    expect(await rowOf(server, own.id)).toMatchObject({ is_online: true });
    const nodes = await server.dataSource.query<{ id: string }[]>('SELECT id FROM nodes ORDER BY id');
    expect(nodes.map(({ id }) => id)).not.toContain('gone');
  });

  it('of a node that others took for gone: it reports again, so that its end will be noticed', async () => {
    const node = server.app.get(ServerNode);
    await server.dataSource.query('DELETE FROM nodes WHERE id = $1', [node.id]);
    await node.report();
    expect(await server.dataSource.query('SELECT id FROM nodes WHERE id = $1', [node.id])).toEqual([{ id: node.id }]);
  });
});

describe('a start after a crash', () => {
  it('marks the devices of its own former run offline, and those of no other node', async () => {
    const first = await TestApp.start();
    const tenant = await createTenant(first);
    const former = await createKeyedDevice(first, tenant, { isOnline: true, connectionId: 'x', nodeId: first.app.get(ServerNode).id });
    const foreign = await createKeyedDevice(first, tenant, { isOnline: true, connectionId: 'y', nodeId: 'another-node' });
    await first.app.close();

    const { database } = first.database.connection;
    const second = await TestApp.start({ POSTGRES_DB: database, Service_DataPath: first.dataPath });
    try {
      expect(second.app.get(ServerNode).id).toBe(first.app.get(ServerNode).id);
      expect(await rowOf(second, former.id)).toMatchObject({ is_online: false, connection_id: '', node_id: null });
      expect(await rowOf(second, foreign.id)).toMatchObject({ is_online: true, connection_id: 'y' });
    } finally {
      await second.stop();
      await first.database.drop();
    }
  });

  it('needs no mark after an orderly end: open connections are marked offline before the service stops', async () => {
    const first = await TestApp.start();
    const device = await createKeyedDevice(first, await createTenant(first));
    await FakeAgent.online(first, device);
    await first.app.close();
    const { database } = first.database.connection;
    const second = await TestApp.start({ POSTGRES_DB: database });
    try {
      expect(await rowOf(second, device.id)).toMatchObject({ is_online: false, connection_id: '' });
    } finally {
      await second.stop();
      await first.database.drop();
    }
  });
});

describe('an end while the database is away', () => {
  it('comes all the same; the next start marks what could not be written', async () => {
    const first = await TestApp.start();
    const device = await createKeyedDevice(first, await createTenant(first));
    const agent = await FakeAgent.online(first, device);
    const { database } = first.database.connection;
    const admin = new Client({ ...first.database.connection, database: 'postgres' });
    await admin.connect();
    try {
      await admin.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS false`);
      await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [database]);
      agent.vanish();
      await waitOffline(first, device.id);
      await first.app.close();
    } finally {
      await admin.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS true`);
      await admin.end();
    }
    const second = await TestApp.start({ POSTGRES_DB: database, Service_DataPath: first.dataPath });
    try {
      expect(await rowOf(second, device.id)).toMatchObject({ is_online: false, connection_id: '' });
    } finally {
      await second.stop();
      await first.database.drop();
    }
  });
});

describe('self-bootstrap', () => {
  const server = testServer({ Service_AppOptions__AllowAgentsToSelfBootstrap: 'true' });

  it('takes unknown devices into the only tenant, and refuses them while there is none or more than one', async () => {
    const before = strangerOf(newGuid());
    const early = await FakeAgent.connect(server, before);
    expect(await sendSigned(early.connection, await envelopeOf(server, before))).toMatchObject({ reason: 'No tenants found.' });
    expect(await rowOf(server, before.id)).toBeUndefined();

    const tenant = await createTenant(server);
    const { value } = await sendSigned(early.connection, await envelopeOf(server, before));
    expect(value).toMatchObject({ id: before.id, tenantId: tenant.id, isOnline: true });
    expect(await logOf(server, before.id)).toMatchObject([
      {
        actionType: 'device-registered',
        actorPrincipalType: 'system',
        owningTenantId: tenant.id,
        afterJson: expect.stringContaining('selfBootstrapped'),
      },
    ]);

    // The all-zero id is nobody's.
    const nobody = { ...strangerOf(tenant.id), id: EMPTY_GUID };
    expect(await sendSigned(early.connection, await envelopeOf(server, nobody))).toMatchObject({ reason: 'Unknown device.' });
    expect(await rowOf(server, nobody.id)).toBeUndefined();

    const forged = strangerOf(tenant.id);
    const bad = await envelopeOf(server, forged);
    bad.signature[0] ^= 1;
    expect(await sendSigned(early.connection, bad)).toMatchObject({ reason: 'Signature verification failed.' });
    expect(await sendSigned(early.connection, await envelopeOf(server, forged, { publicKey: null }))).toMatchObject({
      reason: 'Public key is required.',
    });
    expect(await rowOf(server, forged.id)).toBeUndefined();

    const together = strangerOf(tenant.id);
    const agents = await Promise.all(Array.from({ length: 6 }, () => FakeAgent.connect(server, together)));
    const envelope = await envelopeOf(server, together);
    const results = await Promise.all(agents.map(({ connection }) => sendSigned(connection, envelope)));
    expect(results.filter(({ isSuccess }) => isSuccess)).toHaveLength(1);
    expect(await logOf(server, together.id)).toHaveLength(1);

    const contested = strangerOf(tenant.id);
    const rivals = await Promise.all(
      agents.map(async ({ connection }) => sendSigned(connection, await envelopeOf(server, contested, { seed: utils.randomSecretKey() }))),
    );
    expect(rivals.filter(({ isSuccess }) => isSuccess)).toHaveLength(1);
    expect(new Set(rivals.flatMap(({ reason }) => reason ?? []))).toEqual(new Set(['Signature verification failed.']));

    await createTenant(server);
    const late = strangerOf(tenant.id);
    expect((await sendSigned(early.connection, await envelopeOf(server, late))).reason).toMatch(/installer key/);
    expect(await rowOf(server, late.id)).toBeUndefined();
    await Promise.all([early, ...agents].map((agent) => agent.stop()));
  });
});

describe('a decommissioned server', () => {
  it('tells the agent to uninstall itself, deletes the device and says so', async () => {
    const server = await TestApp.start({ Service_ServerLifecycle__DecommissionServer: 'true' });
    try {
      const tenant = await createTenant(server);
      const device = await createKeyedDevice(server, tenant);
      const principal = holder.user(await createUser(server, { tenantId: tenant.id }));
      const assignment = await grant(server, {
        principal,
        permission: Permission.DeviceRead,
        scope: at.device({ id: device.id, tenantId: tenant.id }),
      });
      const agent = await FakeAgent.connect(server, device);
      const reasons: string[] = [];
      agent.on(agentClient.UninstallAgent, (reason) => void reasons.push(reason));

      const forged = await envelopeOf(server, device, { seed: utils.randomSecretKey() });
      expect(await sendSigned(agent.connection, forged)).toMatchObject({ reason: 'Signature verification failed.' });
      expect(await rowOf(server, device.id)).toBeDefined();

      expect(await sendSigned(agent.connection, await envelopeOf(server, device))).toMatchObject({
        isSuccess: false,
        reason: 'Server is decommissioned.',
      });
      await eventually('the agent is told', () => reasons.length === 1);
      expect(reasons[0]).toMatch(/\S/);
      expect(await rowOf(server, device.id)).toBeUndefined();
      expect(await logOf(server, device.id)).toMatchObject([
        { actionType: 'device-deleted', actorPrincipalType: 'system', beforeJson: expect.stringContaining('decommissioned') },
      ]);
      expect(await logOf(server, assignment.id)).toMatchObject([{ actionType: 'permission-assignment-deleted' }]);
      expect(await sendSigned(agent.connection, await envelopeOf(server, device))).toMatchObject({ reason: 'Unknown device.' });
      await agent.stop();
    } finally {
      await server.stop();
    }
  });
});

function hubSize(server: TestApp): number {
  return server.app.get(SignalRHost, { strict: false }).server.hub(AGENT_HUB_PATH).size;
}
