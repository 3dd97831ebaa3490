import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeAll, describe, expect } from 'vitest';

import type { Service } from '../../../demo/service.js';
import { AdvisoryLock } from '../../../src/platform/database/locks/advisory-locks.js';
import { BackupKind } from '../../../src/system/backups/running/backup-files.js';
import { BackupOutcome, type BackupRunDto, type ServerBackupsResponseDto } from '../../../src/system/backups/running/server-backups.dto.js';
import { verifyBackup } from '../../../src/system/backups/verify-backup.js';
import type { TestDatabase } from '../../support/brokers/postgres.js';
import { eventually } from '../../support/eventually.js';
import { builtProject, onDatabase, onMachine, type Machine } from '../../support/processes/service-process.js';
import { ROUNDS } from '../../support/rounds.js';
import { filledDatabase, query } from './backups.js';

const PATH = '/account/server-backups';
const UNFINISHED = '.unfinished';
const KILLS = Math.max(ROUNDS, 4);
const LONG = 600_000;
const MINUTE_MS = 60_000;
/** Longest wait for the nightly time, which comes within two minutes, and for which a service looks every minute, in milliseconds. */
const NIGHT_MS = 5 * MINUTE_MS;

const it = onMachine;

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);
const finalIn = async (folder: string): Promise<readonly string[]> =>
  (await namesIn(folder)).filter((name) => !name.endsWith(UNFINISHED)).sort();

/** Size of the file that is being written; null for none. */
async function unfinishedSize(folder: string): Promise<number | null> {
  const name = (await namesIn(folder)).find((found) => found.endsWith(UNFINISHED));
  if (name === undefined) return null;
  return (await stat(join(folder, name)).catch(() => null))?.size ?? null;
}

/** A database whose backup takes some seconds. No job of the service cleans up customers. */
async function databaseOfSomeSize(): Promise<TestDatabase> {
  const database = await filledDatabase();
  await query(
    database,
    `INSERT INTO customers (id, tenant_id, name, notes)
     SELECT gen_random_uuid(), t.id, 'large ' || n, (SELECT string_agg(md5(n || ' ' || part), '') FROM generate_series(1, 15) part)
     FROM (SELECT id FROM tenants WHERE deleted_at IS NULL LIMIT 1) t, generate_series(1, 50000) n`,
  );
  return database;
}

const listed = async (machine: Machine, service: Service): Promise<ServerBackupsResponseDto> =>
  (await machine.client(service).get(PATH)).body as ServerBackupsResponseDto;

async function lastRun(machine: Machine, service: Service): Promise<BackupRunDto | undefined> {
  return (await listed(machine, service)).runs[0];
}

async function isLockFree(database: TestDatabase): Promise<boolean> {
  const [{ free }] = await query<{ free: boolean }>(database, `SELECT pg_try_advisory_lock(${AdvisoryLock.Backup}) AS free`);
  return free;
}

async function expectAllWhole(folder: string): Promise<void> {
  for (const name of await finalIn(folder)) await verifyBackup({ path: join(folder, name), identities: [] });
}

describe.concurrent('a service that is killed while it writes a backup', () => {
  beforeAll(async () => {
    await builtProject();
  });

  it('leaves the old ones, no half one with a name, and a free lock', { timeout: LONG }, async ({ machine, onTestFinished }) => {
    const database = await databaseOfSomeSize();
    onTestFinished(() => database.drop());
    const folder = join(machine.dataPath, 'backups');
    let service = await machine.start(onDatabase(database));
    expect((await machine.client(service).post(PATH)).status).toBe(202);
    await eventually('a backup is complete', async () => (await listed(machine, service)).running === null);
    const [old] = (await listed(machine, service)).files;
    let [halves, interrupted] = [0, 0];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = await finalIn(folder);
      const enough = (old.size * kill) / (KILLS + 3);
      expect((await machine.client(service).post(PATH)).status).toBe(202);
      await eventually('the file has grown', async () => {
        const size = await unfinishedSize(folder);
        return size === null ? (await finalIn(folder)).length > before.length : size >= enough;
      });
      await service.program.kill();
      const isHalf = (await unfinishedSize(folder)) !== null;
      if (isHalf) halves += 1;
      expect(await finalIn(folder)).toEqual(expect.arrayContaining([...before]));
      await expectAllWhole(folder);
      await eventually('the lock is free', () => isLockFree(database));

      service = await machine.start(onDatabase(database));
      await eventually('the half file is gone', async () => (await unfinishedSize(folder)) === null);
      const { outcome } = (await lastRun(machine, service)) ?? {};
      // One that is killed a moment too late is complete.
      expect([isHalf, outcome]).toEqual([isHalf, isHalf ? BackupOutcome.Interrupted : outcome]);
      if (outcome === BackupOutcome.Interrupted) interrupted += 1;
    }
    expect(halves).toBeGreaterThan(KILLS / 2);

    expect((await machine.client(service).post(PATH)).status).toBe(202);
    await eventually('the next backup is complete', async () => (await lastRun(machine, service))?.outcome === BackupOutcome.Complete);
    const { runs } = await listed(machine, service);
    expect(runs.filter(({ failure }) => failure === 'The service ended before the backup was complete.').length).toBe(interrupted);
    expect(await finalIn(folder)).toContain(old.name);
    await expectAllWhole(folder);
    await service.program.stop();
  });

  it('leaves no half one at night either', { timeout: LONG }, async ({ machine, onTestFinished }) => {
    const database = await databaseOfSomeSize();
    onTestFinished(() => database.drop());
    const folder = join(machine.dataPath, 'backups');
    // A minute that begins while the service runs: one that began before its start would be made up for later.
    const at = new Date(Date.now() + 2 * MINUTE_MS);
    const [hour, minute] = [at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, '0'));
    const env = { ...onDatabase(database), Service_Backup__At: `${hour}:${minute}` };
    const { program } = await machine.start(env);
    await eventually('the nightly backup writes', async () => ((await unfinishedSize(folder)) ?? 0) > 100_000, NIGHT_MS);
    await program.kill();
    expect(await namesIn(folder)).toEqual([expect.stringMatching(/^nightly-.*\.backup\.unfinished$/)]);
    await eventually('the lock is free', () => isLockFree(database));

    const again = await machine.start(env);
    expect(await lastRun(machine, again)).toMatchObject({ kind: BackupKind.Nightly, outcome: BackupOutcome.Interrupted });
    await eventually('the half file is gone', async () => (await namesIn(folder)).length === 0);
    await again.program.stop();
  });
});
