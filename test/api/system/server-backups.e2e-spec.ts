import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { Client } from 'pg';

import { AuthorizationChangeLog } from '../../../src/access/authorization/change-log/change-log.entity.js';
import { AdvisoryLock } from '../../../src/platform/database/locks/advisory-locks.js';
import { BackupRunsRepository } from '../../../src/system/backups/running/backup-runs.repository.js';
import { Backups } from '../../../src/system/backups/running/backups.js';
import type { BackupFileDto, ServerBackupsResponseDto } from '../../../src/system/backups/running/server-backups.dto.js';
import { TestApp } from '../../support/application/app.js';
import { eventually } from '../../support/eventually.js';
import { testServer } from '../../support/setup/test-server.js';

const PATH = '/account/server-backups';
const MISSING = 'nightly-20200101T000000Z.backup';

async function backupsOf(server: TestApp): Promise<ServerBackupsResponseDto> {
  const answer = await server.client().get(PATH);
  expect(answer.status).toBe(200);
  return answer.body as ServerBackupsResponseDto;
}

async function untilIdle(server: TestApp): Promise<ServerBackupsResponseDto> {
  let answer = await backupsOf(server);
  await eventually('the work has ended', async () => {
    answer = await backupsOf(server);
    return answer.running === null;
  });
  return answer;
}

async function backUp(server: TestApp): Promise<BackupFileDto> {
  expect(await server.client().post(PATH)).toMatchObject({ status: 202 });
  const { files } = await untilIdle(server);
  // Names have seconds.
  server.clock.advance(1_000);
  const [newest] = files;
  if (newest === undefined) throw new Error('There is no backup.');
  return newest;
}

const verify = (server: TestApp, name: string) => server.client().post(`${PATH}/${name}/verification`);

