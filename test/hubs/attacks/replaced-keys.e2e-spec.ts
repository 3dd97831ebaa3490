import { beforeEach, describe, expect, it } from 'vitest';
import { Subject } from '@microsoft/signalr';
import { getPublicKeyAsync, utils } from '@noble/ed25519';

import {
  agentClient,
  agentHub,
  FileUploadMetadata,
  hubOk,
  hubValue,
  TerminalOutputDto,
  TerminalOutputKind,
  Timestamp,
  toBase64,
  viewerHub,
  type ToastInfo,
} from '#libs/contracts';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { DeviceLink } from '../../../src/devices/device-link/device-link.js';
import { DevicePresence } from '../../../src/devices/device-link/device-presence.js';
import { fingerprintOf } from '../../../src/devices/devices/key-approvals/key-fingerprint.js';
import { KeysInForce } from '../../../src/devices/devices/updates/keys-in-force.js';
import { KEY_PENDING_REASON, KEY_REPLACED_REASON } from '../../../src/platform/common/errors/errors.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import type { ApiAnswer } from '../../support/application/api-client.js';
import { ROOT_KEY } from '../../support/application/app.js';
import {
  connectionsOf,
  createKeyedDevice,
  deviceReport,
  FakeAgent,
  ReferenceAgent,
  type KeyedDevice,
} from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import { at, createTenant } from '../../support/fixtures/factories.js';
import { stopAfterEach, testServer } from '../../support/setup/test-server.js';
import { TransferClient } from '../transfers.js';
import { callerWith, TestViewer } from '../viewer-client.js';

/*
 * A thief of an installer key registers a device of the tenant again, on a machine of their own and with a key of their
 * own. The administrators who open the device next would type their passwords into that machine. With the tenant setting
 * `require-approval-for-new-device-keys` nothing may reach it before one of them has approved its key, and the agent of the device goes on.
 * An agent whose key is no longer in force is not reached, whichever process was told so.
 */

const server = testServer();
const keep = stopAfterEach();

let tenant: Tenant;
let device: KeyedDevice;
let installer: { readonly id: string; readonly keySecret: string };

beforeEach(async () => {
  tenant = await createTenant(server);
  device = await createKeyedDevice(server, tenant, { name: 'front-desk', osDescription: 'Debian 12' });
  const body = { name: 'require-approval-for-new-device-keys', value: 'true' };
  await server.client().post('/api/v1/tenant-settings', { query: { tenantId: tenant.id }, body });
  installer = (await server.client().post('/api/v1/installer-keys', { body: { tenantId: tenant.id, keyType: 'Persistent' } })).as();
});

/** Registers the device again, with a new key, which it answers. */
async function takeOver(): Promise<KeyedDevice> {
  const seed = utils.randomSecretKey();
  return register({ ...device, seed, publicKey: toBase64(await getPublicKeyAsync(seed)) });
}

async function register(keyed: KeyedDevice): Promise<KeyedDevice> {
  const { id: installerKeyId, keySecret: installerKeySecret } = installer;
  const body = { device: deviceReport(keyed), installerKeyId, installerKeySecret, tagIds: null, publicKey: keyed.publicKey };
  expect((await server.client({}).post('/api/agent/devices', { body })).status).toBe(200);
  return keyed;
}

function approve({ id, publicKey }: KeyedDevice): Promise<ApiAnswer> {
  return server.client().post(`/api/v1/devices/${id}/key-approval`, { body: { fingerprint: fingerprintOf(publicKey) } });
}

/** An agent that notes every call of the server, and answers those of terminals. */
async function noting(keyed: KeyedDevice): Promise<{ readonly agent: FakeAgent; readonly calls: string[] }> {
  const agent = keep(await FakeAgent.connect(server, keyed));
  const calls: string[] = [];
  for (const method of Object.values(agentClient)) agent.answerRaw(method, () => void calls.push(method.name));
  agent.on(agentClient.CreateTerminalSession, () => {
    calls.push('CreateTerminalSession');
    return hubOk();
  });
  return { agent, calls };
}

async function viewer(): Promise<TestViewer> {
  return keep(await TestViewer.connect(server, { 'x-api-key': ROOT_KEY }));
}

interface DeviceState {
  readonly name: string;
  readonly osDescription: string;
  readonly isOnline: boolean;
  readonly cpuUtilization: number;
}

