import { describe, expect, it } from 'vitest';
import { utils } from '@noble/ed25519';
import { Client } from 'pg';

import { agentClient, hubOk } from '#libs/contracts';

import { newGuid } from '../../src/common/guid.js';
import { DeviceLink } from '../../src/device-link/device-link.js';
import { DevicePresence } from '../../src/device-link/device-presence.js';
import { ServerNode } from '../../src/server/server-node.js';
import { createKeyedDevice, FakeAgent, waitOffline } from '../support/agents.js';
import { TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { createTenant } from '../support/factories.js';
import { stopAfterEach, testServer, testTenant } from '../support/test-server.js';
import { envelopeOf, rowOf, sendSigned, serverTime } from './agent-envelope.js';
import { connectedAgents, testAgents } from './test-agents.js';

describe('the connection of a device', () => {
  const server = testServer();
  const tenant = testTenant(server);
  const { newDevice, connected, online } = testAgents(server, tenant);

  it('is the one whose update was accepted last; the older one stays open and gets no commands', async () => {
    const device = await newDevice();
    const link = server.app.get(DeviceLink);
    const older = await online(device);
    const newer = await connected(device);
    const called: string[] = [];
    older.on(agentClient.CreateTerminalSession, () => (called.push('older'), hubOk()));
    newer.on(agentClient.CreateTerminalSession, () => (called.push('newer'), hubOk()));
    const call = async (): Promise<unknown> =>
      (await link.reach(device.id)).invoke(agentClient.CreateTerminalSession, [newGuid(), 'nobody']);

    await call();
    expect((await sendSigned(newer.connection, await envelopeOf(server, device, { timestamp: serverTime(server, 2_000) }))).isSuccess).toBe(
      true,
    );
    await call();
    expect(older.isOpen).toBe(true);
    const takenBack = await sendSigned(older.connection, await envelopeOf(server, device, { timestamp: serverTime(server, 4_000) }));
    expect(takenBack.isSuccess).toBe(true);
    await call();
    expect(called).toEqual(['older', 'newer', 'older']);

    await newer.stop();
    await eventually('the server lets the newer connection go', () => connectedAgents(server) === 1);
    expect(await rowOf(server, device.id)).toMatchObject({ is_online: true, connection_id: older.connectionId });
  });

  it('has its report stored, even if another connection has reported something else in between', async () => {
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

  it('takes the device offline when it ends, and stores the time of the end', async () => {
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
    await eventually('only the agent is left', () => connectedAgents(server) === 1);
    expect(await rowOf(server, device.id)).toEqual(before);
    expect(agent.isOpen).toBe(true);
  });

  it('leaves the device offline if it ends while its update is being written', async () => {
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
    await eventually('the connection is gone', () => connectedAgents(server) === 0);
    await runner.commitTransaction();
    await runner.release();
    expect(await lost).toBe('lost');
    await eventually('the update and then the end are written', async () => {
      const row = await rowOf(server, device.id);
      return row?.name === 'workshop-pc' && row.is_online === false;
    });
    expect(server.app.get(DevicePresence).connectionOf(device.id)).toBeUndefined();
  });

  it('belongs to one device: reporting another device takes the first one offline', async () => {
    const first = await newDevice();
    const second = await newDevice();
    const agent = await online(first);
    expect((await sendSigned(agent.connection, await envelopeOf(server, second))).isSuccess).toBe(true);
    expect(server.app.get(DevicePresence).connectionOf(first.id)).toBeUndefined();
    expect(await rowOf(server, first.id)).toMatchObject({ is_online: false, connection_id: '' });
    expect(await rowOf(server, second.id)).toMatchObject({ is_online: true });
  });
});

describe('a node', () => {
  const server = testServer();
  const tenant = testTenant(server);
  const { newDevice, online } = testAgents(server, tenant);
  const keep = stopAfterEach();

  it('marks the devices of nodes that are gone offline, and no others', async () => {
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

  it('reports itself again after other nodes took it for gone, so that its end will be noticed', async () => {
    const node = server.app.get(ServerNode);
    await server.dataSource.query('DELETE FROM nodes WHERE id = $1', [node.id]);
    await node.report();
    expect(await server.dataSource.query('SELECT id FROM nodes WHERE id = $1', [node.id])).toEqual([{ id: node.id }]);
  });

  it('marks the devices of its own former run offline after a crash, and no devices of other nodes', async () => {
    const first = await TestApp.start();
    const home = await createTenant(first);
    const former = await createKeyedDevice(first, home, { isOnline: true, connectionId: 'x', nodeId: first.app.get(ServerNode).id });
    const foreign = await createKeyedDevice(first, home, { isOnline: true, connectionId: 'y', nodeId: 'another-node' });
    await first.app.close();

    const second = keep(await first.startAgain());
    expect(second.app.get(ServerNode).id).toBe(first.app.get(ServerNode).id);
    expect(await rowOf(second, former.id)).toMatchObject({ is_online: false, connection_id: '', node_id: null });
    expect(await rowOf(second, foreign.id)).toMatchObject({ is_online: true, connection_id: 'y' });
  });

  it('marks devices with open connections offline before it stops in good order', async () => {
    const first = await TestApp.start();
    const device = await createKeyedDevice(first, await createTenant(first));
    await FakeAgent.online(first, device);
    await first.app.close();
    // No second service reads the row, because its start would mark the device offline too.
    const reader = new Client(first.database.connection);
    await reader.connect();
    try {
      const { rows } = await reader.query('SELECT is_online, connection_id FROM devices WHERE id = $1', [device.id]);
      expect(rows).toEqual([{ is_online: false, connection_id: '' }]);
    } finally {
      await reader.end();
      await first.discard();
    }
  });

  it('stops even if the database is away; its next start marks what could not be written', async () => {
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
    const second = keep(await first.startAgain());
    expect(await rowOf(second, device.id)).toMatchObject({ is_online: false, connection_id: '' });
  });
});
