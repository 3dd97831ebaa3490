import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SchedulerRegistry } from '@nestjs/schedule';

import { AuthorizationChangeLog } from '../../../src/access/authorization/change-log/change-log.entity.js';
import { AuthorizationService } from '../../../src/access/authorization/evaluation/authorization.service.js';
import { Permission, PermissionEffect, PermissionPrincipalKind } from '../../../src/access/authorization/permissions/permission.js';
import { PermissionAssignment } from '../../../src/access/permission-assignments/permission-assignment.entity.js';
import { DELETION_REMEMBERED_DAYS } from '../../../src/devices/devices/deleted-device-retention.js';
import type { Device } from '../../../src/devices/devices/device.entity.js';
import {
  InstallerKey,
  InstallerKeyCreatorKind,
  InstallerKeyType,
  InstallerKeyUsage,
} from '../../../src/devices/installer-keys/installer-key.entity.js';
import { LogonToken } from '../../../src/people/logon-tokens/logon-token.entity.js';
import { UsedPasskeyChallenge } from '../../../src/people/passkeys/passkey.entity.js';
import { UnknownName } from '../../../src/people/sign-in/unknown-name.entity.js';
import { User, UserAccountType } from '../../../src/people/users/user.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { BackgroundJobs } from '../../../src/system/background/background-jobs.js';
import { DeviceJobs } from '../../../src/system/background/device-jobs.js';
import { JobMetrics } from '../../../src/system/background/job-metrics.js';
import { PeopleJobs } from '../../../src/system/background/people-jobs.js';
import { TenantJobs } from '../../../src/system/background/tenant-jobs.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import { TestApp } from '../../support/application/app.js';
import {
  at,
  createDevice,
  createLogonToken,
  createPersonalAccessToken,
  createTenant,
  createUser,
  grant,
  grantAll,
  holder,
} from '../../support/fixtures/factories.js';
import { testServer } from '../../support/setup/test-server.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The options of every job, all switched on. */
const OPTIONS = {
  Service_AppOptions__ExternalUserCleanupAfterDays: '30',
  Service_AppOptions__LogonTokenGrantCleanupAfterDays: '7',
  Service_AppOptions__AgentInstallerKeyHistoryDays: '90',
  Service_AppOptions__AuthorizationChangeLogRetentionDays: '365',
};

const server = testServer(OPTIONS);
let tenant: Tenant;
let device: Device;

beforeAll(async () => {
  // Rows that a job must keep are only a minute short of its limit, so the clock must not run.
  server.clock.stop();
  await endSchedule(server);
});

beforeEach(async () => {
  tenant = await createTenant(server);
  device = await createDevice(server, { tenantId: tenant.id });
});

const before = (milliseconds: number, app = server): Date => new Date(app.clock.milliseconds() - milliseconds);
const manager = (app = server) => app.dataSource.manager;

/** No job of the application's own schedule runs from now on, beside those that are looked at. */
async function endSchedule({ nodes }: TestApp): Promise<void> {
  for (const { app } of nodes) {
    const jobs = app.get(BackgroundJobs, { strict: false });
    for (const { name } of jobs.all) app.get(SchedulerRegistry, { strict: false }).deleteInterval(name);
    await jobs.idle();
  }
}

/** The number of running jobs. */
async function jobLocks(app: TestApp): Promise<number> {
  const locks = await app.dataSource.query<object[]>(
    `SELECT 1 FROM pg_locks l JOIN pg_database d ON d.oid = l.database
     WHERE l.locktype = 'advisory' AND l.objsubid = 2 AND d.datname = current_database()`,
  );
  return locks.length;
}

function run(name: string, app = server): Promise<number | null> {
  const job = app.app.get(BackgroundJobs).all.find((known) => known.name === name);
  if (job === undefined) throw new Error(`There is no job ${name}.`);
  return job.run(app.dataSource, new AbortController().signal);
}

const externalUser = (values: Partial<User>, app = server, tenantId = tenant.id): Promise<User> =>
  createUser(app, { tenantId, userName: `ext-${newGuid()}`, accountType: UserAccountType.ExternalUser, ...values });

