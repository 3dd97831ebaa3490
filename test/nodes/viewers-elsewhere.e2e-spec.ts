import { describe, expect, it } from 'vitest';

import {
  agentClient,
  agentHub,
  ChatResponseHubDto,
  hubOk,
  TerminalOutputDto,
  TerminalOutputKind,
  Timestamp,
  viewerClient,
  viewerHub,
  type Encoding,
} from '#libs/contracts';

import { newGuid } from '../../src/platform/common/identifiers/guid.js';
import { TestViewer } from '../hubs/viewer-client.js';
import { eventually } from '../support/eventually.js';
import { TenantOfNodes, type Apart } from './support/apart.js';
import { noNats } from './support/nats-server.js';
import { testNodes } from './support/test-nodes.js';

const NOW = Timestamp.fromDate(new Date('2026-01-02T03:04:05Z'));
const PROCESS_ID = 4_711;

describe.skipIf(noNats !== undefined)('a viewer that is connected to another node', () => {
  const nodes = testNodes(2);
  const scene = new TenantOfNodes(nodes);

  async function open({ agent, viewer, deviceId }: Apart): Promise<string> {
    agent.on(agentClient.CreateTerminalSession, () => hubOk());
    const terminalId = newGuid();
    expect(await viewer.call(viewerHub.CreateTerminalSession2, { deviceId, terminalId })).toMatchObject({ isSuccess: true });
    return terminalId;
  }

  /** The agent prints in a terminal of the viewer. Settles when the service has passed the output on, or has dropped it. */
  const print = ({ agent, viewer }: Apart, terminalId: string, output: string): Promise<unknown> => {
    const dto = { terminalId, output, outputKind: TerminalOutputKind.StandardOutput, timestamp: NOW };
    const { name } = agentHub.SendTerminalOutputToViewer;
    return agent.connection.invoke(name, viewer.connectionId, TerminalOutputDto.encode(dto, agent.encoding));
  };

  const rowsOf = async ({ viewer }: Apart): Promise<number> =>
    (await nodes.node(1).dataSource.query('SELECT FROM viewer_places WHERE connection_id = $1', [viewer.connectionId])).length;

  it.each<Encoding>(['json', 'messagepack'])('gets the output of its terminal in order, in %s', async (encoding) => {
    const apart = await scene.apart(encoding);
    const terminalId = await open(apart);
    const printed = Array.from({ length: 1_000 }, (_, index) => `${index}\n`);
    await Promise.all(printed.map((output) => print(apart, terminalId, output)));
    await eventually('all has arrived', () => apart.viewer.outputs.length === printed.length);
    expect(apart.viewer.outputs.map(({ output }) => output)).toEqual(printed);
  });

  it('gets no output of a terminal that it does not use', async () => {
    const apart = await scene.apart();
    const terminalId = await open(apart);
    await print(apart, newGuid(), 'not for this viewer');
    await print(apart, terminalId, 'for this viewer');
    await eventually('the output has arrived', () => apart.viewer.outputs.length > 0);
    expect(apart.viewer.outputs.map(({ output }) => output)).toEqual(['for this viewer']);
  });

  it('keeps a terminal that it took over from a viewer of another node, when that one leaves', async () => {
    const apart = await scene.apart();
    const closed: string[] = [];
    apart.agent.on(agentClient.CloseTerminalSession, (terminalId) => void closed.push(terminalId));
    const former = { ...apart, viewer: scene.keep(await TestViewer.connect(nodes.node(1), scene.caller.headers)) };
    const [taken, left] = [await open(former), await open(former)];
    const request = { deviceId: apart.deviceId, terminalId: taken };
    expect(await apart.viewer.call(viewerHub.CreateTerminalSession2, request)).toMatchObject({ isSuccess: true });
    former.viewer.vanish();
    await eventually('the other terminal is closed', () => closed.includes(left));
    expect(closed).toEqual([left]);
    apart.viewer.vanish();
    await eventually('the one that was taken over is closed, too', () => closed.includes(taken));
  });

  it('leaves no row when it has disconnected, and gets its place with the first terminal', async () => {
    const apart = await scene.apart();
    expect(await rowsOf(apart)).toBe(0);
    await open(apart);
    expect(await rowsOf(apart)).toBe(1);
    apart.viewer.vanish();
    await eventually('its row is gone', async () => (await rowsOf(apart)) === 0);
  });

  it('gets output without a gap or a repeat when NATS was away for a moment', async () => {
    const apart = await scene.apart();
    const terminalId = await open(apart);
    await print(apart, terminalId, '0');
    await nodes.nats.kill();
    const waiting = Promise.all(['1', '2', '3'].map((output) => print(apart, terminalId, output)));
    await nodes.nats.startAgain();
    await waiting;
    await print(apart, terminalId, '4');
    await eventually('all has arrived', () => apart.viewer.outputs.length >= 5);
    expect(apart.viewer.outputs.map(({ output }) => output)).toEqual(['0', '1', '2', '3', '4']);
  });

  it('answers the person at the device in a chat', async () => {
    const { agent, viewer, deviceId } = await scene.apart();
    const heard: string[] = [];
    viewer.onChatResponse(({ message }) => {
      heard.push(message);
      return true;
    });
    agent.on(agentClient.SendChatMessage, () => hubOk());
    const sessionId = newGuid();
    const request = {
      deviceId,
      sessionId,
      message: 'Hello?',
      senderName: '',
      senderEmail: '',
      targetSystemSession: 1,
      targetProcessId: PROCESS_ID,
      timestamp: NOW,
      viewerConnectionId: '',
    };
    expect(await viewer.call(viewerHub.SendChatMessage2, request)).toMatchObject({ isSuccess: true });
    const answer = (message: string, session: string): Promise<unknown> => {
      const response = {
        sessionId: session,
        desktopSessionProcessId: PROCESS_ID,
        message,
        senderUsername: 'operator',
        viewerConnectionId: viewer.connectionId,
        timestamp: NOW,
      };
      return agent.connection.invoke(agentHub.SendChatResponse.name, ChatResponseHubDto.encode(response, agent.encoding));
    };
    expect(await answer('Yes!', sessionId)).toBe(true);
    expect(await answer('In a conversation that is not there.', newGuid())).toBe(false);
    expect(heard).toEqual(['Yes!']);
  });

  it('hears of the devices that it subscribed to: their reports, their changes, and messages about them', async () => {
    const { agent, viewer, deviceId } = await scene.apart();
    const toasts: string[] = [];
    viewer.connection.on(viewerClient.InvokeToast.name, ({ message }: { message: string }) => void toasts.push(message));
    await viewer.call(viewerHub.SubscribeToDeviceHeartbeats2, { deviceIds: [deviceId] });
    const newest = () => viewer.updates.at(-1);
    await agent.heartbeat({ cpuUtilization: 0.25 });
    await eventually('the report is pushed', () => newest()?.cpuUtilization === 0.25);
    const body = { deviceId, alias: 'Till 3' };
    expect((await nodes.node(1).client().patch(`/api/v1/devices/${deviceId}/alias`, { body })).status).toBe(200);
    await eventually('the alias is pushed', () => newest()?.alias === 'Till 3');
    await agent.stop();
    await eventually('its end is pushed', () => newest()?.isOnline === false);
    expect(viewer.updates.every(({ id }) => id === deviceId)).toBe(true);
  });

  it('sees the newest state within seconds after NATS was away', async () => {
    const { agent, viewer, deviceId } = await scene.apart();
    await viewer.call(viewerHub.SubscribeToDeviceHeartbeats2, { deviceIds: [deviceId] });
    await nodes.nats.kill();
    await agent.heartbeat({ cpuUtilization: 0.5 });
    await nodes.nats.startAgain();
    await eventually('the state is pushed', () => viewer.updates.at(-1)?.cpuUtilization === 0.5);
  });
});
