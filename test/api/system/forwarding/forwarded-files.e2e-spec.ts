import { afterAll, describe, expect, it } from 'vitest';
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { appendFile, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Visitor } from '../../../../src/access/authentication/visitors/visitors.js';
import { SecurityLog } from '../../../../src/access/security-log/security-log.js';
import { DeviceActivitiesRepository, type ActivityRow } from '../../../../src/devices/device-activity/device-activities.repository.js';
import { DeviceActivityKind, DeviceActivityOutcome } from '../../../../src/devices/device-activity/device-activity-kinds.js';
import { hasCode } from '../../../../src/platform/common/errors/system-error.js';
import { newGuid } from '../../../../src/platform/common/identifiers/guid.js';
import { ForwarderLimits } from '../../../../src/system/forwarding/forwarder.js';
import { ForwardingRepository } from '../../../../src/system/forwarding/forwarding.repository.js';
import type { Standing } from '../../../../src/system/forwarding/forwarding-standing.js';
import { ForwardingRetention } from '../../../../src/system/forwarding/forwarding-retention.js';
import { whileWaiting } from '../../../support/callers/while-waiting.js';
import { eventually } from '../../../support/eventually.js';
import { createDevice, createUser } from '../../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../../support/setup/test-server.js';
import { PATIENT_MS, writeChange } from './write-change.js';

interface Line {
  readonly id: string;
  readonly log: string;
  readonly number: number;
  readonly time: string;
  readonly tenantId: string | null;
  readonly entry: Readonly<Record<string, unknown>>;
  readonly actorName?: string | null;
  readonly targetName?: string | null;
  readonly chain?: { readonly tenantId: string | null; readonly position: number; readonly hash: string };
}

async function linesIn(file: string): Promise<Line[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as Line);
}

/** A record of a terminal on a device. */
function terminal(tenantId: string, deviceId: string): ActivityRow {
  return {
    id: newGuid(),
    tenantId,
    deviceId,
    kind: DeviceActivityKind.Terminal,
    principalKind: 'User',
    principalId: newGuid(),
    principalName: 'anna@contoso.example',
    ipAddress: '203.0.113.17',
    correlationId: 'the request',
    userCorrelationId: null,
    sessionCorrelationId: null,
    subject: null,
    desktopSession: null,
    isViewOnly: null,
    consent: null,
    nodeId: 'a node',
    startedAt: new Date('2026-11-27T10:00:00.123Z'),
    endedAt: null,
    bytesIn: 0,
    bytesOut: 0,
    outcome: null,
  };
}

