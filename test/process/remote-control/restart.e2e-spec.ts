import { getPublicKeyAsync, utils } from '@noble/ed25519';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

import { beforeAll, describe, expect } from 'vitest';

import { agentClient, hubOk, toBase64, viewerHub } from '#libs/contracts';

import type { Service } from '../../../demo/service.js';
import { read, vector } from '../../hubs/desktop-stream-messages.js';
import { newMeeting, RelayPeer, relayUri } from '../../hubs/relay-peer.js';
import { TestViewer } from '../../hubs/viewer-client.js';
import { createTestDatabase } from '../../support/brokers/postgres.js';
import { deviceReport, FakeAgent, type KeyedDevice } from '../../support/devices/agents.js';
import { enrol } from '../../support/devices/reporting-device.js';
import { eventually } from '../../support/eventually.js';
import { builtProject, onDatabase, onMachine, type Machine } from '../../support/processes/service-process.js';

const ERROR = 49;
const RESET = 30;
/** Time for which the change log takes nothing, in milliseconds. */
const LOCKED_MS = 4_000;

interface Running {
  readonly device: KeyedDevice;
  readonly sessionId: string;
  readonly viewer: RelayPeer;
  readonly desktop: RelayPeer;
}

interface Activity {
  readonly endedAt: string | null;
  readonly outcome: string | null;
}

/** Registers a device with a new key. */
async function register(machine: Machine, service: Service): Promise<KeyedDevice> {
  const { tenantId, keyId: installerKeyId, keySecret: installerKeySecret } = await enrol(machine.client(service));
  const seed = utils.randomSecretKey();
  const publicKey = toBase64(await getPublicKeyAsync(seed));
  const id = randomUUID();
  const body = { device: deviceReport({ id, tenantId }), installerKeyId, installerKeySecret, tagIds: null, publicKey };
  expect((await machine.client(service).post('/api/agent/devices', { body })).status).toBe(200);
  return { id, tenantId, seed, publicKey };
}

/** A session that runs, with a key of the viewer down. */
async function begin(machine: Machine, service: Service): Promise<Running> {
  const device = await register(machine, service);
  const agent = machine.alsoStop(await FakeAgent.online(service, device));
  const devices: RelayPeer[] = [];
  agent.on(agentClient.CreateRemoteControlSession, ({ websocketUri }) => {
    devices.push(machine.alsoStop(new RelayPeer(websocketUri)));
    return hubOk();
  });
  const headers = { 'x-api-key': machine.account.key };
  const hub = machine.alsoStop(await TestViewer.connect(service, headers));
  const meeting = newMeeting();
  const request = {
    sessionId: meeting.sessionId,
    websocketUri: relayUri(service, meeting, 'responder'),
    targetSystemSession: 1,
    targetProcessId: 1,
    deviceId: device.id,
    notifyUserOnSessionStart: false,
    requireConsent: false,
    viewerConnectionId: null,
    viewerName: null,
  };
  expect(await hub.call(viewerHub.RequestRemoteControlSession2, request)).toMatchObject({ isSuccess: true });
  const viewer = await machine.alsoStop(new RelayPeer(relayUri(service, meeting, 'requester'), headers)).opened();
  const desktop = await devices[0].opened();
  viewer.socket.send(vector('KeyEvent'));
  await desktop.receive(1);
  await eventually('the session is listed', async () => (await listed(machine, service, device)).length === 1);
  return { device, sessionId: meeting.sessionId, viewer, desktop };
}

async function listed(machine: Machine, service: Service, { id }: KeyedDevice): Promise<readonly unknown[]> {
  const answer = await machine.client(service).get(`/api/inventory/devices/${id}/sessions`);
  return answer.as<{ readonly items: readonly unknown[] }>().items;
}

async function activityOf(machine: Machine, service: Service, { device }: Running): Promise<readonly Activity[]> {
  const answer = await machine.client(service).get(`/account/device-activity/${device.id}`);
  return answer.as<{ readonly items: readonly Activity[] }>().items;
}

/** The actions of the tenant's change log. */
async function actionsOf(machine: Machine, service: Service, { device: { tenantId } }: Running): Promise<readonly string[]> {
  const answer = await machine.client(service).get('/api/v1/authorization-change-logs', { query: { tenantId } });
  return answer.as<{ readonly items: readonly { readonly actionType: string }[] }>().items.map(({ actionType }) => actionType);
}

describe.concurrent('a remote control session whose service', () => {
  // Here, so that no test's own time limit holds the build.
  beforeAll(builtProject);

  onMachine('restarts is over for both sides, which are told, and in all records', async ({ machine }) => {
    const first = await machine.start();
    const session = await begin(machine, first);

    first.program.signal('SIGTERM');

    for (const peer of [session.viewer, session.desktop]) {
      expect(await peer.end()).toEqual({ code: 1001, reason: 'The server is shutting down.' });
    }
    const told = session.viewer.messages.map(read).find(({ type }) => type === ERROR);
    expect(told?.payload).toEqual({ Message: 'The server is restarting.', IsFatal: true });
    expect(session.desktop.messages.map((bytes) => read(bytes).type)).toContain(RESET);
    await first.program.untilEnd();

    const second = await machine.start();
    expect(await listed(machine, second, session.device)).toEqual([]);
    expect(await activityOf(machine, second, session)).toMatchObject([{ endedAt: expect.any(String) as string, outcome: 'Interrupted' }]);
    expect(await actionsOf(machine, second, session)).toEqual(
      expect.arrayContaining(['device-session-started', 'device-session-finished']),
    );
  });

  onMachine('restarts is in the change log, even if that is slow', async ({ machine, onTestFinished }) => {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    const first = await machine.start(onDatabase(database));
    const session = await begin(machine, first);
    const client = new Client(database.connection);
    onTestFinished(() => client.end());
    await client.connect();
    await client.query('BEGIN');
    await client.query('LOCK TABLE authorization_change_logs IN EXCLUSIVE MODE');

    first.program.signal('SIGTERM');

    for (const peer of [session.viewer, session.desktop]) expect((await peer.end()).code).toBe(1001);
    await expect(first.program.untilPrints(/missing from the change log/, LOCKED_MS)).rejects.toThrow('took longer');
    await client.query('COMMIT');
    await first.program.untilEnd();
    const second = await machine.start(onDatabase(database));
    expect(await actionsOf(machine, second, session)).toContain('device-session-finished');
  });

  onMachine('crashes is over for both sides, and in all records', async ({ machine }) => {
    const first = await machine.start();
    const session = await begin(machine, first);

    await first.program.kill();

    for (const peer of [session.viewer, session.desktop]) expect((await peer.end()).code).toBe(1006);
    const second = await machine.start();
    await eventually('the record has an end', async () => (await activityOf(machine, second, session))[0]?.endedAt != null);
    expect(await activityOf(machine, second, session)).toMatchObject([{ outcome: 'Interrupted' }]);
    expect(await listed(machine, second, session.device)).toEqual([]);
  });
});
