import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Client } from 'pg';

import { createDevice, createTenant } from '../../../test/support/factories.js';
import { TestApp } from '../../../test/support/app.js';
import { eventually } from '../../../test/support/eventually.js';
import { ServerNode } from '../../server/server-node.js';
import { detailsOf } from '../device-details.js';
import { Device } from '../device.entity.js';
import { UpdateWriter } from './update-writer.js';
import { UpdateWriterRepository, type DeviceWrite, type WrittenDevice } from './update-writer.repository.js';

const DETAILS = detailsOf({
  id: '',
  tenantId: '',
  name: 'named',
  agentVersion: '1',
  is64Bit: true,
  osArchitecture: 1,
  osDescription: 'os',
  platform: 2,
  processorCount: 4,
  cpuUtilization: 0,
  totalMemory: 0,
  totalStorage: 0,
  usedMemory: 0,
  usedStorage: 0,
  currentUsers: [],
  macAddresses: [],
  localIpV4: '',
  localIpV6: '',
  drives: [],
  dnsHostName: '',
});

/** The real repository, which notes what it was given. */
class WatchedRepository extends UpdateWriterRepository {
  readonly batches: { readonly updates: readonly DeviceWrite[]; readonly size: number }[] = [];

  override write(
    ...[node, updates, disconnects]: Parameters<UpdateWriterRepository['write']>
  ): ReturnType<UpdateWriterRepository['write']> {
    this.batches.push({ updates, size: updates.length + disconnects.length });
    return super.write(node, updates, disconnects);
  }
}

