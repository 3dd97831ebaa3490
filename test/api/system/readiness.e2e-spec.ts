import { setTimeout as delay } from 'node:timers/promises';

import { afterEach, describe, expect, it } from 'vitest';

import { NodeTimes } from '../../../src/platform/node/node-times.js';
import { ServerNode } from '../../../src/platform/node/server-node.js';
import { testServer } from '../../support/setup/test-server.js';

const OTHER = 'another process';
/** Several times as long as a report may take that tells the clock. The wait itself: nothing tells that it has lasted long enough. */
const LONG_REPORT_MS = 3_000;

describe('the readiness of a process', () => {
  const server = testServer();
  const node = (): ServerNode => server.app.get(ServerNode, { strict: false });
  const times = (): NodeTimes => server.app.get(NodeTimes, { strict: false });
  afterEach(() => Object.assign(times(), new NodeTimes()));

  const ready = async (): Promise<unknown> => {
    const answer = await server.client({}).get('/health/ready');
    return [answer.status, answer.body];
  };
  /** Reports until the clock of this process is about so far ahead of the database's: a report that takes long does not tell it. */
  async function reportUntilAhead(ms: number): Promise<void> {
    const error = async (): Promise<number> => {
      await node().report();
      return Math.abs(node().standing.clockAheadMs - ms);
    };
    await expect.poll(error).toBeLessThan(5_000);
  }
  const READY = {
    status: 'Ready',
    database: 'Healthy',
    node: 'Reported',
    state: 'Running',
    clockAheadMs: expect.any(Number),
    clock: 'Right',
  };

  it('is reported with the parts that it depends on', async () => {
    expect(await ready()).toEqual([200, READY]);
  });

  it('takes its own report to the database', async () => {
    Object.assign(times(), { holeMs: -1 });
    expect(await ready()).toEqual([503, { ...READY, status: 'NotReady', node: 'Overdue' }]);
  });

  it.each([25_000, -25_000])(
    'takes a clock like that of the database: one that is %d ms ahead is told so, and judges nobody',
    async (ms) => {
      await server.dataSource.query(
        `INSERT INTO nodes (id, version, started_at, last_seen_at) VALUES ($1, '', now(), now() - interval '1 hour') ON CONFLICT DO NOTHING`,
        [OTHER],
      );
      Object.assign(times(), { steadyMs: 0 });
      server.clock.advance(ms);
      await reportUntilAhead(ms);
      expect(await ready()).toEqual([503, { ...READY, status: 'NotReady', clock: 'Wrong' }]);
      expect(await server.dataSource.query('SELECT id FROM nodes WHERE id = $1', [OTHER])).toHaveLength(1);

      server.clock.advance(-ms);
      await reportUntilAhead(0);
      expect(await ready()).toEqual([200, READY]);
      expect(await server.dataSource.query('SELECT id FROM nodes WHERE id = $1', [OTHER])).toEqual([]);
    },
  );

  it('keeps the clock of quick reports when one takes long, as in a process that stands still', async () => {
    await reportUntilAhead(0);
    const blocking = server.dataSource.createQueryRunner();
    await blocking.startTransaction();
    try {
      await blocking.query('SELECT id FROM nodes WHERE id = $1 FOR UPDATE', [node().id]);
      const report = node().report();
      await delay(LONG_REPORT_MS);
      await blocking.rollbackTransaction();
      await report;
    } finally {
      await blocking.release();
    }
    expect(Math.abs(node().standing.clockAheadMs)).toBeLessThan(LONG_REPORT_MS / 3);
  });

  it('ends when it drains, which its row says, too', async () => {
    await node().drain();
    expect(await ready()).toEqual([503, { ...READY, status: 'NotReady', state: 'Draining' }]);
    expect(await server.dataSource.query('SELECT state FROM nodes WHERE id = $1', [node().id])).toEqual([{ state: 'draining' }]);
    expect((await server.client({}).get('/health')).status).toBe(200);
  });
});
