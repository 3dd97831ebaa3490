import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { join } from 'node:path';
import pg from 'pg';

import type { Program } from '../../demo/program.js';
import { untilListening } from '../../demo/service.js';
import { AdvisoryLock } from '../../src/platform/database/locks/advisory-locks.js';
import { createTestDatabase, type TestDatabase } from '../support/brokers/postgres.js';
import { eventually } from '../support/eventually.js';
import { Machine, onDatabase } from '../support/processes/service-process.js';
import { SEVERAL } from '../support/rounds.js';

const SENTENCE =
  'Another process of this service uses the database. Stop that one, then start this one again. Several at a time need Service_Nodes__Nats on all of them.';
/** Statement that ends the listening connections of services at the database. */
const CUT = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE datname = current_database() AND application_name = 'device-management invalidations'`;
/** Finds those that wait for an advisory lock of the database. Others of the server have locks of the same kind. */
const WAITED_FOR = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
                    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
/** Time in which the lock of a killed process is free, in milliseconds: half of what a start waits for it, and more than a pause of the machine counts. */
const FREE_WITHIN_MS = 5_000;

describe('a second process on one database', () => {
  let machine: Machine;
  let database: TestDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    [machine, database] = await Promise.all([Machine.open(), createTestDatabase()]);
    client = new pg.Client(database.connection);
    await client.connect();
  });

  afterAll(async () => {
    await client.end();
    await machine.close();
    await database.drop();
  });

  /** Launches a process with a data folder of its own. */
  const launch = (name: string): Program => machine.launch({ ...onDatabase(database), Service_DataPath: join(machine.folder, name) });
  const health = async (url: string): Promise<number> => (await fetch(`${url}/health`)).status;

  it('is refused with a sentence before anything is written, and the first one does not notice', async () => {
    await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    await client.query('SELECT pg_advisory_lock($1)', [AdvisoryLock.Service]);
    const refused = launch('early');
    expect(await refused.untilEnd()).toMatchObject({ code: 1 });
    expect(refused.output.trim().split('\n').at(-1)).toBe(SENTENCE);
    const { rows } = await client.query(`SELECT 1 FROM information_schema.tables WHERE table_schema = 'public'`);
    expect(rows).toEqual([]);
    await client.query('SELECT pg_advisory_unlock($1)', [AdvisoryLock.Service]);
    const first = await untilListening(launch('first'));
    const second = launch('second');
    expect(await second.untilEnd()).toMatchObject({ code: 1 });
    expect(second.output).toContain(SENTENCE);
    expect(second.output).not.toContain('Listening');
    expect([first.program.isRunning, await health(first.url)]).toEqual([true, 200]);
    await first.program.stop();
  });

  it('starts while the first one stops', async () => {
    const first = await untilListening(launch('first'));
    const second = launch('second');
    first.program.signal('SIGTERM');
    expect((await first.program.untilEnd()).code).not.toBe(1);
    expect(await health((await untilListening(second)).url)).toBe(200);
    await second.stop();
  });

  it('ends at once when it is told to stop while it waits for the first one', async () => {
    await client.query('SELECT pg_advisory_lock($1)', [AdvisoryLock.Service]);
    const waiting = launch('second');
    await eventually('the lock is waited for', async () => {
      const { rows } = await client.query(WAITED_FOR);
      return rows.length > 0;
    });
    waiting.signal('SIGTERM');
    expect(await waiting.untilEnd()).toMatchObject({ code: 143 });
    expect(waiting.output).not.toContain(SENTENCE);
    await client.query('SELECT pg_advisory_unlock($1)', [AdvisoryLock.Service]);
  });

  it(`starts at once where the first one was killed, ${SEVERAL} times`, async () => {
    for (let count = 0; count < SEVERAL; count += 1) {
      const { program } = await untilListening(launch('first'));
      program.signal('SIGKILL');
      await program.untilEnd();
      const isFree = async (): Promise<boolean> => {
        const { rows } = await client.query<{ isTaken: boolean }>('SELECT pg_try_advisory_lock($1) AS "isTaken"', [AdvisoryLock.Service]);
        return rows[0].isTaken;
      };
      await eventually('the lock is free', isFree, FREE_WITHIN_MS);
      await client.query('SELECT pg_advisory_unlock($1)', [AdvisoryLock.Service]);
    }
  });

  it('ends the first one where it has taken the lock while the connection that holds it was lost', async () => {
    const { program } = await untilListening(launch('first'));
    const taken = client.query(`SET lock_timeout = 0; SELECT pg_advisory_lock(${AdvisoryLock.Service})`);
    await eventually('the lock is waited for', async () => {
      const other = new pg.Client(database.connection);
      await other.connect();
      try {
        const { rows } = await other.query(WAITED_FOR);
        if (rows.length === 0) return false;
        await other.query(CUT);
        return true;
      } finally {
        await other.end();
      }
    });
    await taken;
    expect(await program.untilEnd()).toMatchObject({ code: 1 });
    expect(program.output).toContain(SENTENCE);
    await client.query('SELECT pg_advisory_unlock($1)', [AdvisoryLock.Service]);
  });

  it('goes on where the lost connection is made again', async () => {
    const { program, url } = await untilListening(launch('first'));
    await client.query(CUT);
    await program.untilPrints(/The connection for cache invalidation is back/);
    expect(await health(url)).toBe(200);
    const second = launch('second');
    expect(await second.untilEnd()).toMatchObject({ code: 1 });
  });
});