describe('the backups of a server', () => {
  const server = testServer();
  let folder: string;

  beforeAll(() => {
    folder = join(server.dataPath, 'backups');
  });

  it('are none at first, with the time of the next one', async () => {
    const { files, runs, nextAt, keep, isEncrypted, running, ...rest } = await backupsOf(server);
    expect({ files, runs, keep, isEncrypted, running }).toEqual({ files: [], runs: [], keep: 14, isEncrypted: false, running: null });
    expect(rest).toEqual({ node: null, folder, folderFault: null });
    expect(Date.parse(String(nextAt))).toBeGreaterThan(server.clock.milliseconds());
  });

  it('are those of the only node, whichever one a request names', async () => {
    expect((await server.client().get(PATH, { query: { node: '10.0.0.12:8091' } })).body).toMatchObject({ node: null, folder });
  });

  it('are made on request, listed with their path, and in the change log', async () => {
    const file = await backUp(server);
    expect(file).toMatchObject({ kind: 'Manual', check: 'NotVerified', isEncrypted: false, path: join(folder, file.name) });
    expect((await readFile(file.path)).length).toBe(file.size);
    const [run] = (await backupsOf(server)).runs;
    expect(run).toMatchObject({ kind: 'Manual', outcome: 'Complete', file: file.name, failure: null });
    const entries = await server.dataSource.manager.find(AuthorizationChangeLog, { where: { actionType: 'server-backup-requested' } });
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({ targetType: 'ServerBackup', owningTenantId: null });
  });

  it('are verified: whole, damaged, and after the database has forgotten them', async () => {
    const file = await backUp(server);
    const checked = async (): Promise<BackupFileDto | undefined> => (await untilIdle(server)).files.find(({ name }) => name === file.name);
    expect((await verify(server, file.name)).status).toBe(202);
    expect(await checked()).toMatchObject({ check: 'Whole', fault: null });
    const content = await readFile(file.path);
    content[Math.floor(content.length / 2)] ^= 0x10;
    await writeFile(file.path, content);
    await verify(server, file.name);
    expect(await checked()).toMatchObject({ check: 'Damaged', fault: expect.stringContaining('damaged') });
    await server.dataSource.query('DELETE FROM backup_runs WHERE file = $1', [file.name]);
    expect(await checked()).toMatchObject({ check: 'NotVerified' });
    await verify(server, file.name);
    expect(await checked()).toMatchObject({ check: 'Damaged' });
    await rm(file.path);
  });

  it('that end while the list is read stand in it as running, so that a page asks again', async () => {
    const file = await backUp(server);
    const [runs, backups] = [server.app.get(BackupRunsRepository), server.app.get(Backups)];
    const last = vi.spyOn(runs, 'last').mockImplementationOnce(async () => {
      await eventually('the verification has ended', () => backups.current === null);
      return runs.last();
    });
    expect((await verify(server, file.name)).body).toMatchObject({ running: { task: 'Verification', file: file.name } });
    expect(last).toHaveBeenCalledTimes(2);
    last.mockRestore();
    expect((await backupsOf(server)).files.find(({ name }) => name === file.name)).toMatchObject({ check: 'Whole' });
  });

  it.each([MISSING, '..%2f..%2fetc%2fpasswd', 'mine.backup'])('have no file %s', async (name) => {
    await writeFile(join(folder, 'mine.backup'), 'of an operator');
    expect(await verify(server, name)).toMatchObject({ status: 404 });
    expect((await backupsOf(server)).files.map((file) => file.name)).not.toContain('mine.backup');
  });

  it('are refused with the reason while another one of the database runs, and nothing is stored', async () => {
    const other = new Client(server.database.connection);
    await other.connect();
    await other.query('SELECT pg_advisory_lock($1)', [AdvisoryLock.Backup]);
    const before = await backupsOf(server);
    expect(await server.client().post(PATH)).toMatchObject({
      status: 409,
      body: { detail: 'Another backup of this database is running. Wait until it has ended.' },
    });
    await other.end();
    expect(await backupsOf(server)).toEqual(before);
  });

  it('requested at the same time are one, and the others are refused', async () => {
    const before = (await readdir(folder)).length;
    const answers = await Promise.all([1, 2, 3, 4].map(() => server.client().post(PATH)));
    expect(answers.map(({ status }) => status).sort((one, other) => one - other)).toEqual([202, 409, 409, 409]);
    await untilIdle(server);
    expect((await readdir(folder)).length).toBe(before + 1);
    server.clock.advance(1_000);
  });

  it('that fail once they have begun are in the list with the reason', async () => {
    await rm(folder, { recursive: true });
    await writeFile(folder, 'no folder');
    expect((await server.client().post(PATH)).status).toBe(202);
    const { runs, files, folderFault } = await untilIdle(server);
    expect(runs[0]).toMatchObject({ outcome: 'Failed', failure: expect.stringContaining('cannot be written to') });
    expect([files, folderFault]).toEqual([[], null]);
    await rm(folder);
  });

  it('that a process has not ended are interrupted', async () => {
    await server.dataSource.query(`INSERT INTO backup_runs (id, kind, started_at) VALUES (gen_random_uuid(), 'Nightly', $1)`, [
      server.clock.now(),
    ]);
    expect((await backupsOf(server)).runs[0]).toMatchObject({ outcome: 'Interrupted', finishedAt: null });
    // As another process would, which has begun a backup.
    const other = new Client(server.database.connection);
    await other.connect();
    await other.query('SELECT pg_advisory_lock($1)', [AdvisoryLock.Backup]);
    const { running, runs } = await backupsOf(server);
    expect([running, runs[0]]).toEqual([null, expect.objectContaining({ outcome: 'Running', finishedAt: null })]);
    await other.query('SELECT pg_advisory_unlock_all()');
    // A process that removes half files has the lock, too.
    await other.query(`SET application_name = 'device-management backup cleanup'`);
    await other.query('SELECT pg_advisory_lock($1)', [AdvisoryLock.Backup]);
    expect((await backupsOf(server)).runs[0]).toMatchObject({ outcome: 'Interrupted' });
    // So has `npm run backup`, whose backups are not in the list.
    await other.query(`SET application_name = 'device-management backup by hand'`);
    expect((await backupsOf(server)).runs[0]).toMatchObject({ outcome: 'Interrupted' });
    // Another lock is none of backups.
    await other.query('SELECT pg_advisory_lock($1)', [AdvisoryLock.EventNumbers + 1_000]);
    expect((await backupsOf(server)).runs[0]).toMatchObject({ outcome: 'Interrupted' });
    await other.end();
  });
});

describe('encrypted backups', () => {
  let server: TestApp;

  beforeAll(async () => {
    const recipient = await identityToRecipient(await generateX25519Identity());
    server = await TestApp.start({ Service_Backup__Recipients: recipient, Service_Backup__At: '' });
  });
  afterAll(() => server.stop());

  it('say so, and are not verified here', async () => {
    const file = await backUp(server);
    expect(file).toMatchObject({ isEncrypted: true, check: 'Encrypted', name: expect.stringMatching(/\.backup\.age$/) });
    expect((await readFile(file.path)).subarray(0, 22).toString()).toBe('age-encryption.org/v1\n');
    expect(await verify(server, file.name)).toMatchObject({ status: 409 });
    expect(await backupsOf(server)).toMatchObject({ isEncrypted: true, nextAt: null });
  });
});
