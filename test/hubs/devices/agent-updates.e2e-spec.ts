import { readFileSync } from 'node:fs';

import { describe, expect, it, vi } from 'vitest';
import { Logger } from '@nestjs/common';
import { utils } from '@noble/ed25519';

import { agentHub, Timestamp, type DeviceUpdateRequestDto, type Encoding } from '#libs/contracts';

import { buildClient } from '../../../libs/signalr/test/support/running-hubs.js';
import { Device } from '../../../src/devices/devices/device.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { ServerNode } from '../../../src/platform/node/server-node.js';
import { connectionsOf, deviceReport, type KeyedDevice } from '../../support/devices/agents.js';
import { createTenant } from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';
import { envelopeOf, rowOf, sendSigned, sendUnsigned, serverTime, type Envelope, type EnvelopeParts } from '../agent-envelope.js';
import { unregisteredDevice, testAgents } from '../test-agents.js';

const UNUSED_KEY = Buffer.alloc(32, 7).toString('base64');

describe('device updates', () => {
  const server = testServer();
  const tenant = testTenant(server);
  const { newDevice, connected, online } = testAgents(server, tenant);

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
        node_id: expect.toBeOneOf(server.nodes.map(({ app }) => app.get(ServerNode).id)),
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
      expect(connectionsOf(server, device.id)).toEqual([]);
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
      const unregistered = unregisteredDevice(tenant.id);
      const agent = await connected(unregistered);
      expect(await sendSigned(agent.connection, await envelopeOf(server, unregistered))).toMatchObject({ reason: 'Unknown device.' });
      expect(await sendUnsigned(agent.connection, deviceReport(unregistered))).toMatchObject({ reason: 'Unknown device.' });
      expect(await rowOf(server, unregistered.id)).toBeUndefined();
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
    const warn = vi.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    try {
      await sendSigned(agent.connection, await envelopeOf(server, device, { timestamp: serverTime(server, -3_600_000) }));
      await sendSigned(agent.connection, await envelopeOf(server, device, { timestamp: serverTime(server, -3_600_000) }));
      const message = expect.stringMatching(/^Timestamp expired\. The clock of the device is 360\d s behind that of this server\.$/);
      const ofDevice = warn.mock.calls.filter(([entry]) => (entry as { readonly deviceId?: string }).deviceId === device.id);
      expect(ofDevice).toEqual([[{ message, deviceId: device.id }]]);
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

  it.each<Encoding>(['json', 'messagepack'])('keep all seven digits of the second under the signature, in %s', async (encoding) => {
    const device = await newDevice();
    const agent = await connected(device, encoding);
    const whole = serverTime(server).ticks;
    const precise = Timestamp.fromTicks(whole - (whole % 10_000_000n) + 1_234_567n);
    expect(precise?.toString()).toMatch(/\.1234567\+00:00$/);
    const first = await envelopeOf(server, device, { timestamp: precise });
    expect((await sendSigned(agent.connection, first, encoding)).isSuccess).toBe(true);
    expect(await rowOf(server, device.id)).toMatchObject({ last_update_ticks: Number(precise?.ticks) });
    const later = await envelopeOf(server, device, { timestamp: Timestamp.fromTicks((precise?.ticks ?? 0n) + 1n) });
    expect((await sendSigned(agent.connection, later, encoding)).isSuccess).toBe(true);
  });

  it('accept the worked example of the contract, sent as it stands', async () => {
    const file = new URL('../../../libs/contracts/src/fixtures/signing-vector.json', import.meta.url);
    const { envelopeJson, publicKeyBase64 }: { envelopeJson: { dto: { id: string }; timestamp: string }; publicKeyBase64: string } =
      JSON.parse(readFileSync(file, 'utf8'));
    await newDevice({ id: envelopeJson.dto.id, publicKey: publicKeyBase64 });
    const agent = await connected(unregisteredDevice(tenant.id));
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
      dnsHostName: null,
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
      'dns_host_name',
    ]) {
      expect(after?.[column]).toEqual(before?.[column]);
    }
  });

  it('may have null texts in a drive, which are signed as null and stored as empty', async () => {
    const agent = await online(await newDevice());
    const texts = { rootDirectory: null, name: null, driveFormat: null, volumeLabel: null };
    const { isSuccess, value } = await agent.heartbeat({ drives: [{ driveType: 3, freeSpace: 1, totalSize: 2, ...texts }] });
    expect(isSuccess).toBe(true);
    expect(value?.drives).toEqual([
      { driveType: 3, freeSpace: 1, totalSize: 2, rootDirectory: '', name: '', driveFormat: '', volumeLabel: '' },
    ]);
  });

  it('may have nulls in lists of texts, which are signed as nulls and left out', async () => {
    const agent = await online(await newDevice());
    const { isSuccess, value } = await agent.heartbeat({ currentUsers: [null, 'ann', null], macAddresses: [null] });
    expect(isSuccess).toBe(true);
    expect(value).toMatchObject({ currentUsers: ['ann'], macAddresses: [] });
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
    expect(row.name).toBe('n'.repeat(99));
    expect(row.agentVersion).toHaveLength(50);
    expect(row.dnsHostName).toHaveLength(255);
    expect(row.localIpV4).toHaveLength(15);
    expect(row.localIpV6).toHaveLength(39);
    expect(row.osDescription).toBe('Debian  12');
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

  it('answer a sentence when the database fails, are asked for again, and are accepted when it works', async () => {
    const device = await newDevice();
    const agent = await online(device);
    const asked = new Promise<void>((resolve) => agent.connection.on('RefreshDeviceInfo', resolve));
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
    await asked;
    expect((await agent.heartbeat()).isSuccess).toBe(true);
  });
});
