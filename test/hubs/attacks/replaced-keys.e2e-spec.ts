import { beforeEach, describe, expect, it } from 'vitest';
import { Subject } from '@microsoft/signalr';
import { getPublicKeyAsync, utils } from '@noble/ed25519';

import {
  agentClient,
  agentHub,
  FileUploadMetadata,
  hubOk,
  hubValue,
  MessageSeverity,
  TerminalOutputDto,
  TerminalOutputKind,
  Timestamp,
  toBase64,
  viewerHub,
  type ToastInfo,
} from '#libs/contracts';

import { Permission } from '../../../src/authorization/permission.js';
import { KEY_PENDING_REASON } from '../../../src/common/errors.js';
import { newGuid } from '../../../src/common/guid.js';
import { DeviceLink } from '../../../src/device-link/device-link.js';
import { DevicePresence } from '../../../src/device-link/device-presence.js';
import { fingerprintOf } from '../../../src/devices/key-fingerprint.js';
import type { Tenant } from '../../../src/tenants/tenant.entity.js';
import { createKeyedDevice, deviceReport, FakeAgent, ReferenceAgent, type KeyedDevice } from '../../support/agents.js';
import type { ApiAnswer } from '../../support/api-client.js';
import { ROOT_KEY } from '../../support/app.js';
import { eventually } from '../../support/eventually.js';
import { at, createTenant } from '../../support/factories.js';
import { stopAfterEach, testServer } from '../../support/test-server.js';
import { TransferClient } from '../transfers.js';
import { callerWith, TestViewer } from '../viewer-client.js';

