import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { agentClient, agentHub, hubFailure, hubOk } from '#libs/contracts';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { DeviceActivity } from '../../../src/devices/device-activity/device-activity.entity.js';
import type { ApiAnswer } from '../../support/application/api-client.js';
import { createKeyedDevice, FakeAgent, ReferenceAgent, type KeyedDevice } from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import { at } from '../../support/fixtures/factories.js';
import { stopAfterEach, testServer, testTenant } from '../../support/setup/test-server.js';
import { callerWith, type Caller } from '../../hubs/viewer-client.js';

/* What only some agents can do with files: the reference agent does it, others are not asked. */

const server = testServer();
const tenant = testTenant(server);
const keep = stopAfterEach();
let caller: Caller;
let device: KeyedDevice;
let folder: string;

beforeAll(async () => {
  const { DeviceFileSystemRead, DeviceFileSystemWrite, DeviceFileSystemDelete, DeviceLogsRead } = Permission;
  const rights = [DeviceFileSystemRead, DeviceFileSystemWrite, DeviceFileSystemDelete, DeviceLogsRead];
  caller = await callerWith(server, tenant, rights, at.tenant(tenant));
  device = await createKeyedDevice(server, tenant);
  server.alsoStop(await ReferenceAgent.start(server, device));
  folder = await mkdtemp(join(tmpdir(), 'device-files-'));
});

beforeEach(async () => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const routeOf = ({ id }: KeyedDevice): string => `/account/device-files/${id}`;
const features = async (of: KeyedDevice): Promise<unknown> => (await server.client(caller.headers).get(routeOf(of))).body;
const rename = (of: KeyedDevice, filePath: string, newName: string): Promise<ApiAnswer> =>
  server.client(caller.headers).post(`${routeOf(of)}/rename`, { body: { filePath, newName } });

describe('a device whose agent renames files', () => {
  it('says so', async () => {
    expect(await features(device)).toEqual({ canRename: true });
  });

  it('gives a file another name, in one record of what was done', async () => {
    const path = join(folder, 'draft.txt');
    await writeFile(path, 'text');
    const { ino } = await stat(path);
    expect((await rename(device, path, 'final.txt')).status).toBe(204);
    expect(await readdir(folder)).toEqual(['final.txt']);
    expect((await stat(join(folder, 'final.txt'))).ino).toBe(ino);
    await expectRecord({ kind: 'Rename', subject: `${path} → final.txt`, outcome: 'Completed' });
  });

  it('replaces nothing, and says why', async () => {
    const path = join(folder, 'draft.txt');
    await writeFile(path, 'draft');
    await writeFile(join(folder, 'final.txt'), 'final');
    expect(await rename(device, path, 'final.txt')).toMatchObject({
      status: 400,
      body: { detail: 'A file or directory of that name already exists.' },
    });
    expect(await rename(device, path, '../out.txt')).toMatchObject({
      status: 400,
      body: { detail: 'The name must not contain a path separator.' },
    });
    expect(await rename(device, join(folder, 'none'), 'free')).toMatchObject({ status: 404, body: { detail: 'The path does not exist.' } });
    expect(await readFile(join(folder, 'final.txt'), 'utf8')).toBe('final');
    expect((await readdir(folder)).sort()).toEqual(['draft.txt', 'final.txt']);
    await expectRecord({ kind: 'Rename', subject: `${path} → final.txt`, outcome: 'Failed' });
  });

  it('has records of new and deleted directories, too', async () => {
    const client = server.client(caller.headers);
    const query = { tenantId: tenant.id };
    const base = '/api/v1/device-file-system';
    const made = await client.post(`${base}/create-directory/${device.id}`, { query, body: { parentPath: folder, directoryName: 'new' } });
    expect(made.status).toBe(204);
    await expectRecord({ kind: 'NewFolder', subject: join(folder, 'new'), outcome: 'Completed' });
    const deleted = await client.delete(`${base}/delete-path/${device.id}`, { query, body: { filePath: join(folder, 'new') } });
    expect(deleted.status).toBe(200);
    await expectRecord({ kind: 'Delete', subject: join(folder, 'new'), outcome: 'Completed' });
  });

  async function expectRecord(what: Record<string, string>): Promise<void> {
    const find = (): Promise<DeviceActivity[]> =>
      server.dataSource.manager.find(DeviceActivity, { where: { deviceId: device.id, ...what }, order: { startedAt: 'DESC' } });
    await eventually(`there is a record of ${JSON.stringify(what)}`, async () => (await find()).length > 0);
    expect((await find())[0]).toMatchObject({ ...what, principalId: caller.account.id, tenantId: tenant.id });
  }
});

describe('a device whose agent does not', () => {
  it('is not asked, and the refusal says so', async () => {
    const other = await createKeyedDevice(server, tenant);
    const agent = keep(await FakeAgent.online(server, other));
    let isCalled = false;
    agent.on(agentClient.RenameFile, () => {
      isCalled = true;
      return hubOk();
    });
    expect(await features(other)).toEqual({ canRename: false });
    expect(await rename(other, '/a', 'b')).toMatchObject({
      status: 409,
      body: { detail: 'The agent of this device cannot rename files.' },
    });
    expect(isCalled).toBe(false);
  });

  it('is asked as soon as it offers it, for that connection only', async () => {
    const other = await createKeyedDevice(server, tenant);
    const agent = keep(await FakeAgent.online(server, other));
    agent.on(agentClient.RenameFile, ({ newName }) => (newName === 'b' ? hubOk() : hubFailure('The name is reserved.')));
    await agent.connection.invoke(agentHub.OfferFeatures.name, ['SomethingElse', 'RenameFile']);
    expect(await features(other)).toEqual({ canRename: true });
    expect((await rename(other, '/a', 'b')).status).toBe(204);
    expect(await rename(other, '/a', 'nul')).toMatchObject({ status: 400, body: { detail: 'The name is reserved.' } });
    await agent.stop();
    keep(await FakeAgent.online(server, other));
    expect(await features(other)).toEqual({ canRename: false });
  });

  it('refuses as offline while it is', async () => {
    const offline = await createKeyedDevice(server, tenant);
    expect(await features(offline)).toEqual({ canRename: false });
    expect(await rename(offline, '/a', 'b')).toMatchObject({ status: 409, body: { detail: 'The device is offline.' } });
  });
});
