import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from 'pg';

import { Permission, PermissionEffect } from '../../../src/access/authorization/permissions/permission.js';
import { AdvisoryLock } from '../../../src/platform/database/locks/advisory-locks.js';
import { NightlyBackup } from '../../../src/system/backups/running/nightly-backup.js';
import { verifyBackup } from '../../../src/system/backups/verify-backup.js';
import type { ServerSettingsResponseDto } from '../../../src/system/server-settings/server-settings.dto.js';
import { TestApp } from '../../support/application/app.js';
import { addToUserGroup, at, createTenant, createUser, createUserGroup, grant, holder } from '../../support/fixtures/factories.js';
import { eventually } from '../../support/eventually.js';
import { MailServer } from '../../support/stand-ins/mail-server.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let mailServer: MailServer;
let server: TestApp;
let folder: string;

beforeAll(async () => {
  mailServer = await MailServer.start();
  server = await TestApp.start({ ...mailServer.env, Service_Backup__Keep: '2' });
  server.clock.stop();
  folder = join(server.dataPath, 'backups');
});

afterAll(async () => {
  await server.stop();
  await mailServer.stop();
});

const nightly = (): Promise<void> => server.app.get(NightlyBackup).runIfDue();
const received = (count: number): Promise<void> => eventually('the mails arrive', () => mailServer.received.length === count);
const names = async (): Promise<string[]> => (await readdir(folder)).sort();
const backups = async (): Promise<ServerSettingsResponseDto['backups']> =>
  ((await server.client().get('/account/server-settings')).body as ServerSettingsResponseDto).backups;

/** Puts a file in the place of the folder, so that no backup can be written. */
async function withoutFolder(work: () => Promise<void>): Promise<void> {
  await rename(folder, `${folder}-away`);
  await writeFile(folder, 'no folder');
  await work();
  await rm(folder);
  await rename(`${folder}-away`, folder);
}

