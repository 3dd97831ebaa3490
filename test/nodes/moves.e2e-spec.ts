import { rm } from 'node:fs/promises';

import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi, type MockInstance } from 'vitest';

import { UpdateWriter } from '../../src/devices/devices/updates/update-writer.js';
import { ServerNode } from '../../src/platform/node/server-node.js';
import { TestApp } from '../support/application/app.js';
import { testServer, testTenant } from '../support/setup/test-server.js';

/*
 * Devices move from one node to another all at once, as when a node drains or is lost: one node writes that their connections have ended
 * while the other writes their reports.
 */

const DEVICES = 4_000;
const MOVES = 4;

describe('devices that move between two nodes at once', () => {
  const server = testServer();
  const tenant = testTenant(server);
  let other: TestApp;
  let warnings: MockInstance<Logger['warn']>;
  let ticks = 1n;

  beforeAll(async () => {
    other = await server.startBeside();
    warnings = vi.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
  });

  afterEach(() => warnings.mockClear());

  afterAll(async () => {
    warnings.mockRestore();
    await other.app.close();
    await rm(other.dataPath, { recursive: true, force: true });
  });

  const idOf = ({ app }: TestApp): string => app.get(ServerNode, { strict: false }).id;
  const writerOf = ({ app }: TestApp): UpdateWriter => app.get(UpdateWriter, { strict: false });

  async function newDevices(): Promise<string[]> {
    const rows = await server.dataSource.query<{ id: string }[]>(
      `INSERT INTO devices (id, tenant_id, name) SELECT gen_random_uuid(), $1, 'device ' || n FROM generate_series(1, $2::int) n RETURNING id`,
      [tenant.id, DEVICES],
    );
    return rows.map(({ id }) => id);
  }

  function report(node: TestApp, deviceId: string): Promise<unknown> {
    return writerOf(node).update({
      deviceId,
      connectionId: `${idOf(node)}.${deviceId}`,
      seenAt: server.clock.now(),
      figures: { cpuUtilization: 0, totalMemory: 0, usedMemory: 0, totalStorage: 0, usedStorage: 0 },
      details: null,
      writtenBy: null,
      publicKey: '',
      ticks: (ticks += 1n),
      address: { publicIpV4: null, publicIpV6: null },
    });
  }

  const leave = (node: TestApp, deviceId: string): Promise<boolean> =>
    writerOf(node).disconnect({ deviceId, connectionId: `${idOf(node)}.${deviceId}`, seenAt: server.clock.now() });

  const placesOf = (): Promise<unknown> =>
    server.dataSource.query(
      `SELECT node_id AS node, connection_id LIKE node_id || '.%' AS "isRight", count(*)::int FROM devices WHERE is_online GROUP BY 1, 2`,
    );

  it('are all online at the new one, in turn, without a deadlock', async () => {
    const ids = await newDevices();
    await Promise.all(ids.map((id) => report(server, id)));
    for (let move = 0; move < MOVES; move += 1) {
      const [from, to] = move % 2 === 0 ? [server, other] : [other, server];
      // In another order each, as they come to the two nodes.
      const left = ids.toReversed().map((id) => leave(from, id));
      const come = ids.map((id) => report(to, id));
      const written = await Promise.all(come);
      await Promise.all(left);
      expect(written.every((device) => device !== null)).toBe(true);
      expect(await placesOf()).toEqual([{ node: idOf(to), isRight: true, count: DEVICES }]);
    }
    expect(warnings.mock.calls.filter(([message]) => /failed/.test(String(message)))).toEqual([]);
  });
});