describe('external users', () => {
  it('are deleted after the configured days without a sign-in, or after their creation if they never signed in', async () => {
    const old = before(30 * DAY_MS + MINUTE_MS);
    const recent = before(30 * DAY_MS - MINUTE_MS);
    const gone = [await externalUser({ createdAt: old }), await externalUser({ createdAt: before(90 * DAY_MS), lastLogin: old })];
    const kept = [
      await externalUser({ createdAt: recent }),
      await externalUser({ createdAt: before(90 * DAY_MS), lastLogin: recent }),
      await createUser(server, { tenantId: tenant.id, createdAt: before(900 * DAY_MS) }),
    ];
    expect(await run('external users')).toBe(2);
    expect(await manager().countBy(User, { tenantId: tenant.id })).toBe(kept.length);
    for (const { id } of kept) expect(await manager().existsBy(User, { id })).toBe(true);
    const entries = await manager().findBy(AuthorizationChangeLog, { owningTenantId: tenant.id, actionType: 'user-deleted' });
    expect(new Set(entries.map(({ targetId }) => targetId))).toEqual(new Set(gone.map(({ id }) => id)));
    expect(entries[0]).toMatchObject({ actorPrincipalType: 'system', actorPrincipalId: null, targetType: 'User' });
    expect(await run('external users')).toBe(0);
  });

  it('stay while they have a usable logon token', async () => {
    const user = await externalUser({ createdAt: before(40 * DAY_MS) });
    await createLogonToken(server, user, device);
    const isThere = () => manager().existsBy(User, { id: user.id });
    await run('external users');
    expect(await isThere()).toBe(true);
    server.clock.advance(16 * MINUTE_MS);
    await run('external users');
    expect([await isThere(), await manager().countBy(LogonToken, { userId: user.id })]).toEqual([false, 0]);
  });

  it('are deleted with their assignments, each of which is logged', async () => {
    const user = await externalUser({ createdAt: before(40 * DAY_MS) });
    const { token } = await createPersonalAccessToken(server, user);
    const right = { permission: Permission.DeviceRead, scope: at.tenant(tenant) };
    const rows = [
      await grant(server, { principal: holder.user(user), ...right }),
      await grant(server, { principal: holder.personalAccessToken(token), ...right }),
    ];
    expect(await run('external users')).toBe(1);
    for (const { id } of rows) {
      expect(await manager().existsBy(PermissionAssignment, { id })).toBe(false);
      expect(await manager().findBy(AuthorizationChangeLog, { targetId: id })).toEqual([
        expect.objectContaining({ actionType: 'permission-assignment-deleted', actorPrincipalType: 'system' }),
      ]);
    }
  });

  it('are deleted in any number', async () => {
    await server.dataSource.query(
      `INSERT INTO users (id, created_at, tenant_id, user_name, normalized_user_name, security_stamp, account_type)
       SELECT gen_random_uuid(), $2, $1, 'ext-' || n, 'EXT-' || n, gen_random_uuid(), 'ExternalUser' FROM generate_series(1, 450) n`,
      [tenant.id, before(31 * DAY_MS)],
    );
    expect(await run('external users')).toBe(450);
  });
});