describe('UpdateWriter', () => {
  let server: TestApp;
  let tenant: { readonly id: string };
  let ticks = 1n;

  beforeAll(async () => {
    server = await TestApp.start();
    tenant = await createTenant(server);
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
  });

  afterAll(async () => {
    jest.restoreAllMocks();
    await server.stop();
  });

  function newWriter(): { writer: UpdateWriter; repository: WatchedRepository } {
    const repository = new WatchedRepository(server.dataSource);
    return { writer: new UpdateWriter(repository, server.app.get(ServerNode)), repository };
  }

  const newDevice = (): Promise<Device> => createDevice(server, { tenantId: tenant.id });
  const stored = (id: string): Promise<Device | null> => server.dataSource.manager.findOneBy(Device, { id });

  function update(deviceId: string, changes: Partial<DeviceWrite> & { readonly cpu?: number } = {}): DeviceWrite {
    const { cpu = 0, ...rest } = changes;
    return {
      deviceId,
      connectionId: 'node.connection',
      seenAt: server.clock.now(),
      figures: { cpuUtilization: cpu, totalMemory: 0, usedMemory: 0, totalStorage: 0, usedStorage: 0 },
      details: null,
      publicKey: '',
      ticks: (ticks += 1n),
      address: { publicIpV4: null, publicIpV6: null },
      ...rest,
    };
  }

  const disconnect = (deviceId: string, connectionId = 'node.connection') => ({ deviceId, connectionId, seenAt: server.clock.now() });

  it('shares a transaction between devices, and answers after the commit with what the agent does not know', async () => {
    const { writer, repository } = newWriter();
    const devices = await Promise.all(Array.from({ length: 40 }, newDevice));
    const written = await Promise.all(devices.map(({ id }, index) => writer.update(update(id, { cpu: index, details: DETAILS }))));
    expect(repository.batches.map(({ size }) => size)).toEqual([40]);
    for (const [index, { id }] of devices.entries()) {
      expect(written[index]).toMatchObject({ id, tenantId: tenant.id, alias: '', tagIds: null });
      expect(await stored(id)).toMatchObject({ cpuUtilization: index, name: 'named', isOnline: true, connectionId: 'node.connection' });
    }
  });

  it('keeps the order of a device and holds it once in a batch', async () => {
    const { writer, repository } = newWriter();
    const [first, second] = [await newDevice(), await newDevice()];
    const settled: string[] = [];
    const noted = (name: string, result: Promise<unknown>): Promise<unknown> => result.then(() => settled.push(name));
    await Promise.all([
      noted('first 1', writer.update(update(first.id, { cpu: 1 }))),
      noted('first 2', writer.update(update(first.id, { cpu: 2 }))),
      noted('first off', writer.disconnect(disconnect(first.id))),
      noted('first 3', writer.update(update(first.id, { cpu: 3, connectionId: 'node.other' }))),
      noted('second 1', writer.update(update(second.id, { cpu: 9 }))),
    ]);
    expect(settled).toEqual(['first 1', 'second 1', 'first 2', 'first off', 'first 3']);
    for (const { updates } of repository.batches) expect(new Set(updates.map(({ deviceId }) => deviceId)).size).toBe(updates.length);
    expect(repository.batches.map(({ size }) => size)).toEqual([2, 1, 1, 1]);
    expect(await stored(first.id)).toMatchObject({ cpuUtilization: 3, isOnline: true, connectionId: 'node.other' });
  });

  it('fills the next batch while one runs', async () => {
    const { writer, repository } = newWriter();
    const devices = await Promise.all(Array.from({ length: 10 }, newDevice));
    const first = writer.update(update(devices[0].id));
    await eventually('the first batch runs', () => repository.batches.length === 1);
    await Promise.all([first, ...devices.slice(1).map(({ id }) => writer.update(update(id)))]);
    expect(repository.batches.map(({ size }) => size)).toEqual([1, 9]);
  });

  it('lets a bad row fail alone', async () => {
    const { writer } = newWriter();
    const devices = await Promise.all(Array.from({ length: 5 }, newDevice));
    const bad = devices[2].id;
    const results = await Promise.allSettled(
      devices.map(({ id }) => writer.update(update(id, { cpu: 5, ...(id === bad ? { connectionId: 'x'.repeat(200) } : {}) }))),
    );
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(await stored(bad)).toMatchObject({ cpuUtilization: 0, isOnline: false });
    expect(await stored(devices[4].id)).toMatchObject({ cpuUtilization: 5, isOnline: true });
  });

  it.each<[string, (id: string) => Promise<WrittenDevice | null>]>([
    [
      'is gone',
      async (id) => {
        await server.dataSource.manager.delete(Device, { id });
        return newWriter().writer.update(update(id));
      },
    ],
    [
      'holds another key',
      async (id) => {
        await server.dataSource.manager.update(Device, { id }, { publicKey: 'registered anew' });
        return newWriter().writer.update(update(id, { publicKey: 'old' }));
      },
    ],
    [
      'holds the same time',
      async (id) => {
        await server.dataSource.manager.update(Device, { id }, { lastUpdateTicks: '77' });
        return newWriter().writer.update(update(id, { ticks: 77n }));
      },
    ],
  ])('writes nothing to a row that %s', async (_, write) => {
    const { id } = await newDevice();
    expect(await write(id)).toBeNull();
    expect((await stored(id))?.isOnline ?? false).toBe(false);
  });

  it('does not bring a deleted row back, in a batch that is otherwise fine', async () => {
    const { writer } = newWriter();
    const [gone, kept] = [await newDevice(), await newDevice()];
    await server.dataSource.manager.delete(Device, { id: gone.id });
    const [lost, written] = await Promise.all([
      writer.update(update(gone.id, { details: DETAILS })),
      writer.update(update(kept.id, { details: DETAILS })),
    ]);
    expect(lost).toBeNull();
    expect(written).not.toBeNull();
    expect(await stored(gone.id)).toBeNull();
  });

  it('does nothing at the end of a connection that another one has taken over from', async () => {
    const { writer } = newWriter();
    const { id } = await newDevice();
    await writer.update(update(id, { connectionId: 'node.newer' }));
    const before = await stored(id);
    expect(await writer.disconnect(disconnect(id, 'node.older'))).toBe(false);
    expect(await stored(id)).toEqual(before);
    expect(await writer.disconnect(disconnect(id, 'node.newer'))).toBe(true);
    expect(await stored(id)).toMatchObject({ isOnline: false, connectionId: '', nodeId: null });
    expect(await writer.disconnect(disconnect(id, 'node.newer'))).toBe(false);
  });

  it('is not stopped by a transaction that holds its rows in another order', async () => {
    const { writer } = newWriter();
    const devices = await Promise.all(Array.from({ length: 20 }, newDevice));
    const others = Array.from({ length: 5 }, () =>
      server.dataSource.query('UPDATE devices SET alias = $2 WHERE id = ANY($1::uuid[])', [devices.map(({ id }) => id).reverse(), 'held']),
    );
    const written = await Promise.all(devices.map(({ id }) => writer.update(update(id))));
    await Promise.all(others);
    expect(written.every((device) => device !== null)).toBe(true);
  });

  describe('while the database is away', () => {
    const admin = async (...statements: string[]): Promise<void> => {
      const client = new Client({ ...server.database.connection, database: 'postgres' });
      await client.connect();
      for (const statement of statements) await client.query(statement);
      await client.end();
    };
    const goAway = async (): Promise<void> => {
      const { database } = server.database.connection;
      await admin(
        `ALTER DATABASE ${database} ALLOW_CONNECTIONS false`,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`,
      );
    };
    const comeBack = (): Promise<void> => admin(`ALTER DATABASE ${server.database.connection.database} ALLOW_CONNECTIONS true`);

    it('fails updates, tries disconnects until they are written, and works again by itself', async () => {
      const { writer, repository } = newWriter();
      const devices = await Promise.all(Array.from({ length: 6 }, newDevice));
      await Promise.all(devices.map(({ id }) => writer.update(update(id))));
      await goAway();
      let ended = 0;
      const updates = devices.slice(0, 3).map(({ id }) => writer.update(update(id, { cpu: 1 })));
      const ends = devices.slice(3).map(async ({ id }) => {
        const wasWritten = await writer.disconnect(disconnect(id));
        ended += 1;
        return wasWritten;
      });
      const results = await Promise.allSettled(updates);
      expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
      const tries = repository.batches.length;
      await eventually('the disconnects are tried again', () => repository.batches.length > tries);
      expect(ended).toBe(0);
      await comeBack();
      expect(await Promise.all(ends)).toEqual([true, true, true]);
      for (const { id } of devices.slice(3)) expect(await stored(id)).toMatchObject({ isOnline: false, connectionId: '' });
      expect(await writer.update(update(devices[0].id, { cpu: 7 }))).not.toBeNull();
      const settled = repository.batches.length;
      expect(await writer.disconnect(disconnect(devices[0].id))).toBe(true);
      // One batch for one disconnect: nothing that was settled before is still being tried.
      expect(repository.batches.length).toBe(settled + 1);
    });

    it('lets the service stop: disconnects that cannot be written are left to the next start', async () => {
      const { writer } = newWriter();
      const { id } = await newDevice();
      await writer.update(update(id));
      await goAway();
      try {
        const waiting = writer.disconnect(disconnect(id));
        writer.onModuleDestroy();
        expect(await waiting).toBe(false);
        expect(await writer.disconnect(disconnect(id))).toBe(false);
      } finally {
        await comeBack();
      }
      await eventually('the pool works again', () =>
        stored(id).then(
          (row) => row?.isOnline === true,
          () => false,
        ),
      );
    });
  });
});