describe('logs that are forwarded to a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'forwarding-'));
  const file = join(folder, 'lines.jsonl');
  const server = testServer({ Service_Forwarding__File: file });
  const tenant = testTenant(server);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const linesOf = async (log: string): Promise<Line[]> =>
    (await linesIn(file)).filter((line) => line.log === log && line.tenantId === tenant.id);
  const comes = (id: string): Promise<void> =>
    eventually('the line comes', async () => (await linesIn(file)).some(({ entry }) => entry.id === id), PATIENT_MS);
  const standing = async (): Promise<Standing> => {
    const all = await server.app.get(ForwardingRepository, { strict: false }).standing();
    const found = all.find(({ log }) => log === 'ChangeLog');
    if (found === undefined) throw new Error('There is no cursor.');
    return found;
  };

  it('have an entry of the change log as the export has it, with names and its place in the chain', async () => {
    const body = { tenantId: tenant.id, keyType: 'Persistent', friendlyName: 'Workshop' };
    expect((await server.client().post('/api/v1/installer-keys', { body })).status).toBe(200);
    const query = { tenantId: tenant.id };
    const exported = await server.client().get('/account/change-log/export', { query });
    const { subjects, ...entry } = JSON.parse(exported.text) as {
      id: string;
      actorPrincipalId: string;
      subjects: { id: string; name: string }[];
    };
    await comes(entry.id);
    const [line] = await linesOf('ChangeLog');
    expect(line.entry).toEqual({ ...entry, requestId: expect.any(String) });
    expect(line).toMatchObject({ tenantId: tenant.id, targetName: 'Workshop', number: expect.any(Number) });
    expect(line.actorName).toBe(subjects.find(({ id }) => id === entry.actorPrincipalId)?.name);
    expect(line.chain).toEqual((await server.client().get('/account/change-log/head', { query })).as<object>());
    expect((await stat(file)).mode & 0o777).toBe(0o640);
  });

  it('have an entry of the security log', async () => {
    const user = await createUser(server, { tenantId: tenant.id });
    const visitor = { remoteAddress: '203.0.113.17', userAgent: 'Firefox' } as Visitor;
    const event = { user: { ...user, tenantId: tenant.id }, kind: 'SignedIn', detail: 'Password' } as const;
    await server.app.get(SecurityLog, { strict: false }).write(server.dataSource.manager, event, { visitor, requestId: 'the request' });
    await eventually('the line comes', async () => (await linesOf('SecurityLog')).length > 0, PATIENT_MS);
    const [{ entry }] = await linesOf('SecurityLog');
    expect(entry).toMatchObject({
      kind: 'SignedIn',
      detail: 'Password',
      userId: user.id,
      remoteAddress: '203.0.113.17',
      requestId: 'the request',
    });
    expect(new Date(String(entry.createdAt)).toISOString()).toBe(entry.createdAt);
  });

  it('have the begin and the end of an activity on a device, and nothing between', async () => {
    const device = await createDevice(server, { tenantId: tenant.id });
    const repository = server.app.get(DeviceActivitiesRepository, { strict: false });
    const begun = terminal(tenant.id, device.id);
    await repository.write([begun]);
    await comes(begun.id);
    await repository.write([{ ...begun, consent: 'Given' as never }]);
    await repository.write([
      { ...begun, endedAt: new Date('2026-11-27T10:05:00Z'), bytesIn: 42, outcome: DeviceActivityOutcome.Completed },
    ]);
    await eventually(
      'the end comes',
      async () => (await linesOf('DeviceActivity')).some(({ entry }) => entry.endedAt !== null),
      PATIENT_MS,
    );
    const lines = await linesOf('DeviceActivity');
    expect(lines.map(({ entry }) => [entry.id, entry.startedAt, entry.endedAt, entry.bytesIn, entry.outcome])).toEqual([
      [begun.id, '2026-11-27T10:00:00.123Z', null, 0, null],
      [begun.id, '2026-11-27T10:00:00.123Z', '2026-11-27T10:05:00.000Z', 42, 'Completed'],
    ]);
    expect(new Set(lines.map(({ id }) => id)).size).toBe(2);
  });

  it('come in the order of commit: a row that was written before and is committed after others is not left out', async () => {
    const slow = server.dataSource.createQueryRunner();
    await slow.startTransaction();
    const late = newGuid();
    await slow.query(
      `INSERT INTO authorization_change_logs (id, action_type, actor_principal_type, target_type, owning_tenant_id) VALUES ($1, 'late', 'user', 'Tag', $2)`,
      [late, tenant.id],
    );
    const early = await writeChange(server, tenant.id);
    await comes(early);
    await slow.commitTransaction();
    await slow.release();
    await comes(late);
    const lines = await linesOf('ChangeLog');
    const numbers = lines.map(({ number }) => number);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect(lines.slice(-2).map(({ entry }) => entry.id)).toEqual([early, late]);
  });

  it('wait in the database while the file cannot be written, and the cursor says why; then all of them come', async () => {
    await rename(folder, `${folder}-gone`);
    const ids = [await writeChange(server, tenant.id), await writeChange(server, tenant.id)];
    await eventually('the failure is noted', async () => (await standing()).rows === 2 && (await standing()).failure !== null, PATIENT_MS);
    const failing = await standing();
    expect(failing).toMatchObject({ destination: 'File', rows: 2, lost: 0, failingSince: expect.any(Date) });
    expect(failing.failure).toContain('ENOENT');
    expect(failing.seconds).toBeGreaterThan(0);
    ids.push(await writeChange(server, tenant.id));
    await rename(`${folder}-gone`, folder);
    for (const id of ids) await comes(id);
    await eventually('the failure is over', async () => (await standing()).failure === null, PATIENT_MS);
    expect(await standing()).toMatchObject({ rows: 0, seconds: 0, failingSince: null });
    const all = (await linesIn(file)).map(({ id }) => id);
    expect(new Set(all).size).toBe(all.length);
  });

  it('begin on a line of their own behind half a line that a crash left', async () => {
    await appendFile(file, '{"id":"half');
    const id = await writeChange(server, tenant.id);
    await comes(id);
    expect((await readFile(file, 'utf8')).split('\n').filter((line) => line.startsWith('{"id":"half'))).toEqual(['{"id":"half']);
  });

  it('go into a new file when another program has moved the former away', async () => {
    await rename(file, `${file}.1`);
    await comes(await writeChange(server, tenant.id));
    expect(await linesIn(file)).toHaveLength(1);
  });

  it('are removed from the waiting rows when they were forwarded', async () => {
    await comes(await writeChange(server, tenant.id));
    await eventually('nothing waits', async () => (await standing()).rows === 0, PATIENT_MS);
    await server.app.get(ForwardingRetention, { strict: false }).removeOld(new AbortController().signal);
    expect(await server.dataSource.query<unknown[]>('SELECT id FROM forwarding_entries')).toEqual([]);
  });

  it('that wait too long are given up and counted, and later ones are not', async () => {
    const retention = server.app.get(ForwardingRetention, { strict: false });
    await rename(folder, `${folder}-gone`);
    const lost = [await writeChange(server, tenant.id), await writeChange(server, tenant.id)];
    const kept = await writeChange(server, tenant.id);
    await eventually('the rows are numbered', async () => (await standing()).rows === 3 && (await standing()).failure !== null, PATIENT_MS);
    const age = `UPDATE forwarding_entries SET written_at = written_at - interval '31 days' WHERE data ->> 'id' = ANY ($1)`;
    await server.dataSource.query(age, [lost]);
    await retention.removeOld(new AbortController().signal);
    expect(await standing()).toMatchObject({ rows: 1, lost: 2 });
    await rename(`${folder}-gone`, folder);
    await comes(kept);
    const ids = (await linesIn(file)).map(({ entry }) => entry.id);
    expect(ids.filter((id) => lost.includes(String(id)))).toEqual([]);
    await eventually('nothing waits', async () => (await standing()).rows === 0, PATIENT_MS);
    await retention.removeOld(new AbortController().signal);
    expect(await standing()).toMatchObject({ rows: 0, lost: 2 });
  });

  it('that the receiver takes while old ones are given up are not counted as lost', async () => {
    const retention = server.app.get(ForwardingRetention, { strict: false });
    const { lost } = await standing();
    await rename(folder, `${folder}-gone`);
    for (let count = 0; count < 2; count += 1) await writeChange(server, tenant.id);
    await eventually('the rows are numbered', async () => (await standing()).rows === 2 && (await standing()).failure !== null, PATIENT_MS);
    await server.dataSource.query(`UPDATE forwarding_entries SET written_at = written_at - interval '31 days'`);
    // As another node, which has sent them.
    const advance = `UPDATE forwarding_cursors c SET number = h.last_number FROM forwarding_heads h WHERE h.log = c.log`;
    await whileWaiting(server, advance, () => retention.removeOld(new AbortController().signal));
    await rename(`${folder}-gone`, folder);
    expect(await standing()).toMatchObject({ rows: 0, lost });
  });

  it('are sent by one process at a time', async () => {
    const repository = server.app.get(ForwardingRepository, { strict: false });
    let other: boolean | null = null;
    await eventually(
      'this process has the turn',
      () => repository.alone('File', async () => void (other = await repository.alone('File', () => Promise.resolve()))),
      PATIENT_MS,
    );
    expect(other).toBe(false);
  });
});

