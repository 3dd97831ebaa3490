import { afterEach, describe, expect, it, vi } from 'vitest';
import { utils } from '@noble/ed25519';
import { Client } from 'pg';

import { agentClient, hubOk } from '#libs/contracts';

import { DeviceLink } from '../../../src/devices/device-link/device-link.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { ProcessExit } from '../../../src/platform/common/runtime/process-exit.js';
import { NodeTimes } from '../../../src/platform/node/node-times.js';
import { ServerNode } from '../../../src/platform/node/server-node.js';
import { TestApp } from '../../support/application/app.js';
import { connectionsOf, createKeyedDevice, FakeAgent, waitOffline } from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import { createTenant } from '../../support/fixtures/factories.js';
import { stopAfterEach, testServer, testTenant } from '../../support/setup/test-server.js';
import { envelopeOf, rowOf, sendSigned, serverTime } from '../agent-envelope.js';
import { connectedAgents, testAgents } from '../test-agents.js';

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
    expect(connectionsOf(server, device.id)).toEqual([]);
  });

  it('belongs to one device: reporting another device takes the first one offline', async () => {
    const first = await newDevice();
    const second = await newDevice();
    const agent = await online(first);
    expect((await sendSigned(agent.connection, await envelopeOf(server, second))).isSuccess).toBe(true);
    expect(connectionsOf(server, first.id)).toEqual([]);
    expect(await rowOf(server, first.id)).toMatchObject({ is_online: false, connection_id: '' });
    expect(await rowOf(server, second.id)).toMatchObject({ is_online: true });
  });
});

describe('a node', () => {
  const server = testServer();
  const tenant = testTenant(server);
  const { newDevice, online } = testAgents(server, tenant);
  const keep = stopAfterEach();

  const timesOf = (app: TestApp): NodeTimes => app.app.get(NodeTimes, { strict: false });
  afterEach(() => Object.assign(timesOf(server), new NodeTimes()));

  /** Adds nodes that were last seen so many seconds ago, by the clock of the database. */
  const addNodes = (seconds: Readonly<Record<string, number>>): Promise<unknown> =>
    server.dataSource.query(
      `INSERT INTO nodes (id, started_at, last_seen_at)
       SELECT id, now(), now() - seen * interval '1 second' FROM unnest($1::text[], $2::int[]) AS n (id, seen)`,
      [Object.keys(seconds), Object.values(seconds)],
    );
  const nodes = async (): Promise<string[]> =>
    (await server.dataSource.query<{ id: string }[]>('SELECT id FROM nodes')).map(({ id }) => id);

  it('marks the devices of nodes that are gone offline, and no others, whatever its own clock says', async () => {
    server.clock.advance(15_000);
    const stale = await newDevice({ isOnline: true, connectionId: 'gone.1', nodeId: 'gone' });
    const alive = await newDevice({ isOnline: true, connectionId: 'alive.1', nodeId: 'alive' });
    const own = await newDevice();
    await online(own);
    await addNodes({ gone: 31, alive: 20 });
    const node = server.app.get(ServerNode);
    // It has not reported for long enough to judge.
    await node.report();
    expect(await nodes()).toContain('gone');
    Object.assign(timesOf(server), { steadyMs: 0 });
    await node.report();
    expect(await rowOf(server, stale.id)).toMatchObject({ is_online: false, connection_id: '', node_id: null });
    expect(await rowOf(server, alive.id)).toMatchObject({ is_online: true, connection_id: 'alive.1' });
    expect(await rowOf(server, own.id)).toMatchObject({ is_online: true });
    expect((await nodes()).sort()).toEqual(['alive', node.id].sort());
  });

  it('reports the number of its hub connections', async () => {
    const own = server.nodes.map(({ app }) => app.get(ServerNode));
    const reported = async (): Promise<number | undefined> => {
      for (const node of own) await node.report();
      const sum = 'SELECT sum(connections)::int AS connections FROM nodes WHERE id = ANY($1)';
      const [row] = await server.dataSource.query<{ connections: number }[]>(sum, [own.map(({ id }) => id)]);
      return row?.connections;
    };
    await eventually('the agents of earlier tests are gone', async () => (await reported()) === 0);
    const agent = await online(await newDevice());
    await online(await newDevice());
    expect(await reported()).toBe(2);
    await agent.stop();
    await eventually('one is left', async () => (await reported()) === 1);
  });

  it('takes no other for gone after a pause of its own, as after an outage of the database', async () => {
    await addNodes({ overdue: 70 });
    const node = server.app.get(ServerNode);
    Object.assign(timesOf(server), { steadyMs: 5, holeMs: -1 });
    await node.report();
    expect(await nodes()).toContain('overdue');
    await server.dataSource.query(`DELETE FROM nodes WHERE id = 'overdue'`);
  });

  it('ends its process when the others took it for gone, and has written nothing since', async () => {
    const first = keep(await TestApp.start());
    const [exit] = first.nodes.map(({ app }) =>
      vi.spyOn(app.get(ProcessExit, { strict: false }), 'now').mockImplementation(() => undefined),
    );
    const device = await createKeyedDevice(first, await createTenant(first));
    const agent = keep(await FakeAgent.online(first, device));
    await first.dataSource.query('DELETE FROM nodes');
    await first.dataSource.query(`UPDATE devices SET is_online = FALSE, connection_id = '', node_id = NULL`);
    await agent.heartbeat().catch(() => undefined);
    expect(await rowOf(first, device.id)).toMatchObject({ is_online: false, node_id: null });
    await first.app.get(ServerNode).report();
    expect(exit).toHaveBeenCalledWith(expect.stringContaining('took this one for gone'));
  });

  it('has another id at each start, and marks the devices of a crashed one offline, but none of a node that lives', async () => {
    const first = await TestApp.start();
    const home = await createTenant(first);
    const former = await createKeyedDevice(first, home, { isOnline: true, connectionId: 'x', nodeId: first.app.get(ServerNode).id });
    const foreign = await createKeyedDevice(first, home, { isOnline: true, connectionId: 'y', nodeId: 'another-node' });
    await first.dataSource.query(`INSERT INTO nodes (id, started_at, last_seen_at) VALUES ('another-node', now(), now())`);
    await first.close();

    const second = keep(await first.startAgain());
    expect(second.app.get(ServerNode).id).not.toBe(first.app.get(ServerNode).id);
    expect(await rowOf(second, former.id)).toMatchObject({ is_online: false, connection_id: '', node_id: null });
    expect(await rowOf(second, foreign.id)).toMatchObject({ is_online: true, connection_id: 'y' });
  });

  it('marks devices with open connections offline before it stops in good order', async () => {
    const first = await TestApp.start();
    const device = await createKeyedDevice(first, await createTenant(first));
    await FakeAgent.online(first, device);
    await first.close();
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
      await first.close();
    } finally {
      await admin.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS true`);
      await admin.end();
    }
    // As outside of tests, the next process has the database alone.
    vi.stubEnv('DEVICE_MANAGEMENT_TESTS_SHARE_DATABASE', '');
    try {
      const second = keep(await first.startAgain());
      expect(await rowOf(second, device.id)).toMatchObject({ is_online: false, connection_id: '' });
    } finally {
      vi.unstubAllEnvs();
    }
  });
});
