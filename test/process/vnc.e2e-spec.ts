import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { viewerHub, type HubResult } from '#libs/contracts';

import { Agent } from '../../agent/src/agent.js';
import { dataDirectory } from '../../agent/src/data-directory.js';
import type { Log } from '../../agent/src/logs/log.js';
import { install } from '../../agent/src/service/installation.js';
import { readSettings, writeSettings } from '../../agent/src/settings.js';
import { newMeeting, RelayPeer, relayUri, type Meeting } from '../hubs/relay-peer.js';
import { TestViewer } from '../hubs/viewer-client.js';
import { enrol } from '../support/devices/reporting-device.js';
import { eventually } from '../support/eventually.js';
import { Machine, portToKeep } from '../support/processes/service-process.js';
import { RfbClient } from './vnc/rfb-client.js';
import { hasVncServer, VncServer, WITHOUT_VNC_SERVER } from './vnc/vnc-server.js';
import { GREEN, Painter, RED } from './vnc/x11-painter.js';

const SIZE = { width: 1280, height: 800 };
const KEY_A = 0x61;
const ENDED = { code: 1000, reason: 'Session ended.' };
const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

const suite = hasVncServer ? describe : describe.skip;

suite(`a VNC session${hasVncServer ? '' : ` (${WITHOUT_VNC_SERVER})`}`, () => {
  let machine: Machine;
  let server: { readonly url: string };
  let agent: Agent;
  let deviceId: string;
  let screen: VncServer;
  let painter: Painter;
  let viewer: TestViewer;
  let headers: { readonly 'x-api-key': string };
  const peers: RelayPeer[] = [];

  beforeAll(async () => {
    machine = await Machine.afterFirstStart();
    server = await machine.start();
    headers = { 'x-api-key': machine.account.key };
    screen = await VncServer.start(SIZE, machine.folder);
    painter = await Painter.start(screen.display, SIZE);
    const { tenantId, keyId, keySecret } = await enrol(machine.client(server));
    const directory = dataDirectory(join(machine.folder, 'agent'));
    ({ deviceId } = await install({ serverUri: server.url, tenantId, installerKey: { id: keyId, secret: keySecret } }, directory, SILENT));
    const settings = await readSettings(directory);
    if (settings === undefined) throw new Error('The agent is not installed.');
    await writeSettings(directory, { ...settings, vncPorts: '1-65535' });
    agent = await Agent.start({ directory, log: SILENT, reconnectJitterSeconds: 0 });
    await eventually('the device is online', async () => {
      const device = await machine.client(server).get(`/api/v1/devices/${deviceId}`);
      return device.as<{ isOnline: boolean }>().isOnline;
    });
    viewer = await TestViewer.connect(server, headers);
  });

  afterEach(async () => {
    for (const peer of peers.splice(0)) await peer.stop();
  });

  afterAll(async () => {
    await viewer?.stop();
    await agent?.stop();
    await painter?.stop();
    await screen?.kill();
    await machine?.close();
  });

  /** Asks the device for a session, as viewers do: with the address of the device's side. */
  function request(meeting: Meeting, vncPort: number): Promise<HubResult> {
    return viewer.call(viewerHub.RequestVncSession2, {
      sessionId: meeting.sessionId,
      websocketUri: relayUri(server, meeting, 'responder'),
      viewerConnectionId: '',
      deviceId,
      notifyUserOnSessionStart: true,
      port: vncPort,
      viewerName: null,
    });
  }

  async function open(): Promise<{ readonly peer: RelayPeer; readonly client: RfbClient }> {
    const meeting = newMeeting();
    const peer = new RelayPeer(relayUri(server, meeting, 'requester'), headers, false);
    peers.push(peer);
    const client = new RfbClient(peer.socket);
    expect(await request(meeting, screen.port)).toEqual({ isSuccess: true, reason: null, errorCode: null });
    await peer.opened();
    await client.start();
    return { peer, client };
  }

  it('shows the screen of the device, and what clicks and keys do there', async () => {
    const { client } = await open();
    expect([client.width, client.height]).toEqual([SIZE.width, SIZE.height]);
    await client.update(false);
    expect([client.pixel(300, 200), client.pixel(900, 600)]).toEqual([0, 0]);
    client.click(300, 200);
    client.type(900, 600, KEY_A);
    await eventually('both squares are seen', async () => {
      await client.update(false);
      return client.pixel(305, 195) === RED && client.pixel(905, 595) === GREEN;
    });
    expect([client.pixel(289, 200), client.pixel(311, 200), client.pixel(900, 589), client.pixel(900, 611)]).toEqual([0, 0, 0, 0]);
  });

  it('carries one full picture after another, two viewers at a time', async () => {
    const [first, second] = [await open(), await open()];
    first.client.click(100, 100);
    for (let count = 0; count < 10; count += 1) await Promise.all([first.client.update(false), second.client.update(false)]);
    await eventually('both see the square', async () => {
      await Promise.all([first.client.update(false), second.client.update(false)]);
      return first.client.pixel(100, 95) === RED && second.client.pixel(100, 95) === RED;
    });
    expect(second.peer.received).toBeGreaterThan(10 * SIZE.width * SIZE.height * 4);
  });

  it('ends on the device when the viewer leaves', async () => {
    const closed = (): number => screen.program.output.match(/Connections: closed:/g)?.length ?? 0;
    const { peer } = await open();
    const before = closed();
    peer.socket.close();
    expect(await peer.end()).toEqual(ENDED);
    await eventually('the VNC server has lost its viewer', () => closed() > before);
  });

  it('is refused with a sentence where no VNC server listens', async () => {
    const silent = await portToKeep();
    expect(await viewer.call(viewerHub.TestVncConnection2, { deviceId, port: screen.port })).toMatchObject({ isSuccess: true });
    const refused = await viewer.call(viewerHub.TestVncConnection2, { deviceId, port: silent });
    expect(refused).toMatchObject({ isSuccess: false, reason: expect.stringContaining(`Could not connect to port ${silent}`) });
    expect(await request(newMeeting(), silent)).toMatchObject({
      isSuccess: false,
      reason: expect.stringContaining(`Could not connect to port ${silent}`),
    });
  });

  // The last one: nothing is there to see after it.
  it('ends at the viewer when the VNC server does', async () => {
    const { peer } = await open();
    await screen.kill();
    expect(await peer.end()).toEqual(ENDED);
  });
});