const rowOf = async (): Promise<DeviceState> => (await server.client().get(`/api/v1/devices/${device.id}`)).as<DeviceState>();
const refused = { isSuccess: false, reason: KEY_PENDING_REASON };
const openOn = (administrator: TestViewer) =>
  administrator.call(viewerHub.CreateTerminalSession2, { deviceId: device.id, terminalId: newGuid() });
const REFUSED_SIGNATURE = { isSuccess: false, reason: 'Signature verification failed.' };
/** Acts as another process does: only the database tells. */
const elsewhere = (sql: string): Promise<unknown> => server.dataSource.query(sql, [device.id]);

describe('a thief who has registered a device again', () => {
  it('may report, of which nothing is stored, and is not reached', async () => {
    const stolen = await takeOver();
    const { agent, calls } = await noting(stolen);
    const { value } = await agent.heartbeat({ name: 'boss-laptop', cpuUtilization: 0.875 });
    expect(value).toMatchObject({ name: 'boss-laptop', osDescription: deviceReport(device).osDescription, cpuUtilization: 0.875 });
    expect(await rowOf()).toMatchObject({ name: 'front-desk', osDescription: 'Debian 12', isOnline: false, cpuUtilization: 0 });
    await agent.heartbeat({ name: 'boss-laptop' });

    const administrator = await viewer();
    expect(await openOn(administrator)).toMatchObject(refused);
    const listing = await new TransferClient(server, tenant).list(device);
    expect([listing.status, listing.problem?.detail]).toEqual([409, KEY_PENDING_REASON]);
    const upload = { deviceId: device.id, fileName: 'a', fileSize: 1, overwrite: true, targetDirectory: '/tmp', contentType: '' };
    const bytes = new Subject<unknown>();
    const uploaded: unknown = await administrator.connection.invoke('UploadFile', FileUploadMetadata.encode(upload, 'json'), bytes);
    expect(uploaded).toMatchObject(refused);
    bytes.complete();
    expect(calls).toEqual([]);

    expect((await approve(stolen)).status).toBe(200);
    // Another node hears of it a moment later.
    await eventually('the approved device is reached', async () => (await openOn(administrator)).isSuccess);
    await eventually('the approved device is asked to report again', () => calls.includes('RefreshDeviceInfo'));
    await agent.heartbeat({ name: 'boss-laptop' });
    expect(await rowOf()).toMatchObject({ name: 'boss-laptop', isOnline: true });
  });

  it('does not send the same report twice', async () => {
    const agent = keep(await FakeAgent.connect(server, await takeOver()));
    const now = Timestamp.fromDate(new Date());
    expect(await agent.heartbeat({}, now)).toMatchObject({ isSuccess: true });
    expect(await agent.heartbeat({}, now)).toMatchObject({ isSuccess: false, reason: 'Timestamp expired.' });
    await approve({ ...device, ...agent.device });
    expect(await agent.heartbeat({}, now)).toMatchObject({ isSuccess: false, reason: 'Timestamp expired.' });
  });

  it('does not put the agent of the device out of service, nor what runs there', async () => {
    const { agent, calls } = await noting(device);
    await agent.heartbeat({ cpuUtilization: 0.25 });
    const administrator = await viewer();
    const terminalId = newGuid();
    const open = { deviceId: device.id, terminalId };
    expect(await administrator.call(viewerHub.CreateTerminalSession2, open)).toMatchObject({ isSuccess: true });

    const thief = await noting(await takeOver());
    await thief.agent.heartbeat({ name: 'boss-laptop', cpuUtilization: 0.875 });
    expect(await rowOf()).toMatchObject({ isOnline: true, cpuUtilization: 0.25 });
    expect(await agent.heartbeat({ cpuUtilization: 0.5 })).toMatchObject({ isSuccess: true });
    expect(await rowOf()).toMatchObject({ isOnline: true, cpuUtilization: 0.5 });
    await thief.agent.heartbeat();
    await agent.connection.invoke(agentHub.SendTerminalOutputToViewer.name, administrator.connectionId, outputOf(terminalId, 'here'));
    await eventually('the terminal goes on', () => administrator.outputs.length === 1);
    expect(await openOn(administrator)).toMatchObject({ isSuccess: true });
    expect([thief.calls, calls.filter((name) => name === 'CloseTerminalSession')]).toEqual([[], []]);
    await thief.agent.connection.stop();
    expect(await agent.heartbeat()).toMatchObject({ isSuccess: true });
    expect(await rowOf()).toMatchObject({ isOnline: true });
  });

  it('learns nothing of the device', async () => {
    const { agent } = await noting(device);
    await agent.heartbeat({ currentUsers: ['anna'], localIpV4: '10.1.2.3' });
    const thief = await noting(await takeOver());
    const { value } = await thief.agent.heartbeat({ currentUsers: ['root'], localIpV4: '10.9.9.9' });
    expect(value).toMatchObject({ currentUsers: ['root'], localIpV4: '10.9.9.9' });
    expect(value?.connectionId).not.toBe(agent.connectionId);
    expect(JSON.stringify(value)).not.toContain('anna');
  });
});

