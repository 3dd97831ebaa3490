import { afterEach, beforeAll, describe, expect, it } from 'vitest';

import { agentClient, hubOk, viewerHub } from '#libs/contracts';

import type { RunningHub } from '../../../libs/signalr/src/runtime/hub/running-hub.js';
import { Permission, type PermissionDefinition } from '../../../src/access/authorization/permissions/permission.js';
import { AGENT_HUB_PATH, VIEWER_HUB_PATH } from '../../../src/platform/common/addresses/hub-paths.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { ROOT_KEY, TestApp } from '../../support/application/app.js';
import { createKeyedDevice, FakeAgent } from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import { at, createTenant } from '../../support/fixtures/factories.js';
import { stopAfterEach, testServer, testTenant } from '../../support/setup/test-server.js';
import { hubsOf } from '../attacks/raw-hub-client.js';
import { newMeeting, RelayPeer, relayUri, untilHalfWaits } from '../relay-peer.js';
import { callerWith, TestViewer } from '../viewer-client.js';
import { Bystander } from './bystander.js';
import { ConnectionLeakCheck, usedBytes } from './memory.js';
import { beginDownload, beginUpload, SCENES, type Stage } from './scenes.js';

const ENV = { Service_AppOptions__MaxFileTransferSize: '0' };
const DEVICE_PERMISSIONS = Object.values<PermissionDefinition>(Permission).filter(({ name }) => name.startsWith('device.'));

/** Usual difference between readings of the memory. The transfers of a scene, if they stayed, would be more. */
const TOLERATED_BYTES = 4 * 1_048_576;

describe('it ends cleanly when', () => {
  const server = testServer(ENV);
  const tenant = testTenant(server);
  let stage: Stage;
  let hubs: readonly RunningHub[];
  let leakCheck: ConnectionLeakCheck;
  const keep = stopAfterEach();
  let restore = (): void => undefined;

  beforeAll(async () => {
    stage = { server, tenant, headers: (await callerWith(server, tenant, DEVICE_PERMISSIONS, at.tenant(tenant))).headers };
    hubs = [AGENT_HUB_PATH, VIEWER_HUB_PATH].flatMap((path) => hubsOf(server, path));
    leakCheck = new ConnectionLeakCheck(hubs);
  });

  afterEach(() => restore());

  it.each(SCENES)('$what: in time, beside others that go on, and nothing of it stays', async ({ limits = {}, plays, play }) => {
    const former = hubs.map((hub) => ({ ...hub.limits }));
    restore = () => hubs.forEach((hub, index) => Object.assign(hub.limits, former[index]));
    for (const hub of hubs) Object.assign(hub.limits, limits);
    const bystander = keep(await Bystander.arrive(server, tenant));
    const before = await usedBytes();
    for (let played = 0; played < plays; played += 1) await play(stage);
    await bystander.leave();
    await eventually('no connection is open', () => hubs.every(({ size }) => size === 0));
    await leakCheck.released();
    expect(hubs.map(({ backlog }) => backlog.bytes)).toEqual(hubs.map(() => 0));
    expect((await usedBytes()) - before).toBeLessThan(TOLERATED_BYTES);
  });
});

describe('a service that stops in the middle of everything', () => {
  it('ends sessions, transfers, terminals and those that wait, and is gone', async () => {
    const server = await TestApp.start(ENV);
    const tenant = await createTenant(server);
    const leakCheck = new ConnectionLeakCheck([AGENT_HUB_PATH, VIEWER_HUB_PATH].flatMap((path) => hubsOf(server, path)));
    const root = { 'x-api-key': ROOT_KEY };
    const stage = { server, tenant, headers: root };
    const agent = await FakeAgent.online(server, await createKeyedDevice(server, tenant));
    agent.on(agentClient.CreateTerminalSession, () => hubOk());
    const viewer = await TestViewer.connect(server, root);
    await viewer.call(viewerHub.CreateTerminalSession2, { deviceId: agent.device.id, terminalId: newGuid() });
    const response = await beginDownload(stage, agent);
    const outcome = await beginUpload(viewer, agent);
    agent.answerRaw(agentClient.TestVncConnection, () => new Promise(() => undefined));
    const asked = viewer.call(viewerHub.TestVncConnection2, { deviceId: agent.device.id, port: 5900 });
    // It may end with the answer or with the connection.
    const answered = asked.then(String, String);

    const [meeting, lonely] = [newMeeting(), newMeeting()];
    const device = new RelayPeer(relayUri(server, meeting, 'responder'));
    const requester = new RelayPeer(relayUri(server, meeting, 'requester'), root);
    await Promise.all([device.opened(), requester.opened()]);
    const waiting = new RelayPeer(relayUri(server, lonely, 'responder'));
    await untilHalfWaits(server, lonely);

    const closed = server.close();
    expect([await device.end(), await requester.end()]).toEqual([
      { code: 1001, reason: 'The server is shutting down.' },
      { code: 1001, reason: 'The server is shutting down.' },
    ]);
    expect((await waiting.refusal()).status).toBe(503);
    await expect(response.arrayBuffer()).rejects.toThrow();
    await eventually('the upload ends for the device', () => outcome() !== undefined);
    expect(outcome()).not.toBe('whole');
    await answered;
    await eventually('the viewer and the agent are disconnected', () => viewer.isClosed && !agent.isOpen);
    await closed;
    await leakCheck.released();
    await server.discard();
  });
});