/*
 * Somebody has stolen an installer key and registers a device of the tenant again, on a machine of their own and with a key of their
 * own. The administrators who open the device next would type their passwords into that machine. With the tenant setting
 * `require-approval-for-new-device-keys` nothing may reach it before one of them has approved its key, and nothing that runs may go on.
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

const rowOf = async (): Promise<unknown> => (await server.client().get(`/api/v1/devices/${device.id}`)).body;
const refused = { isSuccess: false, reason: KEY_PENDING_REASON };

describe('a device that was taken over', () => {
  it('is listed and reports, but nobody reaches it until its key is approved', async () => {
    const stolen = await takeOver();
    const { agent, calls } = await noting(stolen);
    const { value } = await agent.heartbeat({ name: 'boss-laptop', cpuUtilization: 0.875 });
    expect(value).toMatchObject({ name: 'boss-laptop', osDescription: deviceReport(device).osDescription });
    expect(await rowOf()).toMatchObject({ name: 'front-desk', osDescription: 'Debian 12', isOnline: true, cpuUtilization: 0.875 });
    await agent.heartbeat({ name: 'boss-laptop' });

    const administrator = await viewer();
    const open = () => administrator.call(viewerHub.CreateTerminalSession2, { deviceId: device.id, terminalId: newGuid() });
    expect(await open()).toMatchObject(refused);
    const listing = await new TransferClient(server, tenant).list(device);
    expect([listing.status, listing.problem?.detail]).toEqual([409, KEY_PENDING_REASON]);
    const upload = { deviceId: device.id, fileName: 'a', fileSize: 1, overwrite: true, targetDirectory: '/tmp', contentType: '' };
    const bytes = new Subject<unknown>();
    const uploaded: unknown = await administrator.connection.invoke('UploadFile', FileUploadMetadata.encode(upload, 'json'), bytes);
    expect(uploaded).toMatchObject(refused);
    bytes.complete();
    expect(calls).toEqual([]);

    expect((await approve(stolen)).status).toBe(200);
    expect(await open()).toMatchObject({ isSuccess: true });
    await eventually('the approved device is asked to report anew', () => calls.includes('RefreshDeviceInfo'));
    await agent.heartbeat({ name: 'boss-laptop' });
    expect(await rowOf()).toMatchObject({ name: 'boss-laptop', isOnline: true });
  });

  it('shows its viewers when its key begins to wait, and when that ends', async () => {
    const onlooker = await viewer();
    const toasts: ToastInfo[] = [];
    onlooker.connection.on('InvokeToast', (toast: ToastInfo) => toasts.push(toast));
    await onlooker.call(viewerHub.SubscribeToDeviceHeartbeats, [device.id]);
    const stolen = await takeOver();
    await eventually('the viewer is warned', () => toasts.length === 1);
    const { agent } = await noting(stolen);
    await agent.heartbeat({ name: 'boss-laptop' });
    await eventually('the viewer hears of the device', () => onlooker.updates.length > 0);
    expect(onlooker.updates.at(-1)).toMatchObject({ name: 'front-desk' });
    await approve(stolen);
    await eventually('the viewer is told', () => toasts.length === 2);
    await takeOver();
    await register(device);
    await eventually('the viewer is told of the former key', () => toasts.length === 4);
    expect(toasts).toEqual([
      { message: `front-desk: ${KEY_PENDING_REASON}`, messageSeverity: MessageSeverity.Warning },
      { message: 'The new key of front-desk was approved.', messageSeverity: MessageSeverity.Success },
      { message: `front-desk: ${KEY_PENDING_REASON}`, messageSeverity: MessageSeverity.Warning },
      expect.objectContaining({ messageSeverity: MessageSeverity.Warning }),
    ]);
  });

  it('is reached again when it comes back with its former key', async () => {
    const { agent } = await noting(device);
    await agent.heartbeat();
    const thief = await noting(await takeOver());
    await thief.agent.heartbeat();
    await register(device);
    expect(await thief.agent.heartbeat()).toMatchObject({ isSuccess: false, reason: 'Signature verification failed.' });
    expect(await agent.heartbeat()).toMatchObject({ isSuccess: true });
    const administrator = await viewer();
    expect(await administrator.call(viewerHub.RefreshDeviceInfo2, { deviceId: device.id })).toMatchObject({ isSuccess: true });
    expect(thief.calls).toEqual([]);
  });

  it('is reached again through its former agent when the new key is refused', async () => {
    const { agent, calls } = await noting(device);
    await agent.heartbeat();
    const thief = await noting(await takeOver());
    await thief.agent.heartbeat();
    expect(await agent.heartbeat()).toMatchObject({ isSuccess: false });
    expect((await server.client().delete(`/api/v1/devices/${device.id}/key-approval`)).status).toBe(204);
    expect(await rowOf()).toMatchObject({ isOnline: false });
    expect(await thief.agent.heartbeat()).toMatchObject({ isSuccess: false, reason: 'Signature verification failed.' });
    expect(await agent.heartbeat()).toMatchObject({ isSuccess: true });
    await (await server.app.get(DeviceLink).reach(device.id)).send(agentClient.RefreshDeviceInfo);
    await eventually('the former agent is called', () => calls.length === 1);
    expect(thief.calls).toEqual([]);
  });

  it('is not reached through the connection of a key that was replaced before the last one was approved', async () => {
    const earlier = await noting(await takeOver());
    await earlier.agent.heartbeat();
    const later = await takeOver();
    expect((await approve(later)).status).toBe(200);
    expect(() => server.app.get(DeviceLink).requireReachable(device.id)).toThrow('The device is offline.');
    expect(await earlier.agent.heartbeat()).toMatchObject({ isSuccess: false });
    const { agent, calls } = await noting(later);
    await agent.heartbeat();
    await (await server.app.get(DeviceLink).reach(device.id)).send(agentClient.RefreshDeviceInfo);
    await eventually('the approved agent is called', () => calls.length === 1);
    expect(earlier.calls).toEqual([]);
  });

  it('is reached without another report when another node has approved its key', async () => {
    const { agent } = await noting(await takeOver());
    await agent.heartbeat();
    const presence = server.app.get(DevicePresence);
    expect([presence.isPending(device.id), presence.connectionOf(device.id)]).toEqual([true, undefined]);
    // As another node does: only the database tells.
    await server.dataSource.query(`UPDATE devices SET key_pending_since = NULL, former_public_key = '' WHERE id = $1`, [device.id]);
    await eventually('this node has heard of it', () => presence.connectionOf(device.id) !== undefined);
    expect(presence.isPending(device.id)).toBe(false);
  });
});

describe('what runs on a device that is taken over', () => {
  it('ends: its terminals, which get nothing from the new machine, and are closed on the old one', async () => {
    const { agent, calls } = await noting(device);
    await agent.heartbeat();
    const { headers } = await callerWith(server, tenant, [Permission.DeviceTerminalUse], at.tenant(tenant));
    const administrator = keep(await TestViewer.connect(server, headers));
    const terminalId = newGuid();
    expect(await administrator.call(viewerHub.CreateTerminalSession2, { deviceId: device.id, terminalId })).toMatchObject({
      isSuccess: true,
    });

    const thief = await noting(await takeOver());
    await thief.agent.heartbeat();
    const output = TerminalOutputDto.encode(
      { terminalId, output: 'Password: ', outputKind: TerminalOutputKind.StandardOutput, timestamp: Timestamp.fromDate(new Date()) },
      'json',
    );
    await thief.agent.connection.invoke(agentHub.SendTerminalOutputToViewer.name, administrator.connectionId, output);
    await eventually('the terminal is closed on the old machine', () => calls.includes('CloseTerminalSession'));
    expect(administrator.outputs).toEqual([]);
    const input = { terminalId, input: 'secret', viewerConnectionId: '' };
    expect(await administrator.call(viewerHub.SendTerminalInput2, { deviceId: device.id, input })).toMatchObject(refused);
    expect(thief.calls).toEqual([]);
  });

  it('ends: its transfers', async () => {
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
    await takeOver();
    await eventually('the download is cut', () => isOver);
  });
});

it('the reference agent stays online with a new key, and serves terminals once it is approved', async () => {
  const renewed = await takeOver();
  keep(await ReferenceAgent.start(server, renewed));
  expect(await rowOf()).toMatchObject({ isOnline: true, name: 'front-desk' });
  const administrator = await viewer();
  const open = () => administrator.call(viewerHub.CreateTerminalSession2, { deviceId: device.id, terminalId: newGuid() });
  expect(await open()).toMatchObject(refused);
  expect((await approve(renewed)).status).toBe(200);
  expect(await open()).toMatchObject({ isSuccess: true, reason: null });
  await eventually('it describes itself', async () => ((await rowOf()) as { name: string }).name !== 'front-desk');
});