describe('the viewers of a device', () => {
  it('are told when a key begins to wait, and when that ends', async () => {
    const onlooker = await viewer();
    const toasts: ToastInfo[] = [];
    onlooker.connection.on('InvokeToast', (toast: ToastInfo) => toasts.push(toast));
    await onlooker.call(viewerHub.SubscribeToDeviceHeartbeats, [device.id]);
    const stolen = await takeOver();
    await eventually('the viewer is warned', () => toasts.length === 1);
    await approve(stolen);
    await eventually('the viewer is told', () => toasts.length === 2);
    await takeOver();
    await register(stolen);
    await eventually('the viewer is told of the present key', () => toasts.length === 4);
    await takeOver();
    await server.client().delete(`/api/v1/devices/${device.id}/key-approval`);
    await eventually('the viewer is told of the refusal', () => toasts.length === 6);
    expect(toasts.map(({ message }) => message)).toEqual([
      'front-desk was registered again with another key, which waits for approval. The device goes on with its present key.',
      'The new key of front-desk was approved.',
      expect.stringContaining('which waits for approval'),
      'workshop-pc was registered again with its present key. The one that waited for approval is dropped.',
      expect.stringContaining('which waits for approval'),
      'The new key of workshop-pc was refused. The device goes on with its present key.',
    ]);
  });

  it('see a device whose only key waits', async () => {
    await server.client().delete(`/api/v1/devices/${device.id}`);
    const onlooker = await viewer();
    const agent = keep(await FakeAgent.connect(server, await register(device)));
    const { value } = await agent.heartbeat({ name: 'boss-laptop' });
    expect(await rowOf()).toMatchObject({ isOnline: true });
    expect(await openOn(onlooker)).toMatchObject(refused);
    await approve(device);
    expect(connectionsOf(server, device.id)).toEqual([value?.connectionId]);
  });
});

describe('a device that comes back with its own key', () => {
  it('stays online, and the key that waited is dropped', async () => {
    const { agent } = await noting(device);
    await agent.heartbeat();
    const thief = await noting(await takeOver());
    await thief.agent.heartbeat();
    await register(device);
    expect(await rowOf()).toMatchObject({ isOnline: true });
    await server.app.get(DeviceLink).reach(device.id);
    expect(await thief.agent.heartbeat()).toMatchObject(REFUSED_SIGNATURE);
    expect(await agent.heartbeat()).toMatchObject({ isSuccess: true });
    expect(await (await viewer()).call(viewerHub.RefreshDeviceInfo2, { deviceId: device.id })).toMatchObject({ isSuccess: true });
    expect(thief.calls).toEqual([]);
  });

  it('stays online where nothing waited, and what was captured before is not accepted again', async () => {
    const { agent } = await noting(device);
    const sent = Timestamp.fromDate(new Date());
    await agent.heartbeat({}, sent);
    await register(device);
    expect(await rowOf()).toMatchObject({ isOnline: true });
    expect(await agent.heartbeat({}, sent)).toMatchObject({ isSuccess: false, reason: 'Timestamp expired.' });
    expect(await agent.heartbeat()).toMatchObject({ isSuccess: true });
  });
});