describe('logon tokens', () => {
  async function tokenWith(values: Partial<LogonToken>): Promise<LogonToken> {
    const user = await createUser(server, { tenantId: tenant.id });
    const token = await createLogonToken(server, user, device, values);
    await grantAll(server, holder.logonToken(token), [Permission.DeviceRead, Permission.DeviceOverviewRead], at.device(device));
    return token;
  }

  const rowsOf = ({ id }: LogonToken): Promise<number> =>
    manager().countBy(PermissionAssignment, { principalKind: PermissionPrincipalKind.LogonToken, principalId: id });

  it.each<[string, () => Partial<LogonToken>]>([
    ['that expired unused', () => ({ expiresAt: before(7 * DAY_MS + MINUTE_MS) })],
    ['whose session ended', () => ({ expiresAt: before(9 * DAY_MS), consumedAt: before(8 * DAY_MS), sessionExpirationMinutes: 23 * 60 })],
  ])('%s days ago go with what they carry', async (_which, values) => {
    const token = await tokenWith(values());
    expect(await run('logon tokens')).toBe(1);
    expect([await manager().existsBy(LogonToken, { id: token.id }), await rowsOf(token)]).toEqual([false, 0]);
    const [entry, ...others] = await manager().findBy(AuthorizationChangeLog, { targetId: token.id });
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      actionType: 'credential-scope-removed',
      targetType: 'LogonToken',
      owningTenantId: tenant.id,
      actorPrincipalType: 'system',
      beforeJson: '{"scopeCount":2}',
    });
  });

  it.each<[string, () => Partial<LogonToken>]>([
    ['that can still be used', () => ({})],
    ['that expired recently', () => ({ expiresAt: before(7 * DAY_MS - MINUTE_MS) })],
    [
      'whose session ended recently',
      () => ({ expiresAt: before(8 * DAY_MS), consumedAt: before(8 * DAY_MS), sessionExpirationMinutes: 1440 + 1 }),
    ],
  ])('%s stay', async (_which, values) => {
    const token = await tokenWith(values());
    expect(await run('logon tokens')).toBe(0);
    expect([await manager().existsBy(LogonToken, { id: token.id }), await rowsOf(token)]).toEqual([true, 2]);
  });

  it('that are deleted leave assignments only as long as a session could use them', async () => {
    const token = await tokenWith({});
    await manager().delete(LogonToken, { id: token.id });
    const age = (days: number) => manager().update(PermissionAssignment, { principalId: token.id }, { createdAt: before(days * DAY_MS) });
    await age(8.9);
    expect([await run('logon tokens'), await rowsOf(token)]).toEqual([0, 2]);
    await age(9.1);
    expect([await run('logon tokens'), await rowsOf(token)]).toEqual([1, 0]);
    const [entry] = await manager().findBy(AuthorizationChangeLog, { targetId: token.id });
    expect(entry).toMatchObject({ actionType: 'credential-scope-removed', owningTenantId: tenant.id, beforeJson: '{"scopeCount":2}' });
  });
});

describe('records of installer key use', () => {
  it('are deleted after the configured days', async () => {
    const installerKeyId = newGuid();
    await manager().insert(InstallerKey, {
      id: installerKeyId,
      tenantId: tenant.id,
      creatorId: newGuid(),
      creatorKind: InstallerKeyCreatorKind.ServerServiceAccount,
      keyType: InstallerKeyType.Persistent,
      hashedSecret: Buffer.alloc(32),
    });
    for (const createdAt of [before(90 * DAY_MS + MINUTE_MS), before(90 * DAY_MS - MINUTE_MS)]) {
      await manager().insert(InstallerKeyUsage, { id: newGuid(), tenantId: tenant.id, installerKeyId, deviceId: device.id, createdAt });
    }
    expect(await run('installer key usages')).toBe(1);
    expect(await manager().countBy(InstallerKeyUsage, { installerKeyId })).toBe(1);
  });
});

describe('entries of the change log', () => {
  it('are deleted after the configured days, however many there are', async () => {
    const insert = (count: number, createdAt: Date) =>
      server.dataSource.query(
        `INSERT INTO authorization_change_logs (id, created_at, action_type, actor_principal_type, target_type, owning_tenant_id)
         SELECT gen_random_uuid(), $2, 'made-up', 'system', 'Tag', $1 FROM generate_series(1, $3::integer)`,
        [tenant.id, createdAt, count],
      );
    await insert(10_003, before(365 * DAY_MS + MINUTE_MS));
    await insert(2, before(365 * DAY_MS - MINUTE_MS));
    expect(await run('change log')).toBe(10_003);
    expect(await manager().countBy(AuthorizationChangeLog, { owningTenantId: tenant.id, actionType: 'made-up' })).toBe(2);
  });
});

describe('deletions of devices', () => {
  it('are forgotten after two years, however many there are', async () => {
    const kept = newGuid();
    const insert = 'INSERT INTO deleted_devices (id, deleted_at)';
    const old = before(DELETION_REMEMBERED_DAYS * DAY_MS + MINUTE_MS);
    await server.dataSource.query(`${insert} SELECT gen_random_uuid(), $1 FROM generate_series(1, 5001)`, [old]);
    await server.dataSource.query(`${insert} VALUES ($1, $2)`, [kept, before(DELETION_REMEMBERED_DAYS * DAY_MS - MINUTE_MS)]);
    expect(await run('deleted devices')).toBe(5_001);
    expect(await server.dataSource.query('SELECT id FROM deleted_devices WHERE id = $1', [kept])).toHaveLength(1);
  });
});

