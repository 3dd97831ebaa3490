/*
 * A viewer opens as many busy terminals on a device as it can and stops reading. The output of those terminals has to wait for it. The
 * reports of the device and the terminals of other viewers must go on, and an agent that does not wait must not fill the memory.
 */
import { beforeAll, describe, expect, it } from 'vitest';

import {
  agentClient,
  agentHub,
  hubOk,
  MAX_TEXT_LENGTH,
  TerminalOutputDto,
  TerminalOutputKind,
  Timestamp,
  viewerHub,
} from '#libs/contracts';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { VIEWER_HUB_PATH } from '../../../src/platform/common/addresses/hub-paths.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { createKeyedDevice, FakeAgent } from '../../support/devices/agents.js';
import { eventually, settled } from '../../support/eventually.js';
import { at } from '../../support/fixtures/factories.js';
import { stopAfterEach, testServer, testTenant } from '../../support/setup/test-server.js';
import { callerWith, TestViewer } from '../viewer-client.js';
import { limitHub } from './raw-hub-client.js';

const TERMINALS = 18;
/** Their longest outputs have more bytes in JSON than may be unsent for one viewer. */
const MANY_TERMINALS = 50;
const LONGEST = '\u0001'.repeat(MAX_TEXT_LENGTH);
/** More short outputs than may wait for a viewer. */
const MAXIMUM_SHORT = 2_000;
/** Time-out of a viewer that does not read, in milliseconds: longer than any machine needs for a test. */
const TIMEOUT_MS = 600_000;

function outputOf(terminalId: string, output: string): unknown {
  const timestamp = Timestamp.fromDate(new Date());
  return TerminalOutputDto.encode({ terminalId, output, outputKind: TerminalOutputKind.StandardOutput, timestamp }, 'json');
}

describe('a viewer that does not read its terminals', () => {
  const server = testServer();
  const tenant = testTenant(server);
  const keep = stopAfterEach();
  const { name: SEND } = agentHub.SendTerminalOutputToViewer;

  beforeAll(() => {
    limitHub(server, VIEWER_HUB_PATH, { drainTimeoutMs: TIMEOUT_MS });
  });

  async function scene(): Promise<{ agent: FakeAgent; closed: string[]; slow: TestViewer; other: TestViewer }> {
    const agent = keep(await FakeAgent.online(server, await createKeyedDevice(server, tenant)));
    const closed: string[] = [];
    agent.on(agentClient.CreateTerminalSession, () => hubOk());
    agent.on(agentClient.CloseTerminalSession, (terminalId) => void closed.push(terminalId));
    const { headers } = await callerWith(server, tenant, [Permission.DeviceTerminalUse], at.tenant(tenant));
    const [slow, other] = [keep(await TestViewer.connect(server, headers)), keep(await TestViewer.connect(server, headers))];
    return { agent, closed, slow, other };
  }

  async function open(viewer: TestViewer, { device }: FakeAgent): Promise<string> {
    const terminalId = newGuid();
    const answer = await viewer.call(viewerHub.CreateTerminalSession2, { deviceId: device.id, terminalId });
    expect(answer.isSuccess).toBe(true);
    return terminalId;
  }

  /** Others are served: a terminal of the other viewer prints, and the device reports. */
  async function expectOthersGoOn(agent: FakeAgent, other: TestViewer): Promise<void> {
    const terminalId = await open(other, agent);
    await agent.connection.invoke(SEND, other.connectionId, outputOf(terminalId, 'lively'));
    await eventually('the other viewer reads its terminal', () => other.outputs.some((output) => output.terminalId === terminalId));
    expect((await agent.heartbeat()).isSuccess).toBe(true);
  }

  it('holds up its own terminals only, and misses nothing', async () => {
    const { agent, slow, other, closed } = await scene();
    const terminals: string[] = [];
    for (let opened = 0; opened < TERMINALS; opened += 1) terminals.push(await open(slow, agent));
    slow.stall();
    const busy = { isOver: false };
    let sent = 0;
    const printing = terminals.map(async (terminalId) => {
      while (!busy.isOver) {
        await agent.connection.invoke(SEND, slow.connectionId, outputOf(terminalId, 'x'.repeat(50_000)));
        sent += 1;
      }
    });
    await eventually('output has been sent', () => sent > 0);
    await settled('the output of the terminals', () => sent);
    await expectOthersGoOn(agent, other);

    busy.isOver = true;
    slow.readOn();
    await Promise.all(printing);
    await eventually('everything has arrived', () => slow.outputs.length === sent);
    expect(closed).toEqual([]);
  });

  it('stays connected, however much its terminals print at once', async () => {
    const { agent, slow, other, closed } = await scene();
    const terminals: string[] = [];
    for (let opened = 0; opened < MANY_TERMINALS; opened += 1) terminals.push(await open(slow, agent));
    slow.stall();
    const printing: Promise<unknown>[] = [];
    for (const terminalId of terminals) {
      printing.push(agent.connection.invoke(SEND, slow.connectionId, outputOf(terminalId, LONGEST)));
      // The client joins what it is to send in one moment to one frame.
      await agent.heartbeat();
    }
    await expectOthersGoOn(agent, other);
    slow.readOn();
    await Promise.all(printing);
    await eventually('everything has arrived', () => slow.outputs.length === MANY_TERMINALS);
    expect([closed, slow.isClosed]).toEqual([[], false]);
  });

  it('has a terminal closed whose agent sends on without waiting, however short its outputs are', async () => {
    const { agent, slow, other, closed } = await scene();
    const [full, flooded] = [await open(slow, agent), await open(slow, agent)];
    slow.stall();
    const busy = { isOver: false };
    let printed = 0;
    const printing = (async (): Promise<void> => {
      for (; !busy.isOver; printed += 1) await agent.connection.invoke(SEND, slow.connectionId, outputOf(full, 'x'.repeat(50_000)));
    })();
    await eventually('output has been sent', () => printed > 0);
    await settled('the output of the first terminal', () => printed);
    let sent = 0;
    for (; sent < MAXIMUM_SHORT && closed.length === 0; sent += 1) {
      await agent.connection.send(SEND, slow.connectionId, outputOf(flooded, ''));
      // The answer tells that the output has been dealt with.
      if (sent % 100 === 0) await agent.heartbeat();
    }
    expect(closed).toEqual([flooded]);
    await expectOthersGoOn(agent, other);

    busy.isOver = true;
    slow.readOn();
    await printing;
  });

  it('has a terminal closed whose agent sends on without waiting', async () => {
    const { agent, slow, other, closed } = await scene();
    const [flooded, quiet] = [await open(slow, agent), await open(slow, agent)];
    slow.stall();
    let sent = 0;
    while (closed.length === 0) {
      await agent.connection.send(SEND, slow.connectionId, outputOf(flooded, 'x'.repeat(50_000)));
      sent += 1;
      // The answer tells that the output has been dealt with.
      if (sent % 10 === 0) await agent.heartbeat();
    }
    expect(closed).toEqual([flooded]);
    await expectOthersGoOn(agent, other);
    slow.readOn();
    await agent.connection.invoke(SEND, slow.connectionId, outputOf(quiet, 'goes on'));
    await eventually('its other terminal goes on', () => slow.outputs.some(({ terminalId }) => terminalId === quiet));
    const last = slow.outputs.findLast(({ terminalId }) => terminalId === flooded);
    expect(last?.output).toContain('was closed');
    expect(slow.isClosed).toBe(false);
  });
});
