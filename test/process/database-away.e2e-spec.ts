import { beforeAll, describe, expect } from 'vitest';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';

import { LocalPostgres } from '#libs/local-postgres';

import type { Service } from '../../demo/service.js';
import { enrol, ReportingDevice } from '../support/devices/reporting-device.js';
import { eventually } from '../support/eventually.js';
import { builtProject, onDatabase, onMachine, type Machine } from '../support/processes/service-process.js';

/*
 * PostgreSQL is away for longer than the time after which a process counts as gone. All processes are overdue when it is back, and none
 * of them is gone.
 */

const AWAY_MS = 70_000;
/** Time for which all have reported again before anything is concluded. */
const AFTERWARDS = `interval '12 seconds'`;
const SILENT = { log: (): void => undefined, warn: (): void => undefined };

/** A device that is connected to a service and has reported. */
async function online(machine: Machine, service: Service, name: string, onClose: () => void): Promise<void> {
  const device = await ReportingDevice.register(service.url, await enrol(machine.client(service)));
  machine.alsoStop({ stop: () => device.disconnect() });
  await device.connect(service.url, onClose);
  await device.reportAs(name);
}

async function rows<T extends object>({ connection }: LocalPostgres, sql: string): Promise<T[]> {
  const client = new Client(connection);
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('PostgreSQL that is away for 70 s', () => {
  beforeAll(builtProject);

  onMachine('makes no process gone, and no device offline whose agent is connected', async ({ machine, onTestFinished }) => {
    const begin = (): Promise<LocalPostgres> => LocalPostgres.start({ dataDirectory: machine.dataPath, log: SILENT });
    let postgres = await begin();
    onTestFinished(() => postgres.stop());
    const start = (name: string): Promise<Service> =>
      machine.start({
        ...onDatabase({ connection: postgres.connection }),
        Service_DataPath: join(machine.folder, name),
        DEVICE_MANAGEMENT_TESTS_SHARE_DATABASE: 'yes',
      });
    const services = [await start('first'), await start('second')];
    const closed: string[] = [];
    for (const [index, service] of services.entries())
      await online(machine, service, `device ${index}`, () => closed.push(`device ${index}`));
    const nodes = await rows(postgres, 'SELECT id FROM nodes ORDER BY id');

    await postgres.stop();
    for (const { url } of services) {
      await eventually('the process is not ready', async () => (await fetch(`${url}/health/ready`)).status === 503);
    }
    // The fault itself: nothing tells that it has lasted long enough.
    await delay(AWAY_MS);
    postgres = await begin();

    const [{ since }] = await rows<{ since: string }>(postgres, 'SELECT now()::text AS since');
    await eventually('all have reported again for a while', async () => {
      const late = await rows(postgres, `SELECT FROM nodes WHERE last_seen_at < '${since}'::timestamptz + ${AFTERWARDS}`);
      return late.length === 0;
    });
    expect(await rows(postgres, 'SELECT id FROM nodes ORDER BY id')).toEqual(nodes);
    expect(await rows(postgres, 'SELECT name FROM devices WHERE is_online ORDER BY name')).toEqual([
      { name: 'device 0' },
      { name: 'device 1' },
    ]);
    expect(closed).toEqual([]);
    for (const { program, url } of services) {
      expect(program.isRunning).toBe(true);
      await eventually('the process is ready again', async () => (await fetch(`${url}/health/ready`)).status === 200);
      expect(program.output).not.toContain('took this one for gone');
    }
  });
});
