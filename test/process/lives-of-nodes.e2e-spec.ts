import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect } from 'vitest';
import { Client } from 'pg';

import type { Service } from '../../demo/service.js';
import { createTestDatabase } from '../support/brokers/postgres.js';
import { enrol, ReportingDevice } from '../support/devices/reporting-device.js';
import { eventually } from '../support/eventually.js';
import { builtProject, onDatabase, onMachine, type Machine } from '../support/processes/service-process.js';
import { withClock } from '../support/processes/wrong-clock.js';

/*
 * Two processes use one database, by mistake or because they are to. Neither takes the devices of the other for its own, or the other for
 * gone, whatever its data folder and its clock say.
 */

/** Time for which both have reported before anything is concluded: longer than that after which earlier versions took others for gone. */
const TOGETHER = `interval '12 seconds'`;
const CLOCK_AHEAD_MS = 90_000;
/** More than a clock may be off, with room for a slow first report: half of its duration may count as a lead of the clock. */
const CLOCK_BEHIND_MS = -25_000;
/** The time after which a process takes others for gone, and a report more. */
const STEADY = `interval '36 seconds'`;

interface Shared {
  readonly env: Record<string, string>;
  readonly rows: <T extends object>(sql: string) => Promise<T[]>;
}

const it = onMachine.extend('shared', async ({ onTestFinished }): Promise<Shared> => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const client = new Client(database.connection);
  await client.connect();
  onTestFinished(() => client.end());
  const env = { ...onDatabase(database), DEVICE_MANAGEMENT_TESTS_SHARE_DATABASE: 'yes' };
  return { env, rows: async <T extends object>(sql: string) => (await client.query<T>(sql)).rows };
});

/** A device that is connected to a service and has reported. */
async function online(machine: Machine, service: Service, name: string): Promise<ReportingDevice> {
  const device = await ReportingDevice.register(service.url, await enrol(machine.client(service)));
  machine.alsoStop({ stop: () => device.disconnect() });
  await device.connect(service.url);
  await device.reportAs(name);
  return device;
}

const untilTogether = ({ rows }: Shared): Promise<void> =>
  eventually('both have reported for a while', async () => {
    const [row] = await rows<{ count: string }>(`SELECT count(*) FROM nodes WHERE last_seen_at - started_at > ${TOGETHER}`);
    return row?.count === '2';
  });

/** A process that has not reported for two minutes. */
const FORMER = `INSERT INTO nodes (id, started_at, last_seen_at) VALUES ('former', now() - interval '1 hour', now() - interval '2 minutes')`;

/** Asks on a connection of its own: the server may end a kept one while the next request is on its way. */
const readiness = ({ url }: Service): Promise<Response> => fetch(`${url}/health/ready`, { headers: { connection: 'close' } });

/** Expects that a process is not ready because of its clock, and that it reports the clock's lead. */
async function expectWrongClock(service: Service, aheadMs: number): Promise<void> {
  const answer = await readiness(service);
  const { clock, clockAheadMs } = (await answer.json()) as { clock: string; clockAheadMs: number };
  expect([answer.status, clock]).toEqual([503, 'Wrong']);
  expect(Math.abs(clockAheadMs - aheadMs)).toBeLessThan(10_000);
}

const ONLINE = 'SELECT name FROM devices WHERE is_online ORDER BY name';

describe.concurrent('two processes on one database', () => {
  beforeAll(builtProject);

  it('with copies of one data folder are two nodes, and leave each other their devices', async ({ machine, shared }) => {
    const [folder, copy] = [join(machine.folder, 'data'), join(machine.folder, 'copy')];
    const first = await machine.start({ ...shared.env, Service_DataPath: folder });
    await online(machine, first, 'of the first');
    await promisify(execFile)('cp', ['-a', folder, copy]);
    const second = await machine.start({ ...shared.env, Service_DataPath: copy });
    await online(machine, second, 'of the second');
    await untilTogether(shared);
    expect(await shared.rows(ONLINE)).toEqual([{ name: 'of the first' }, { name: 'of the second' }]);
    expect(await shared.rows('SELECT DISTINCT node_id FROM devices')).toHaveLength(2);
  });

  it('of which one has a clock that is 90 s ahead go on, and that one is not ready', async ({ machine, shared }) => {
    const first = await machine.start({ ...shared.env, Service_DataPath: join(machine.folder, 'first') });
    await online(machine, first, 'of the first');
    const second = await machine.start({
      ...shared.env,
      Service_DataPath: join(machine.folder, 'second'),
      ...withClock(CLOCK_AHEAD_MS),
    });
    await untilTogether(shared);
    expect(await shared.rows(ONLINE)).toEqual([{ name: 'of the first' }]);
    await expectWrongClock(second, CLOCK_AHEAD_MS);
    expect((await fetch(`${first.url}/health/ready`)).status).toBe(200);
  });

  it('of which one has a clock that is 25 s off: it is not ready and takes no other for gone', async ({ machine, shared }) => {
    const service = await machine.start({ ...shared.env, ...withClock(CLOCK_BEHIND_MS) });
    await shared.rows(FORMER);
    await expectWrongClock(service, CLOCK_BEHIND_MS);
    const former = async (): Promise<number> => (await shared.rows(`SELECT FROM nodes WHERE id = 'former'`)).length;
    await eventually('it has reported for a while', async () => {
      const [row] = await shared.rows<{ isSteady: boolean }>(
        `SELECT last_seen_at - started_at > ${STEADY} AS "isSteady" FROM nodes WHERE id <> 'former'`,
      );
      return row?.isSteady ?? false;
    });
    expect(await former()).toBe(1);
    await expectWrongClock(service, CLOCK_BEHIND_MS);
  });
});