describe('a key that is decided', () => {
  it('is refused: nothing changes for the agent of the device', async () => {
    const { agent } = await noting(device);
    await agent.heartbeat();
    const thief = await noting(await takeOver());
    await thief.agent.heartbeat();
    expect((await server.client().delete(`/api/v1/devices/${device.id}/key-approval`)).status).toBe(204);
    expect(await rowOf()).toMatchObject({ isOnline: true });
    expect(await thief.agent.heartbeat()).toMatchObject(REFUSED_SIGNATURE);
    expect(await agent.heartbeat()).toMatchObject({ isSuccess: true });
    expect(await openOn(await viewer())).toMatchObject({ isSuccess: true });
    expect(thief.calls).toEqual([]);
  });

  it('is approved: the former agent is not the device any more', async () => {
    const former = await noting(device);
    await former.agent.heartbeat();
    const renewed = await takeOver();
    const { agent, calls } = await noting(renewed);
    const { value } = await agent.heartbeat();
    expect((await approve(renewed)).status).toBe(200);
    expect(connectionsOf(server, device.id)).toEqual([value?.connectionId]);
    expect(await openOn(await viewer())).toMatchObject({ isSuccess: true });
    expect(calls).toContain('CreateTerminalSession');
    expect(await former.agent.heartbeat()).toMatchObject(REFUSED_SIGNATURE);
    expect(former.calls).toEqual([]);
  });

  it('was replaced before the last one was approved: its connection reaches nobody', async () => {
    const earlier = await noting(await takeOver());
    await earlier.agent.heartbeat();
    const later = await takeOver();
    expect((await approve(later)).status).toBe(200);
    await expect(server.app.get(DeviceLink).reach(device.id)).rejects.toThrow('The device is offline.');
    expect(await earlier.agent.heartbeat()).toMatchObject({ isSuccess: false });
    const { agent, calls } = await noting(later);
    await agent.heartbeat();
    await (await server.app.get(DeviceLink).reach(device.id)).send(agentClient.RefreshDeviceInfo);
    await eventually('the approved agent is called', () => calls.length === 1);
    expect(earlier.calls).toEqual([]);
  });
});

describe('through another process', () => {
  const isPending = (): boolean => server.nodes.some(({ app }) => app.get(DevicePresence).isPending(device.id));
  const isGone = (): boolean => connectionsOf(server, device.id).length === 0;

  it.each([
    ['is deleted', `DELETE FROM devices WHERE id = $1`],
    ['is registered again', `UPDATE devices SET public_key = 'another' WHERE id = $1`],
    ['is registered again after its deletion', `UPDATE devices SET key_pending_since = now() WHERE id = $1`],
  ])('a device %s: its former agent is not reached any more', async (_, sql) => {
    const { agent, calls } = await noting(device);
    await agent.heartbeat();
    expect(isGone()).toBe(false);
    const started = performance.now();
    await elsewhere(sql);
    await eventually('this process has heard of it', isGone);
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(await openOn(await viewer())).toMatchObject({ isSuccess: false });
    expect(calls).toEqual([]);
  });

  it('a key is approved: its agent is reached without another report, and the former one is not', async () => {
    const former = await noting(device);
    const before = await former.agent.heartbeat();
    const { agent, calls } = await noting(await takeOver());
    const { value } = await agent.heartbeat();
    expect([isPending(), connectionsOf(server, device.id)]).toEqual([true, [before.value?.connectionId]]);
    await elsewhere(`UPDATE devices SET key_pending_since = NULL, public_key = waiting_public_key, waiting_public_key = '' WHERE id = $1`);
    await eventually('this process has heard of it', () => connectionsOf(server, device.id)[0] === value?.connectionId);
    await eventually('the approved agent is asked to report', () => calls.includes('RefreshDeviceInfo'));
    expect([isPending(), former.calls]).toEqual([false, []]);
  });

  it('a key is refused: its agent waits for nothing any more', async () => {
    const thief = await noting(await takeOver());
    await thief.agent.heartbeat();
    await elsewhere(`UPDATE devices SET key_pending_since = NULL, waiting_public_key = '' WHERE id = $1`);
    await eventually('this process has heard of it', () => !isPending());
    expect(await thief.agent.heartbeat()).toMatchObject(REFUSED_SIGNATURE);
  });

  it('something was missed while this process heard nothing: it looks at every device', async () => {
    const { agent } = await noting(device);
    await agent.heartbeat();
    await server.dataSource.transaction(async (manager) => {
      await manager.query('SET LOCAL session_replication_role = replica');
      await manager.query(`UPDATE devices SET public_key = 'another' WHERE id = $1`, [device.id]);
    });
    expect(isGone()).toBe(false);
    for (const { app } of server.nodes) app.get(KeysInForce).forgetAll();
    await eventually('the device is looked at', isGone);
  });
});

