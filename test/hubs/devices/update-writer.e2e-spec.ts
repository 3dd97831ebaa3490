import { rm } from 'node:fs/promises';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest';
import { Logger } from '@nestjs/common';
import { Client } from 'pg';
import { DataSource } from 'typeorm';

import { DevicePresence } from '../../../src/devices/device-link/device-presence.js';
import { Device } from '../../../src/devices/devices/device.entity.js';
import { detailsOf } from '../../../src/devices/devices/row/device-details.js';
import { UpdateWriter } from '../../../src/devices/devices/updates/update-writer.js';
import { ReportMetrics } from '../../../src/devices/devices/updates/report-metrics.js';
import {
  UpdateWriterRepository,
  type DeviceBatch,
  type DeviceWrite,
  type WrittenBatch,
  type WrittenDevice,
} from '../../../src/devices/devices/updates/update-writer.repository.js';
import { RightOfWay } from '../../../src/platform/common/concurrency/right-of-way.js';
import { ServerNode } from '../../../src/platform/node/server-node.js';
import { TestApp } from '../../support/application/app.js';
import { createKeyedDevice, FakeAgent } from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import { createDevice, createTenant } from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

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

/** The real repository, which also records its calls. */
class WatchedRepository extends UpdateWriterRepository {
  readonly batches: { readonly updates: readonly DeviceWrite[]; readonly size: number }[] = [];
  /** The writes without waiting, with their times. */
  readonly unlocked: { readonly ids: readonly string[]; readonly at: number }[] = [];

  override write(nodeId: string, batch: DeviceBatch): Promise<WrittenBatch> {
    this.batches.push({ updates: batch.updates, size: batch.updates.length + batch.disconnects.length });
    return super.write(nodeId, batch);
  }

  override writeUnlocked(nodeId: string, batch: DeviceBatch): Promise<WrittenBatch> {
    this.unlocked.push({ ids: [...batch.updates, ...batch.disconnects].map(({ deviceId }) => deviceId), at: performance.now() });
    return super.writeUnlocked(nodeId, batch);
  }

  /** The times at which the row of the device was tried without waiting. */
  triesOf(deviceId: string): number[] {
    return this.unlocked.filter(({ ids }) => ids.includes(deviceId)).map(({ at }) => at);
  }
}