describe('the nightly backup', () => {
  it('is made once when it is due, into a file that only its account reads and that is whole', async () => {
    await nightly();
    await expect(readdir(folder)).rejects.toThrow('ENOENT');
    server.clock.advance(DAY_MS);
    await nightly();
    await nightly();
    const [name, ...others] = await names();
    expect([name, others]).toEqual([expect.stringMatching(/^nightly-\d{8}T\d{6}Z\.backup$/), []]);
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    const { tables } = await verifyBackup({ path: join(folder, name), identities: [] });
    expect(tables.find((table) => table.name === 'service_accounts')?.rows).toBeGreaterThan(0);
    expect(tables.some((table) => table.name === 'backup_runs')).toBe(false);
    expect(await backups()).toMatchObject({ state: 'SetUp', findings: [], lastSuccessAt: server.clock.now().toISOString(), failure: null });
  });

  it('removes old ones after a new one is complete, and no file of others', async () => {
    const mine = ['before-move.backup', 'manual-20200101T000000Z.backup', 'nightly-20200101T000000Z.sql'];
    const old = 'nightly-20200101T000000Z.backup';
    for (const name of [...mine, old]) await writeFile(join(folder, name), '');
    await withoutFolder(async () => {
      server.clock.advance(DAY_MS);
      await nightly();
    });
    expect(await names()).toContain(old);
    server.clock.advance(HOUR_MS);
    await nightly();
    expect((await names()).filter((name) => name.startsWith('nightly') && name.endsWith('.backup'))).toHaveLength(2);
    expect(await names()).toEqual(expect.arrayContaining(mine));
    expect(await names()).not.toContain(old);
    for (const name of mine) await rm(join(folder, name));
  });

  it('that fails is a finding and a mail to administrators of the server, tried again each hour, until one succeeds', async () => {
    const tenant = await createTenant(server);
    const user = async (email: string, isSuspended = false) =>
      createUser(server, { tenantId: tenant.id, email, ...(isSuspended ? { suspendedAt: new Date() } : {}) });
    const [ann, bob, cleo, dan] = await Promise.all([
      user('ann@example.org'),
      user('bob@example.org'),
      user('cleo@example.org'),
      user('dan@example.org', true),
    ]);
    await user('eve@example.org');
    const group = await createUserGroup(server, { tenantId: tenant.id });
    await addToUserGroup(server, group, bob, cleo);
    const permission = Permission.ServerSettingsWrite;
    for (const principal of [holder.user(ann), holder.userGroup(group), holder.user(dan)])
      await grant(server, { principal, permission, scope: at.server });
    await grant(server, { principal: holder.user(cleo), permission, scope: at.server, effect: PermissionEffect.Deny });

    const before = await names();
    await withoutFolder(async () => {
      server.clock.advance(DAY_MS);
      await nightly();
      expect(await backups()).toMatchObject({
        state: 'NeedsAttention',
        findings: [{ kind: 'BackupFailed' }],
        failure: expect.stringContaining('cannot be written to'),
      });
      await received(2);
      expect(mailServer.received.flatMap(({ to }) => to).sort()).toEqual(['ann@example.org', 'bob@example.org']);
      expect(mailServer.received[0]?.source).toContain('The nightly backup failed');
      // Not before an hour has passed, and without another mail.
      await nightly();
      server.clock.advance(HOUR_MS);
      await nightly();
      server.clock.advance(6 * HOUR_MS);
      expect((await backups()).findings).toEqual([{ kind: 'BackupFailed' }, { kind: 'BackupOverdue' }]);
    });
    expect(await names()).toEqual(before);
    expect(await server.dataSource.query('SELECT count(*)::int AS failed FROM backup_runs WHERE failure IS NOT NULL')).toEqual([
      { failed: 3 },
    ]);
    await nightly();
    expect(await names()).not.toEqual(before);
    expect(await backups()).toMatchObject({ state: 'SetUp', findings: [] });
    await withoutFolder(async () => {
      server.clock.advance(DAY_MS);
      await nightly();
      await received(4);
    });
  });

  it('waits for another backup of the database, and is made after it', async () => {
    const other = new Client(server.database.connection);
    await other.connect();
    await other.query('SELECT pg_advisory_lock($1)', [AdvisoryLock.Backup]);
    const before = await names();
    server.clock.advance(DAY_MS);
    await nightly();
    expect(await names()).toEqual(before);
    await other.end();
    await nightly();
    expect(await names()).not.toEqual(before);
  });

  it('of a process that died is failed, and its rest is removed', async () => {
    await server.dataSource.query(`INSERT INTO backup_runs (id, kind, started_at) VALUES (gen_random_uuid(), 'Nightly', $1)`, [
      server.clock.now(),
    ]);
    await mkdir(folder, { recursive: true });
    server.clock.advance(DAY_MS);
    await nightly();
    const [run] = await server.dataSource.query<{ failure: string }[]>(
      `SELECT failure FROM backup_runs WHERE failure IS NOT NULL ORDER BY started_at DESC LIMIT 1`,
    );
    expect(run?.failure).toBe('The service ended before the backup was complete.');
    expect((await backups()).findings).toEqual([]);
  });
});

describe('a service with nightly backups off', () => {
  it('makes none, and says so', async () => {
    const quiet = await TestApp.start({ Service_Backup__At: '' });
    try {
      quiet.clock.advance(2 * DAY_MS);
      await quiet.app.get(NightlyBackup).runIfDue();
      await expect(readdir(join(quiet.dataPath, 'backups'))).rejects.toThrow('ENOENT');
      const { body } = await quiet.client().get('/account/server-settings');
      expect((body as ServerSettingsResponseDto).backups).toMatchObject({ state: 'NotSetUp', findings: [{ kind: 'BackupsOff' }] });
    } finally {
      await quiet.stop();
    }
  });
});
