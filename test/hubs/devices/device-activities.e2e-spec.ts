import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Subject } from '@microsoft/signalr';
import { Client } from 'pg';
import { type FindOptionsWhere, MoreThan } from 'typeorm';

import { FileUploadMetadata, viewerHub } from '#libs/contracts';

import { SYSTEM } from '../../../src/access/authentication/principals/principal.js';
import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { ActivityWriter } from '../../../src/devices/device-activity/activity-writer.js';
import { DeviceActivitiesRepository, type ActivityRow } from '../../../src/devices/device-activity/device-activities.repository.js';
import { DeviceActivities } from '../../../src/devices/device-activity/device-activities.js';
import { DeviceActivityKind, DeviceActivityOutcome } from '../../../src/devices/device-activity/device-activity-kinds.js';
import { DeviceActivity } from '../../../src/devices/device-activity/device-activity.entity.js';
import type { DeviceLogFileListResponseDto } from '../../../src/devices/file-system/file-system.dto.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { TestApp } from '../../support/application/app.js';
import { createKeyedDevice, ReferenceAgent, type KeyedDevice } from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import { at } from '../../support/fixtures/factories.js';
import { stopAfterEach, testServer, testTenant } from '../../support/setup/test-server.js';
import { callerWith, TestViewer, type Caller } from '../viewer-client.js';

const FILES = '/api/v1/device-file-system';
const DAY_MS = 24 * 60 * 60 * 1000;
const MINUTE_MS = 60 * 1000;
const { DeviceLogsRead, DeviceTerminalUse, DeviceFileSystemTransferDownload, DeviceFileSystemTransferUpload } = Permission;
const RIGHTS = [DeviceLogsRead, DeviceTerminalUse, DeviceFileSystemTransferDownload, DeviceFileSystemTransferUpload];

