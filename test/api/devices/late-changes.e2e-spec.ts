import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { agentClient, hubOk } from '#libs/contracts';

import { MAXIMUM_AGE_MS } from '../../../src/devices/device-link/call-age.js';
import { Standstill } from '../../../src/devices/device-link/standstill.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import { ROOT_KEY } from '../../support/application/app.js';
import { createKeyedDevice, FakeAgent, waitOnline, type KeyedDevice } from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import { createDevice, createTenant } from '../../support/fixtures/factories.js';
import { testServer } from '../../support/setup/test-server.js';

/** Time for which the process stands still, in milliseconds: longer than a change may wait. */
const STANDSTILL_MS = MAXIMUM_AGE_MS + 500;

/** A client on a thread of its own, which goes on while this one stands still: it sends a request, and reads the answer or leaves. */
const CLIENT = `
  const { connect } = require('node:net');
  const { parentPort, workerData: { port, text, waits, isSent } } = require('node:worker_threads');
  const socket = connect(port, '127.0.0.1', () => socket.write(text, () => {
    if (!waits) socket.destroy();
    Atomics.store(isSent, 0, 1);
    Atomics.notify(isSent, 0);
  }));
  socket.once('data', (data) => {
    parentPort.postMessage(data.toString());
    socket.destroy();
  });
  socket.once('close', () => parentPort.postMessage(''));
`;

describe('a change on a device that was asked for while the service stood still', () => {
  const server = testServer();
  let tenant: Tenant;
  let device: KeyedDevice;
  let deletions = 0;

  beforeAll(async () => {
    tenant = await createTenant(server);
    device = await createKeyedDevice(server, tenant);
    const agent = server.alsoStop(await FakeAgent.online(server, device));
    await waitOnline(server, device.id);
    agent.on(agentClient.DeleteFile, () => {
      deletions += 1;
      return hubOk();
    });
  });

  const url = (): URL => new URL(`/api/v1/device-file-system/delete-path/${device.id}?tenantId=${tenant.id}`, server.url);
  const body = JSON.stringify({ filePath: '/tmp/file' });
  const headers = { 'x-api-key': ROOT_KEY, 'content-type': 'application/json' };
  const remove = async (): Promise<number> => (await fetch(url(), { method: 'DELETE', headers, body })).status;

  /** Lets a client ask for the deletion while this process stands still. Returns the beginning of the answer; nothing if it leaves. */
  async function removeLate(waits: boolean): Promise<string> {
    const { host, port, pathname, search } = url();
    const lines = Object.entries({ host, ...headers, 'content-length': String(body.length) }).map(([name, value]) => `${name}: ${value}`);
    const text = `DELETE ${pathname}${search} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
    const isSent = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(CLIENT, { eval: true, workerData: { port: Number(port), text, waits, isSent } });
    const [answer] = await Promise.all([
      once(worker, 'message'),
      once(worker, 'online').then(() => {
        Atomics.wait(isSent, 0, 0);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STANDSTILL_MS);
      }),
    ]);
    await worker.terminate();
    return String(answer[0]);
  }

  it('is not made, whether its client waits or has left, and is made again a second later', async () => {
    const status = await remove();
    expect([status, deletions]).toEqual([200, 1]);
    expect(await removeLate(true)).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: 1\r\n/i);
    await removeLate(false);
    await eventually('it is made', async () => (await remove()) === status);
    expect(deletions).toBe(2);
  });

  describe('that waits at the service', () => {
    afterEach(() => void vi.restoreAllMocks());

    /** Lets the clock go on by so many milliseconds, in steps that are no standstill. */
    function letPass(milliseconds: number): void {
      const now = performance.now.bind(performance);
      let passed = 0;
      vi.spyOn(performance, 'now').mockImplementation(() => now() + passed);
      const standstill = server.app.get(Standstill, { strict: false });
      for (; passed < milliseconds; passed += 500) standstill.arrivedSince();
    }

    it.each([
      { milliseconds: 1_000, status: 200, made: 1 },
      { milliseconds: MAXIMUM_AGE_MS + 500, status: 503, made: 0 },
    ])('is answered with $status after $milliseconds ms', async ({ milliseconds, status, made }) => {
      const before = deletions;
      // The service knows nothing of any device any more, so that it has to read the one of the request.
      await createDevice(server, { tenantId: tenant.id });
      const runner = server.dataSource.createQueryRunner();
      try {
        await runner.startTransaction();
        await runner.query('LOCK TABLE devices IN ACCESS EXCLUSIVE MODE');
        const answer = remove();
        // Other reads of devices may wait besides.
        await eventually('the request waits for the database', async () => {
          const [{ count }] = await server.dataSource.query<[{ count: string }]>(
            `SELECT count(*) FROM pg_stat_activity
             WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%WHERE d.id = $1 %'`,
          );
          return Number(count) > 0;
        });
        letPass(milliseconds);
        await runner.rollbackTransaction();
        expect(await answer).toBe(status);
      } finally {
        await runner.release();
      }
      expect(deletions - before).toBe(made);
    });
  });
});