describe('personal access tokens', () => {
  it('lose only the permissions that their owners no longer hold', async () => {
    const user = await createUser(server, { tenantId: tenant.id });
    await grant(server, { principal: holder.user(user), permission: Permission.DeviceRead, scope: at.device(device) });
    await grant(server, { principal: holder.user(user), permission: Permission.TenantTagsWrite, scope: at.tenant(tenant) });
    const { token, principal } = await createPersonalAccessToken(server, user);
    const give = (permission: typeof Permission.DeviceRead, rest: Partial<Parameters<typeof grant>[1]> = {}) =>
      grant(server, { principal: holder.personalAccessToken(token), permission, scope: at.device(device), ...rest });
    const kept = [
      await give(Permission.DeviceRead),
      await give(Permission.TenantTagsWrite, { scope: at.tenant(tenant) }),
      await give(Permission.DeviceTerminalUse, { effect: PermissionEffect.Deny }),
      await give(Permission.DeviceChatSend, { isEnabled: false }),
    ];
    const beyond = [await give(Permission.DeviceTerminalUse), await give(Permission.DeviceRead, { scope: at.tenant(tenant) })];
    expect(await run('personal access token scopes')).toBe(2);
    const left = await manager().findBy(PermissionAssignment, { principalId: token.id });
    expect(left.map(({ id }) => id).sort()).toEqual(kept.map(({ id }) => id).sort());
    const entries = await manager().findBy(AuthorizationChangeLog, { targetId: token.id, actionType: 'credential-scope-trim' });
    expect(entries.map(({ beforeJson }) => JSON.parse(beforeJson ?? '') as object)).toEqual(
      expect.arrayContaining(beyond.map(({ permissionName, scopeKind, scopeId }) => ({ permissionName, scopeKind, scopeId }))),
    );
    // A permission that the owner gets back does not return to the token.
    await grant(server, { principal: holder.user(user), permission: Permission.DeviceRead, scope: at.tenant(tenant) });
    const other = await createDevice(server, { tenantId: tenant.id });
    const resource = { kind: 'Device', id: other.id, tenantId: tenant.id, customerId: null, deviceGroupIds: [] } as const;
    expect(await server.app.get(AuthorizationService).isAllowed(principal, Permission.DeviceRead, resource)).toBe(false);
    expect(await run('personal access token scopes')).toBe(0);
  });
});

describe('a service that is configured to keep everything', () => {
  it('removes nothing', async () => {
    const keeping = await TestApp.start(Object.fromEntries(Object.keys(OPTIONS).map((name) => [name, '0'])));
    try {
      const its = await createTenant(keeping);
      const itsDevice = await createDevice(keeping, { tenantId: its.id });
      const user = await externalUser({ createdAt: before(900 * DAY_MS) }, keeping, its.id);
      await createLogonToken(keeping, user, itsDevice, { expiresAt: before(900 * DAY_MS) });
      await keeping.dataSource.query(
        `INSERT INTO authorization_change_logs (id, created_at, action_type, actor_principal_type, target_type)
         VALUES (gen_random_uuid(), $1, 'made-up', 'system', 'Tag')`,
        [before(9_000 * DAY_MS)],
      );
      await endSchedule(keeping);
      for (const { name } of keeping.app.get(BackgroundJobs).all) expect([name, await run(name, keeping)]).toEqual([name, 0]);
    } finally {
      await keeping.stop();
    }
  });
});

describe('challenges of passkeys that were used', () => {
  it('are deleted when they have expired', async () => {
    const [expired, open] = [newGuid(), newGuid()];
    const rows = [
      { id: expired, expiresAt: before(0) },
      { id: open, expiresAt: before(-1) },
    ];
    await manager().insert(UsedPasskeyChallenge, rows);
    expect(await run('sessions')).toBe(1);
    expect(await manager().find(UsedPasskeyChallenge)).toEqual([rows[1]]);
    await manager().delete(UsedPasskeyChallenge, { id: open });
  });
});

