import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect } from 'vitest';
import { Client } from 'pg';

import type { Service } from '../../demo/service.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase } from '../support/postgres.js';
import { enrol, ReportingDevice } from '../support/reporting-device.js';
import { builtProject, onDatabase, onMachine, type Machine } from '../support/service-process.js';

/*
 * Two processes use one database, by mistake or because they are to. Neither takes the devices of the other for its own, or the other for
 * gone, whatever its data folder and its clock say.
 */

/** So long both have reported before anything is concluded: longer than the time after which earlier versions judged each other. */
const TOGETHER = `interval '12 seconds'`;
const CLOCK_AHEAD_MS = 90_000;
/** Sets the clock of a process. */
const SHIFTED = `
  const Right = Date;
  globalThis.Date = class extends Right {
    constructor(...parts) { super(...(parts.length === 0 ? [Right.now() + ${CLOCK_AHEAD_MS}] : parts)); }
    static now() { return Right.now() + ${CLOCK_AHEAD_MS}; }
  };`;

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
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(SHIFTED)}`,
    });
    await untilTogether(shared);
    expect(await shared.rows(ONLINE)).toEqual([{ name: 'of the first' }]);
    const answer = await fetch(`${second.url}/health/ready`);
    const { clock, clockAheadMs } = (await answer.json()) as { clock: string; clockAheadMs: number };
    expect([answer.status, clock]).toEqual([503, 'Wrong']);
    expect(Math.abs(clockAheadMs - CLOCK_AHEAD_MS)).toBeLessThan(10_000);
    expect((await fetch(`${first.url}/health/ready`)).status).toBe(200);
  });
});