describe('a file on a file system that does not answer', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'forwarding-'));
  const pipe = join(folder, 'pipe');
  const server = testServer({ Service_Forwarding__File: pipe, Service_Forwarding__Logs: 'ChangeLog' });
  const tenant = testTenant(server);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const failure = async (): Promise<string | null | undefined> =>
    (await server.app.get(ForwardingRepository, { strict: false }).standing())[0]?.failure;

  it('has one attempt to write at a time, which keeps one thread of the process', async () => {
    for (const { app } of server.nodes) Object.assign(app.get(ForwarderLimits, { strict: false }), { timeoutMs: 100 });
    execFileSync('mkfifo', [pipe]);
    const end = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    try {
      fill(end);
      await writeChange(server, tenant.id);
      await expect.poll(failure).toBe('The receiver did not take the lines within 0.1 s.');
      await expect.poll(failure).toBe('The receiver has not taken the lines of an earlier attempt yet.');
      // The write goes on now. A pipe, unlike a file, has no disk to be written to.
      readSync(end, Buffer.alloc(2 ** 20));
      await expect.poll(failure).toContain('EINVAL');
    } finally {
      closeSync(end);
    }
  });

  /** Writes until the pipe takes no more. */
  function fill(end: number): void {
    try {
      for (;;) writeSync(end, Buffer.alloc(4_096));
    } catch (error) {
      if (!hasCode(error, 'EAGAIN')) throw error;
    }
  }
});

describe('a server that forwards nothing', () => {
  const server = testServer();
  const tenant = testTenant(server);

  it('copies no rows', async () => {
    await writeChange(server, tenant.id);
    expect(await server.dataSource.query<unknown[]>('SELECT id FROM forwarding_entries')).toEqual([]);
  });
});

describe('a destination that is no longer configured', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'forwarding-'));
  const server = testServer({ Service_Forwarding__File: join(folder, 'lines.jsonl'), Service_Forwarding__Logs: 'ChangeLog' });
  const tenant = testTenant(server);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('loses its place, so that rows are no longer copied', async () => {
    const { dataSource } = server;
    const user = await createUser(server, { tenantId: tenant.id });
    await dataSource.query(
      `INSERT INTO security_events (id, tenant_id, user_id, user_name, kind) VALUES (gen_random_uuid(), $1, $2, 'anna', 'SignedIn')`,
      [tenant.id, user.id],
    );
    const copied = `SELECT DISTINCT log FROM forwarding_entries`;
    await writeChange(server, tenant.id);
    expect(await dataSource.query<unknown[]>(copied)).toEqual([{ log: 'ChangeLog' }]);
    await server.app.get(ForwardingRepository, { strict: false }).arrange([]);
    await writeChange(server, tenant.id, { action: 'after' });
    expect(await dataSource.query<unknown[]>(`SELECT id FROM forwarding_entries WHERE data ->> 'action_type' = 'after'`)).toEqual([]);
  });
});