describe('failed sign-ins with names that nobody has', () => {
  const failedAt = (nameHash: number, instant: Date) => ({ nameHash, accessFailedCount: 1, lockoutEnd: null, failedAt: instant });

  it('are forgotten 30 days after the last', async () => {
    const kept = failedAt(2, before(30 * DAY_MS - MINUTE_MS));
    await manager().insert(UnknownName, [failedAt(1, before(30 * DAY_MS + MINUTE_MS)), kept]);
    expect(await run('unknown names')).toBe(1);
    expect(await manager().find(UnknownName)).toEqual([kept]);
    await manager().clear(UnknownName);
  });

  it('are kept for the latest 200,000 names', async () => {
    const names = 200_002;
    await manager().query(
      `INSERT INTO unknown_names (name_hash, access_failed_count, failed_at)
       SELECT n, 1, $1::timestamptz - n * interval '1 ms' FROM generate_series(1, ${names}) n`,
      [before(0)],
    );
    expect(await run('unknown names')).toBe(2);
    expect(await manager().maximum(UnknownName, 'nameHash')).toBe(200_000);
    await manager().clear(UnknownName);
  });
});

describe('at start', () => {
  /** The jobs as on a second node: with the same database and a schedule of their own. All of them are due. */
  async function jobsElsewhere(scheduler: SchedulerRegistry): Promise<BackgroundJobs> {
    const { app, dataSource } = server;
    // The application ran them at its start: they are due again when their period is over.
    await dataSource.query('DELETE FROM job_runs');
    return new BackgroundJobs(dataSource, scheduler, app.get(JobMetrics), app.get(PeopleJobs), app.get(DeviceJobs), app.get(TenantJobs));
  }

  async function stop(jobs: BackgroundJobs, scheduler: SchedulerRegistry): Promise<void> {
    for (const name of scheduler.getIntervals()) scheduler.deleteInterval(name);
    await jobs.beforeApplicationShutdown();
  }

  const ended = async (): Promise<readonly string[]> =>
    (await server.dataSource.query<{ name: string }[]>('SELECT name FROM job_runs')).map(({ name }) => name);

  it('every job runs once and is scheduled; stopping waits until none runs', async () => {
    const user = await externalUser({ createdAt: before(60 * DAY_MS) });
    const scheduler = new SchedulerRegistry();
    const jobs = await jobsElsewhere(scheduler);
    const externalUsers = jobs.all.find(({ name }) => name === 'external users');
    const dealtWithBefore = externalUsers?.dealtWith ?? 0;
    jobs.onApplicationBootstrap();
    try {
      expect(scheduler.getIntervals()).toEqual(jobs.all.map(({ name }) => name));
      await jobs.idle();
      expect(await manager().existsBy(User, { id: user.id })).toBe(false);
      expect(await ended()).toHaveLength(jobs.all.length);
    } finally {
      await stop(jobs, scheduler);
    }
    expect(await jobLocks(server)).toBe(0);
    expect(externalUsers?.dealtWith).toBe(dealtWithBefore + 1);
  });

  it('a job that runs every few seconds does not wait for one that takes long', async () => {
    const scheduler = new SchedulerRegistry();
    const jobs = await jobsElsewhere(scheduler);
    const blocking = server.dataSource.createQueryRunner();
    await blocking.startTransaction();
    try {
      // The job of sessions removes these, too.
      await blocking.query(`LOCK TABLE ${server.dataSource.getMetadata(UsedPasskeyChallenge).tableName}`);
      jobs.onApplicationBootstrap();
      await expect.poll(ended).toContain('offline devices');
      expect(await ended()).not.toContain('unknown names');
    } finally {
      await blocking.rollbackTransaction();
      await blocking.release();
      await stop(jobs, scheduler);
    }
  });
});

describe('jobs with more days than there are dates', () => {
  it('delete nothing and do not fail', async () => {
    const options = [
      ...Object.keys(OPTIONS),
      'Service_AppOptions__SecurityLogRetentionDays',
      'Service_AppOptions__DeviceActivityRetentionDays',
    ];
    const app = await TestApp.start(Object.fromEntries(options.map((option) => [option, String(Number.MAX_SAFE_INTEGER)])));
    try {
      await endSchedule(app);
      const failed: string[] = [];
      for (const job of app.app.get(BackgroundJobs, { strict: false }).all) {
        if ((await job.run(app.dataSource, new AbortController().signal)) === null) failed.push(job.name);
      }
      expect(failed).toEqual([]);
    } finally {
      await app.stop();
    }
  });
});