describe('UpdateWriter', () => {
  const server = testServer();
  const tenant = testTenant(server);
  let ticks = 1n;

  beforeAll(() => {
    vi.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
  });

  afterAll(() => {
    vi.restoreAllMocks();
  });

  function newWriter(): { writer: UpdateWriter; repository: WatchedRepository; rightOfWay: RightOfWay } {
    const rightOfWay = new RightOfWay();
    const repository = new WatchedRepository(server.dataSource);
    return { writer: new UpdateWriter(repository, server.app.get(ServerNode), rightOfWay, new ReportMetrics()), repository, rightOfWay };
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
      writtenBy: null,
      publicKey: '',
      ticks: (ticks += 1n),
      address: { publicIpV4: null, publicIpV6: null },
      ...rest,
    };
  }

  const disconnect = (deviceId: string, connectionId = 'node.connection') => ({ deviceId, connectionId, seenAt: server.clock.now() });

  it('shares a transaction between devices, and answers the server’s fields after the commit', async () => {
    const { writer, repository } = newWriter();
    const devices = await Promise.all(Array.from({ length: 40 }, newDevice));
    const written = await Promise.all(devices.map(({ id }, index) => writer.update(update(id, { cpu: index, details: DETAILS }))));
    expect(repository.batches.map(({ size }) => size)).toEqual([40]);
    for (const [index, { id }] of devices.entries()) {
      expect(written[index]).toMatchObject({ id, tenantId: tenant.id, alias: '', tagIds: null });
      expect(await stored(id)).toMatchObject({ cpuUtilization: index, name: 'named', isOnline: true, connectionId: 'node.connection' });
    }
  });

  it('writes the details of some devices of a batch, and leaves those of the others as they are', async () => {
    const { writer, repository } = newWriter();
    const [changed, same] = await Promise.all([newDevice(), newDevice()]);
    await writer.update(update(same.id, { details: DETAILS }));
    await Promise.all([writer.update(update(changed.id, { details: DETAILS, cpu: 1 })), writer.update(update(same.id, { cpu: 2 }))]);
    expect(repository.batches.map(({ size }) => size)).toEqual([1, 2]);
    expect(await stored(changed.id)).toMatchObject({ name: 'named', cpuUtilization: 1 });
    expect(await stored(same.id)).toMatchObject({ name: 'named', cpuUtilization: 2 });
  });

  it('keeps the order of a device’s updates, with one per batch', async () => {
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

  it('has right of way until all is written, even if it fails', async () => {
    const { writer, rightOfWay } = newWriter();
    const [first, second] = [await newDevice(), await newDevice()];
    const begin = vi.spyOn(rightOfWay, 'begin');
    const end = vi.spyOn(rightOfWay, 'end');
    const counts = (): number[] => [begin.mock.calls.length, end.mock.calls.length];
    const writing = Promise.allSettled([
      writer.update(update(first.id)),
      writer.update(update(second.id, { connectionId: 'x'.repeat(200) })),
    ]);
    expect(counts()).toEqual([1, 0]);
    await writing;
    await eventually('the right of way ends', () => end.mock.calls.length > 0);
    await writer.update(update(first.id));
    await eventually('the right of way ends again', () => end.mock.calls.length > 1);
    expect(counts()).toEqual([2, 2]);
  });

  it('fails only an invalid row', async () => {
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

  it('does not restore a deleted row, and writes the rest of the batch', async () => {
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

  it('writes nothing for a connection that knows the row from its memory, once another one has written it', async () => {
    const { writer } = newWriter();
    const { id } = await newDevice();
    const [first, second] = ['node.first', 'other.second'];
    await writer.update(update(id, { connectionId: first, details: DETAILS }));
    expect(await writer.update(update(id, { connectionId: first, writtenBy: first }))).not.toBeNull();
    await writer.update(update(id, { connectionId: second, details: { ...DETAILS, name: 'renamed' } }));
    expect(await writer.update(update(id, { connectionId: first, writtenBy: first }))).toBeNull();
    expect(await stored(id)).toMatchObject({ name: 'renamed', connectionId: second });
  });

  it('ignores the end of a connection that was replaced by another', async () => {
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

  it('does not deadlock with a transaction that locks the rows in another order', async () => {
    const { writer } = newWriter();
    const devices = await Promise.all(Array.from({ length: 20 }, newDevice));
    const others = Array.from({ length: 5 }, () =>
      server.dataSource.query('UPDATE devices SET alias = $2 WHERE id = ANY($1::uuid[])', [devices.map(({ id }) => id).reverse(), 'held']),
    );
    const written = await Promise.all(devices.map(({ id }) => writer.update(update(id))));
    await Promise.all(others);
    expect(written.every((device) => device !== null)).toBe(true);
  });

  describe('while another transaction holds rows', () => {
    const clients: Client[] = [];
    let warnings: MockInstance<Logger['warn']>;
    let notices: MockInstance<Logger['log']>;

    beforeEach(() => {
      warnings = vi.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
      notices = vi.spyOn(Logger.prototype, 'log').mockReturnValue(undefined);
      warnings.mockClear();
      notices.mockClear();
    });

    afterEach(async () => {
      await Promise.all(clients.splice(0).map((client) => client.end()));
    });

    /** A transaction of another client that locks the rows until the test ends it. */
    async function hold(ids: readonly string[], app = server): Promise<Client> {
      const client = new Client(app.database.connection);
      clients.push(client);
      await client.connect();
      await client.query('BEGIN');
      await client.query('SELECT id FROM devices WHERE id = ANY($1::uuid[]) FOR UPDATE', [ids]);
      return client;
    }

    const newDevices = (length: number): Promise<Device[]> => Promise.all(Array.from({ length }, newDevice));
    const said = (spy: typeof warnings | typeof notices, words: RegExp): unknown[] =>
      spy.mock.calls.map(([message]) => message).filter((message) => words.test(String(message)));

    it('answers other devices at once, and the held device in order when its row is free', async () => {
      const { writer, repository } = newWriter();
      const [held, ...others] = await newDevices(51);
      const holder = await hold([held.id]);
      const settled: string[] = [];
      const noted = (name: string, result: Promise<unknown>): Promise<unknown> =>
        result.then((value) => {
          settled.push(name);
          return value;
        });
      const first = [
        noted('update', writer.update(update(held.id, { cpu: 1, connectionId: 'node.first' }))),
        noted('disconnect', writer.disconnect(disconnect(held.id, 'node.first'))),
      ];
      const answered = await Promise.all(others.map(({ id }) => writer.update(update(id, { cpu: 2 }))));
      expect(answered.every((device) => device !== null)).toBe(true);
      const second = noted('update of another connection', writer.update(update(held.id, { cpu: 3, connectionId: 'node.second' })));
      // Other devices continue while the row is tried repeatedly.
      for (const { id } of others.slice(0, 5)) expect(await writer.update(update(id, { cpu: 4 }))).not.toBeNull();
      await eventually('the row is tried again', () => repository.triesOf(held.id).length >= 4);
      expect(settled).toEqual([]);
      expect(said(warnings, /holds rows of devices, 1 so far/)).toHaveLength(1);

      await holder.query('COMMIT');
      expect(await Promise.all([...first, second])).toEqual([
        expect.objectContaining({ id: held.id }),
        true,
        expect.objectContaining({ id: held.id }),
      ]);
      expect(settled).toEqual(['update', 'disconnect', 'update of another connection']);
      expect(await stored(held.id)).toMatchObject({ cpuUtilization: 3, isOnline: true, connectionId: 'node.second' });
      expect(said(notices, /No update waits for a held row any more. At most 1 devices/)).toHaveLength(1);
      expect(said(warnings, /holds rows of devices/)).toHaveLength(1);

      // Only the first batch waited for the row, and the retries have pauses.
      expect(repository.batches.filter(({ updates }) => updates.some(({ deviceId }) => deviceId === held.id))).toHaveLength(2);
      const tries = repository.triesOf(held.id).slice(0, 4);
      for (const [index, at] of tries.slice(1).entries()) expect(at - tries[index]).toBeGreaterThan(400);
    });

    it('marks other devices offline at once, and the held one when its row is free', async () => {
      const { writer, repository } = newWriter();
      const [held, other] = await newDevices(2);
      await Promise.all([writer.update(update(held.id)), writer.update(update(other.id))]);
      const holder = await hold([held.id]);
      const end = writer.disconnect(disconnect(held.id));
      expect(await writer.disconnect(disconnect(other.id))).toBe(true);
      // The batch did not wait for the held row, and needed no second try.
      expect(repository.unlocked).toEqual([]);
      await holder.query('COMMIT');
      expect(await end).toBe(true);
      for (const { id } of [held, other]) expect(await stored(id)).toMatchObject({ isOnline: false, connectionId: '', nodeId: null });
    });

    it('leaves a device as it is that has moved to another node while its row was held', async () => {
      const { writer, repository } = newWriter();
      const [moved] = await newDevices(1);
      await writer.update(update(moved.id));
      const holder = await hold([moved.id]);
      const end = writer.disconnect(disconnect(moved.id));
      await eventually('the row is found held', () => repository.triesOf(moved.id).length > 0);
      await holder.query(`UPDATE devices SET connection_id = 'other.connection', node_id = 'other' WHERE id = $1`, [moved.id]);
      await holder.query('COMMIT');
      expect(await end).toBe(false);
      expect(await stored(moved.id)).toMatchObject({ isOnline: true, connectionId: 'other.connection', nodeId: 'other' });
    });

    it('writes nothing when the holder deleted the row', async () => {
      const { writer, repository } = newWriter();
      const [held, other] = await newDevices(2);
      const holder = await hold([held.id]);
      const waiting = writer.update(update(held.id, { details: DETAILS }));
      const behind = writer.disconnect(disconnect(held.id));
      expect(await writer.update(update(other.id, { details: DETAILS }))).not.toBeNull();
      await eventually('the row is found held', () => repository.triesOf(held.id).length > 0);
      await holder.query('DELETE FROM devices WHERE id = $1', [held.id]);
      await holder.query('COMMIT');
      expect(await waiting).toBeNull();
      expect(await behind).toBe(false);
      expect(await stored(held.id)).toBeNull();
    });

    it('waits only once for many held rows, whenever their reports arrive', async () => {
      const { writer, repository } = newWriter();
      const held = await newDevices(500);
      const others = await newDevices(20);
      const holder = await hold(held.map(({ id }) => id));
      const reportsOf = (devices: readonly Device[]): Promise<WrittenDevice | null>[] => devices.map(({ id }) => writer.update(update(id)));
      const waiting = reportsOf(held.slice(0, 100));
      await Promise.all(reportsOf(others));
      const batches = repository.batches.length;
      for (let from = 100; from < held.length; from += 100) {
        waiting.push(...reportsOf(held.slice(from, from + 100)));
        await Promise.all(reportsOf(others));
      }
      expect(repository.batches.length).toBe(batches);
      await holder.query('ROLLBACK');
      expect((await Promise.all(waiting)).every((device) => device !== null)).toBe(true);
    });

    it('fails only an invalid row among held ones', async () => {
      const { writer } = newWriter();
      const [held, bad, good] = await newDevices(3);
      const holder = await hold([held.id]);
      const waiting = writer.update(update(held.id, { cpu: 6 }));
      const results = await Promise.allSettled([
        writer.update(update(bad.id, { connectionId: 'x'.repeat(200) })),
        writer.update(update(good.id, { cpu: 5 })),
      ]);
      expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
      expect(await stored(good.id)).toMatchObject({ cpuUtilization: 5 });
      await holder.query('COMMIT');
      expect(await waiting).toMatchObject({ id: held.id });
      expect(await stored(held.id)).toMatchObject({ cpuUtilization: 6 });
    });

    it('keeps a limited number of updates of a held device, and all its disconnects', async () => {
      const { writer, repository } = newWriter();
      const [held, other] = await newDevices(2);
      const holder = await hold([held.id]);
      const first = writer.update(update(held.id));
      await eventually('the row is found held', () => repository.triesOf(held.id).length > 0);
      const more = Array.from({ length: 20 }, () => writer.update(update(held.id)));
      const end = writer.disconnect(disconnect(held.id));
      const refused = Promise.allSettled(more);
      expect(await writer.update(update(other.id))).not.toBeNull();
      await holder.query('COMMIT');
      expect(await first).not.toBeNull();
      const statuses = (await refused).map(({ status }) => status);
      expect(statuses).toEqual([...Array<string>(7).fill('fulfilled'), ...Array<string>(13).fill('rejected')]);
      expect(await end).toBe(true);
    });

    it('gives up waiting writes when the service stops, and does not wait for later ones', async () => {
      const { writer, repository } = newWriter();
      const [held, behind] = await newDevices(2);
      expect(await writer.update(update(behind.id))).not.toBeNull();
      await hold([held.id, behind.id]);
      const waiting = Promise.allSettled([writer.update(update(held.id)), writer.disconnect(disconnect(held.id))]);
      await eventually('the row is found held and tried again', () => repository.triesOf(held.id).length > 1);
      writer.onModuleDestroy();
      expect(await waiting).toEqual([
        { status: 'rejected', reason: expect.objectContaining({ message: expect.stringContaining('The service stops') }) },
        { status: 'fulfilled', value: false },
      ]);
      expect(await writer.disconnect(disconnect(behind.id))).toBe(false);
      expect(await stored(behind.id)).toMatchObject({ isOnline: true });
      await expect(writer.update(update(held.id))).rejects.toThrow('The service stops');
    });

    it('lets writes wait for their rows until the node that stops has no connection', async () => {
      const { writer, repository } = newWriter();
      const agent = await FakeAgent.online(server, await createKeyedDevice(server, tenant));
      const [held, left] = await newDevices(2);
      expect(await writer.update(update(left.id))).not.toBeNull();
      const holder = await hold([held.id, left.id]);
      writer.onModuleDestroy();
      const written = Promise.all([writer.update(update(held.id)), writer.disconnect(disconnect(left.id))]);
      await eventually('both are tried again', () => [held, left].every(({ id }) => repository.triesOf(id).length > 1));
      await holder.query('COMMIT');
      expect(await written).toEqual([expect.objectContaining({ id: held.id }), true]);

      await hold([held.id]);
      const tries = repository.triesOf(held.id).length;
      const given = Promise.allSettled([
        writer.update(update(held.id)),
        writer.update(update(held.id)),
        writer.disconnect(disconnect(held.id)),
      ]);
      await eventually('the row is tried again', () => repository.triesOf(held.id).length > tries + 1);
      await agent.stop();
      expect((await given).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
      expect(await stored(held.id)).toMatchObject({ isOnline: true });
    });

    it('lets the service stop while agents wait', async () => {
      const own = await TestApp.start();
      const device = await createKeyedDevice(own, await createTenant(own));
      const agent = await FakeAgent.online(own, device);
      const holder = await hold([device.id], own);
      const report = agent.heartbeat().catch(() => 'not answered');
      await eventually('the report waits for the row', () => said(warnings, /holds rows of devices/).length > 0);
      await own.close();
      expect(own.app.get(DevicePresence).connectionOf(device.id)).toBeUndefined();
      await agent.stop();
      await report;
      await holder.end();
      await own.database.drop();
      await rm(own.dataPath, { recursive: true, force: true });
    });

    it('limits the lock wait for its own statement only, prepared or in a transaction', async () => {
      const [held, free] = await newDevices(2);
      const { options } = server.dataSource;
      const ownLimit = { extra: { ...options.extra, options: '-c lock_timeout=7s' } };
      const source = new DataSource({ ...options, ...ownLimit, poolSize: 1 } as typeof options);
      await source.initialize();
      try {
        const repository = new UpdateWriterRepository(source);
        const limit = (): Promise<unknown> => source.query('SHOW lock_timeout');
        // Often enough for PostgreSQL to switch a prepared statement to a generic plan.
        for (let times = 0; times < 7; times += 1) {
          const { updated } = await repository.write(server.app.get(ServerNode).id, {
            updates: [update(free.id), update(held.id)],
            disconnects: [],
          });
          expect(updated.size).toBe(2);
        }
        expect(await source.query('SELECT name FROM pg_prepared_statements')).toEqual([{ name: 'heartbeats' }]);
        expect(await limit()).toEqual([{ lock_timeout: '7s' }]);
        await hold([held.id]);
        const batches: DeviceBatch[] = [
          { updates: [update(held.id), update(free.id)], disconnects: [] },
          { updates: [update(held.id, { details: DETAILS }), update(free.id)], disconnects: [] },
          { updates: [update(free.id)], disconnects: [disconnect(held.id)] },
        ];
        for (const batch of batches) {
          const { updated, disconnected, locked } = await repository.write(server.app.get(ServerNode).id, batch);
          expect([[...updated.keys()], [...disconnected], [...locked]]).toEqual([[free.id], [], [held.id]]);
          expect(await limit()).toEqual([{ lock_timeout: '7s' }]);
        }
      } finally {
        await source.destroy();
      }
    });
  });

  describe('while the database is unavailable', () => {
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

    it('fails updates, retries disconnects until they are written, and recovers by itself', async () => {
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
      // One batch for one disconnect, so no settled write is still retried.
      expect(repository.batches.length).toBe(settled + 1);
    });

    it('lets the service stop and leaves unwritten disconnects to the next start', async () => {
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