describe('work that runs on a device', () => {
  it('ends with the approval of another key: its terminals get nothing from the new machine, and are closed on the old one', async () => {
    const { agent, calls } = await noting(device);
    await agent.heartbeat();
    const { headers } = await callerWith(server, tenant, [Permission.DeviceTerminalUse], at.tenant(tenant));
    const administrator = keep(await TestViewer.connect(server, headers));
    const terminalId = newGuid();
    const open = { deviceId: device.id, terminalId };
    expect(await administrator.call(viewerHub.CreateTerminalSession2, open)).toMatchObject({ isSuccess: true });

    const renewed = await takeOver();
    const other = await noting(renewed);
    await other.agent.heartbeat();
    await approve(renewed);
    await eventually('the terminal is closed on the old machine', () => calls.includes('CloseTerminalSession'));
    await other.agent.connection.invoke(
      agentHub.SendTerminalOutputToViewer.name,
      administrator.connectionId,
      outputOf(terminalId, 'Password: '),
    );
    expect(administrator.outputs).toEqual([]);
    expect(other.calls).not.toContain('CloseTerminalSession');
  });

  it.each([
    ['another key is approved', async () => void (await approve(await takeOver())), KEY_REPLACED_REASON],
    ['its only key begins to wait', () => elsewhere('UPDATE devices SET key_pending_since = now() WHERE id = $1'), KEY_PENDING_REASON],
  ])('ends when %s: its uploads', async (_, change, reason) => {
    const agent = keep(await FakeAgent.online(server, device));
    const asked = new Promise<void>((resolve) => {
      agent.on(agentClient.DownloadFileFromViewer, () => {
        resolve();
        return new Promise(() => undefined);
      });
    });
    const metadata = { deviceId: device.id, fileName: 'a', fileSize: 10, overwrite: true, targetDirectory: '/tmp', contentType: '' };
    const bytes = new Subject<unknown>();
    const administrator = await viewer();
    const uploaded = administrator.connection.invoke('UploadFile', FileUploadMetadata.encode(metadata, 'json'), bytes);
    await asked;
    await change();
    expect(await uploaded).toMatchObject({ isSuccess: false, reason });
    bytes.complete();
  });

  it('ends: its transfers over HTTP', async () => {
    const agent = keep(await FakeAgent.online(server, device));
    agent.on(agentClient.UploadFileToViewer, ({ streamId }) => {
      agent.openStream(agentHub.SendFileContentStream, streamId).send(new Uint8Array(1_000)).send(new Uint8Array(1_000));
      return hubValue({ fileSize: 1_000_000, fileDisplayName: 'file' });
    });
    const response = await new TransferClient(server, tenant).open(`download/${device.id}`, { filePath: '/file' });
    expect(response.statusCode).toBe(200);
    let isOver = false;
    response.on('error', () => (isOver = true)).on('close', () => (isOver = true));
    response.resume();
    const renewed = await takeOver();
    expect(isOver).toBe(false);
    await approve(renewed);
    await eventually('the download is cut', () => isOver);
  });
});

it('the reference agent waits with a new key, and serves terminals once it is approved', async () => {
  const renewed = await takeOver();
  keep(await ReferenceAgent.start(server, renewed));
  expect(await rowOf()).toMatchObject({ isOnline: false, name: 'front-desk' });
  const administrator = await viewer();
  expect(await openOn(administrator)).toMatchObject(refused);
  expect((await approve(renewed)).status).toBe(200);
  expect(await openOn(administrator)).toMatchObject({ isSuccess: true, reason: null });
  await eventually('it describes itself', async () => {
    const { name, isOnline } = await rowOf();
    return name !== 'front-desk' && isOnline;
  });
});

function outputOf(terminalId: string, output: string): unknown {
  const timestamp = Timestamp.fromDate(new Date());
  return TerminalOutputDto.encode({ terminalId, output, outputKind: TerminalOutputKind.StandardOutput, timestamp }, 'json');
}