describe('the audit record', () => {
  const server = testServer({ Service_AppOptions__DeviceActivityRetentionDays: '30' });
  const tenant = testTenant(server);
  const keep = stopAfterEach();
  let device: KeyedDevice;
  let caller: Caller;
  let folder: string;

  beforeAll(async () => {
    device = await createKeyedDevice(server, tenant);
    server.alsoStop(await ReferenceAgent.start(server, device));
    caller = await callerWith(server, tenant, RIGHTS, at.tenant(tenant));
    folder = await mkdtemp(join(tmpdir(), 'activities-'));
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** The record of the activity that matches, once it has ended, or as soon as it is there. */
  async function recordOf(what: FindOptionsWhere<DeviceActivity>, hasEnded = true): Promise<DeviceActivity> {
    let found: DeviceActivity | null = null;
    await eventually(`there is a record of ${JSON.stringify(what)}`, async () => {
      found = await server.dataSource.manager.findOneBy(DeviceActivity, { deviceId: device.id, ...what });
      return found !== null && (!hasEnded || found.endedAt !== null);
    });
    return found as unknown as DeviceActivity;
  }

  const who = (): object => ({
    tenantId: tenant.id,
    deviceId: device.id,
    principalKind: 'TenantServiceAccount',
    principalId: caller.account.id,
    principalName: caller.account.name,
    ipAddress: '127.0.0.1',
    startedAt: expect.any(Date),
    endedAt: expect.any(Date),
  });

  function upload(fileName: string, text: string): Promise<Response> {
    const form = new FormData();
    form.append('targetSaveDirectory', folder);
    form.append('file', new Blob([text]), fileName);
    const url = new URL(`${FILES}/upload/${device.id}?tenantId=${tenant.id}`, server.url);
    return fetch(url, { method: 'POST', headers: caller.headers, body: form });
  }

  it('is written beside one that the database refuses', async () => {
    const activities = server.app.get(DeviceActivities);
    const what = { kind: DeviceActivityKind.Wake, tenantId: tenant.id, deviceId: device.id };
    const actor = { principal: SYSTEM, requestId: newGuid(), remoteAddress: null };
    const ends = ['first', 'refused', 'last'].map((subject) => {
      const remoteAddress = subject === 'refused' ? 'x'.repeat(65) : null;
      return activities.begin({ ...actor, remoteAddress }, { ...what, subject });
    });
    for (const activity of ends) activity.end(DeviceActivityOutcome.Completed);
    for (const subject of ['first', 'last']) expect(await recordOf({ subject })).toMatchObject({ outcome: 'Completed' });
    expect(await server.dataSource.manager.countBy(DeviceActivity, { subject: 'refused' })).toBe(0);
  });

  const newRow = (id: string): ActivityRow => ({
    id,
    tenantId: tenant.id,
    deviceId: device.id,
    kind: DeviceActivityKind.Wake,
    principalKind: 'System',
    principalId: null,
    principalName: 'system',
    ipAddress: null,
    correlationId: id,
    userCorrelationId: null,
    sessionCorrelationId: null,
    subject: null,
    desktopSession: null,
    isViewOnly: null,
    consent: null,
    nodeId: 'here',
    startedAt: new Date(),
    endedAt: null,
    bytesIn: 0,
    bytesOut: 0,
    outcome: null,
  });

  it('is waited for without those that come later', async () => {
    const batches = 100;
    let started = 0;
    class FloodedRepository extends DeviceActivitiesRepository {
      override write(rows: readonly ActivityRow[]): Promise<void> {
        started += 1;
        if (started < batches) writer.add(newRow(newGuid()));
        return super.write(rows);
      }
    }
    const writer = new ActivityWriter(new FloodedRepository(server.dataSource));
    const first = newGuid();
    writer.add(newRow(first));
    await writer.settled();
    expect(started).toBeLessThan(batches);
    expect(await server.dataSource.manager.existsBy(DeviceActivity, { id: first })).toBe(true);
    await writer.flush();
  });

  it('is complete once everything that was added has been flushed', async () => {
    let started = 0;
    let finished = 0;
    const late = newGuid();
    class WatchedRepository extends DeviceActivitiesRepository {
      override async write(rows: readonly ActivityRow[]): Promise<void> {
        started += 1;
        if (started === 1) writer.add(newRow(late));
        await super.write(rows);
        finished += 1;
      }
    }
    const writer = new ActivityWriter(new WatchedRepository(server.dataSource));
    const flushed = writer.flush();
    writer.add(newRow(newGuid()));
    await flushed;
    expect(finished).toBe(started);
    expect(await server.dataSource.manager.existsBy(DeviceActivity, { id: late })).toBe(true);
  });

  it('of transfers over HTTP says who, what, when, how many bytes, and how it ended', async () => {
    const sent = await upload('up.txt', 'twelve bytes');
    expect(sent.status).toBe(200);
    expect(await recordOf({ subject: join(folder, 'up.txt') })).toMatchObject({
      ...who(),
      kind: DeviceActivityKind.Upload,
      correlationId: sent.headers.get('x-request-id'),
      bytesIn: '12',
      bytesOut: '0',
      outcome: DeviceActivityOutcome.Completed,
    });
    expect((await upload('up.txt', 'again')).status).toBe(400);
    await recordOf({ subject: join(folder, 'up.txt'), outcome: DeviceActivityOutcome.Failed });

    const path = join(folder, 'down.bin');
    await writeFile(path, Buffer.alloc(300_000));
    const client = server.client(caller.headers);
    const download = (filePath: string) => client.get(`${FILES}/download/${device.id}`, { query: { tenantId: tenant.id, filePath } });
    expect((await download(path)).status).toBe(200);
    expect(await recordOf({ subject: path })).toMatchObject({
      ...who(),
      kind: DeviceActivityKind.Download,
      bytesIn: '0',
      bytesOut: '300000',
      outcome: DeviceActivityOutcome.Completed,
    });
    const missing = join(folder, 'missing');
    expect((await download(missing)).status).toBe(404);
    expect(await recordOf({ subject: missing })).toMatchObject({ bytesOut: '0', outcome: DeviceActivityOutcome.Failed });
  });

  it('of a log file that is followed is one record with the bytes of all reads', async () => {
    const client = server.client(caller.headers);
    const query = { tenantId: tenant.id };
    const list = await client.get(`${FILES}/logs/${device.id}`, { query });
    const [file] = list.as<DeviceLogFileListResponseDto>().logFileGroups[0].logFiles;
    const path = file.fullPath;
    const read = async (): Promise<number> => {
      const url = new URL(`${FILES}/logs/${device.id}/contents`, server.url);
      url.search = new URLSearchParams({ ...query, filePath: path }).toString();
      const response = await fetch(url, { headers: caller.headers });
      expect(response.status).toBe(200);
      return (await response.arrayBuffer()).byteLength;
    };
    const first = await read();
    const { id, endedAt } = await recordOf({ subject: path, bytesOut: String(first) });
    server.clock.advance(MINUTE_MS);
    const second = await read();
    const followed = await recordOf({ subject: path, bytesOut: String(first + second) });
    expect(followed).toMatchObject({ ...who(), id, kind: DeviceActivityKind.LogRead, outcome: DeviceActivityOutcome.Completed });
    expect(followed.endedAt?.getTime()).toBeGreaterThanOrEqual((endedAt?.getTime() ?? 0) + MINUTE_MS);

    server.clock.advance(11 * MINUTE_MS);
    const third = await read();
    await recordOf({ subject: path, bytesOut: String(third), startedAt: MoreThan(followed.startedAt) });
    expect(await server.dataSource.manager.countBy(DeviceActivity, { deviceId: device.id, subject: path })).toBe(2);
  });

  it('of uploads over the hub says the same', async () => {
    const viewer = keep(await TestViewer.connect(server, caller.headers));
    const metadata = {
      deviceId: device.id,
      fileName: 'hub.txt',
      contentType: 'text/plain',
      fileSize: 5,
      overwrite: false,
      targetDirectory: folder,
    };
    const bytes = new Subject<unknown>();
    const result = viewer.connection.invoke(viewerHub.UploadFile.name, FileUploadMetadata.encode(metadata, 'json'), bytes);
    bytes.next(Buffer.from('fiver').toString('base64'));
    bytes.complete();
    expect(await result).toMatchObject({ isSuccess: true });
    expect(await readFile(join(folder, 'hub.txt'), 'utf8')).toBe('fiver');
    expect(await recordOf({ subject: `${folder}/hub.txt` })).toMatchObject({
      ...who(),
      kind: DeviceActivityKind.Upload,
      bytesIn: '5',
      outcome: DeviceActivityOutcome.Completed,
    });
  });

  it('of a terminal is there while it runs, and ends when the viewer closes it or leaves', async () => {
    const viewer = await TestViewer.connect(server, caller.headers);
    const [closed, left] = [newGuid(), newGuid()];
    const terminals = { kind: DeviceActivityKind.Terminal };
    for (const terminalId of [closed, left]) {
      expect(await viewer.call(viewerHub.CreateTerminalSession2, { deviceId: device.id, terminalId })).toMatchObject({ isSuccess: true });
    }
    expect(await recordOf(terminals, false)).toMatchObject({ ...who(), endedAt: null, outcome: null });
    const input = { terminalId: closed, input: 'echo $((40 + 2))', viewerConnectionId: null };
    expect(await viewer.call(viewerHub.SendTerminalInput2, { deviceId: device.id, input })).toMatchObject({ isSuccess: true });
    await eventually('the output has arrived', () => viewer.outputs.some(({ output }) => output.includes('42')));
    expect(await viewer.call(viewerHub.CloseTerminalSession2, { deviceId: device.id, terminalId: closed })).toMatchObject({
      isSuccess: true,
    });
    const ended = { ...terminals, outcome: DeviceActivityOutcome.Completed };
    const record = await recordOf({ ...ended, bytesIn: '16' });
    expect(record).toMatchObject(who());
    expect(Number(record.bytesOut)).toBeGreaterThanOrEqual(2);
    await viewer.stop();
    expect(await recordOf({ ...ended, bytesIn: '0' })).toMatchObject(who());
  });

  describe('of a terminal that another connection of the same person takes over', () => {
    const count = () => server.dataSource.manager.countBy(DeviceActivity, { deviceId: device.id, kind: DeviceActivityKind.Terminal });
    const use = async (viewer: TestViewer, terminalId: string): Promise<void> => {
      expect(await viewer.call(viewerHub.CreateTerminalSession2, { deviceId: device.id, terminalId })).toMatchObject({ isSuccess: true });
    };
    const type = async (viewer: TestViewer, terminalId: string, text: string): Promise<void> => {
      const input = { terminalId, input: text, viewerConnectionId: null };
      expect(await viewer.call(viewerHub.SendTerminalInput2, { deviceId: device.id, input })).toMatchObject({ isSuccess: true });
    };

    it('goes on, and ends with the terminal', async () => {
      const before = await count();
      const terminalId = newGuid();
      const first = keep(await TestViewer.connect(server, caller.headers));
      await use(first, terminalId);
      await type(first, terminalId, 'echo a');
      const second = keep(await TestViewer.connect(server, caller.headers));
      await use(second, terminalId);
      await first.stop();
      await type(second, terminalId, 'echo b is longer');
      expect(await second.call(viewerHub.CloseTerminalSession2, { deviceId: device.id, terminalId })).toMatchObject({ isSuccess: true });
      expect(await recordOf({ kind: DeviceActivityKind.Terminal, bytesIn: '22' })).toMatchObject({
        ...who(),
        outcome: DeviceActivityOutcome.Completed,
      });
      expect(await count()).toBe(before + 1);
    });

    it('ends when the last one vanishes', async () => {
      const before = await count();
      const terminalId = newGuid();
      const [first, second] = [
        keep(await TestViewer.connect(server, caller.headers)),
        keep(await TestViewer.connect(server, caller.headers)),
      ];
      for (const viewer of [first, second]) {
        await use(viewer, terminalId);
        await type(viewer, terminalId, 'echo thirteen');
      }
      first.vanish();
      second.vanish();
      await recordOf({ kind: DeviceActivityKind.Terminal, bytesIn: '26', outcome: DeviceActivityOutcome.Completed });
      expect(await count()).toBe(before + 1);
    });

    it('ends for all connections when one of them closes it', async () => {
      const terminalId = newGuid();
      const [first, second] = [
        keep(await TestViewer.connect(server, caller.headers)),
        keep(await TestViewer.connect(server, caller.headers)),
      ];
      await use(first, terminalId);
      await type(first, terminalId, 'echo seventeen ch');
      expect(await second.call(viewerHub.CloseTerminalSession2, { deviceId: device.id, terminalId })).toMatchObject({ isSuccess: true });
      await recordOf({ kind: DeviceActivityKind.Terminal, bytesIn: '17', outcome: DeviceActivityOutcome.Completed });
    });
  });

  it('of what runs when the service stops is completed before the database closes', async () => {
    const stopping = await TestApp.start();
    const { database, dataPath } = stopping;
    const actor = { principal: SYSTEM, remoteAddress: null, requestId: newGuid() };
    const what = { kind: DeviceActivityKind.Download, tenantId: tenant.id, deviceId: device.id };
    stopping.app.get(DeviceActivities, { strict: false }).begin(actor, what).bytesOut = 7;
    await stopping.close();

    const client = new Client(database.connection);
    await client.connect();
    try {
      const { rows } = await client.query('SELECT bytes_out, outcome, ended_at FROM device_activities');
      expect(rows).toEqual([{ bytes_out: '7', outcome: DeviceActivityOutcome.Interrupted, ended_at: expect.any(Date) }]);
    } finally {
      await client.end();
      await database.drop();
      await rm(dataPath, { recursive: true, force: true });
    }
  });

  describe('that a crash left open', () => {
    const row = (more: Partial<DeviceActivity>): Promise<DeviceActivity> =>
      server.dataSource.manager.save(
        DeviceActivity,
        server.dataSource.manager.create(DeviceActivity, {
          id: newGuid(),
          tenantId: tenant.id,
          deviceId: device.id,
          kind: DeviceActivityKind.Terminal,
          principalKind: 'User',
          principalName: 'Anna',
          correlationId: newGuid(),
          nodeId: 'gone',
          startedAt: server.clock.now(),
          ...more,
        }),
      );

    it('is ended as interrupted by another node, and removed when it is old', async () => {
      const open = await row({});
      const old = await row({ startedAt: new Date(server.clock.milliseconds() - 31 * DAY_MS) });
      expect(await server.app.get(DeviceActivities, { strict: false }).cleanUp(new AbortController().signal)).toBe(1);
      expect(await recordOf({ id: open.id })).toMatchObject({ outcome: DeviceActivityOutcome.Interrupted });
      expect(await server.dataSource.manager.existsBy(DeviceActivity, { id: old.id })).toBe(false);
    });

    it('is ended as interrupted by the next start, and one of a node that lives goes on', async () => {
      const { nodeId } = await server.dataSource.manager.findOneByOrFail(DeviceActivity, { kind: DeviceActivityKind.Download });
      const [open, running] = [await row({}), await row({ nodeId })];
      await server.app.get(DeviceActivities, { strict: false }).onApplicationBootstrap();
      expect(await recordOf({ id: open.id })).toMatchObject({ outcome: DeviceActivityOutcome.Interrupted });
      expect(await server.dataSource.manager.findOneBy(DeviceActivity, { id: running.id })).toMatchObject({ endedAt: null });
    });
  });
});
