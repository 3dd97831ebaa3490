import { beforeAll } from 'vitest';

import { agentHub, type Encoding, TerminalOutputDto, TerminalOutputKind, Timestamp, viewerHub } from '#libs/contracts';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import { callerWith, TestViewer, type Caller } from '../../hubs/viewer-client.js';
import { createKeyedDevice, FakeAgent, waitOnline } from '../../support/devices/agents.js';
import { at, createTenant } from '../../support/fixtures/factories.js';
import { stopAfterEach } from '../../support/setup/test-server.js';
import type { TestNodes } from './test-nodes.js';

/** An agent that is connected to one node, and a viewer of its device at another one. */
export interface Apart {
  readonly agent: FakeAgent;
  readonly viewer: TestViewer;
  readonly deviceId: string;
}

/** Opens a terminal of the device for the viewer. False if it is refused. */
export async function openTerminal({ viewer, deviceId }: Apart, terminalId: string): Promise<boolean> {
  return (await viewer.call(viewerHub.CreateTerminalSession2, { deviceId, terminalId })).isSuccess;
}

/** Sends an output of a terminal to the viewer. */
export function print({ agent, viewer }: Apart, terminalId: string, output: string): Promise<unknown> {
  const timestamp = Timestamp.fromDate(new Date('2026-01-02T03:04:05Z'));
  const dto = { terminalId, output, outputKind: TerminalOutputKind.StandardOutput, timestamp };
  return agent.connection.invoke(
    agentHub.SendTerminalOutputToViewer.name,
    viewer.connectionId,
    TerminalOutputDto.encode(dto, agent.encoding),
  );
}

/** A tenant whose agents connect to node 1 and its viewers to node 0. They stop after each test. */
export class TenantOfNodes {
  readonly keep = stopAfterEach();
  readonly tenant = new Tenant();
  caller!: Caller;

  constructor(private readonly nodes: TestNodes) {
    beforeAll(async () => {
      Object.assign(this.tenant, await createTenant(nodes.node(0)));
      const all = [Permission.DeviceTerminalUse, Permission.DevicePowerManage, Permission.DeviceRead, Permission.DeviceChatSend];
      this.caller = await callerWith(nodes.node(0), this.tenant, all, at.tenant(this.tenant));
    });
  }

  async apart(encoding?: Encoding): Promise<Apart> {
    const device = await createKeyedDevice(this.nodes.node(0), this.tenant);
    const agent = this.keep(await FakeAgent.online(this.nodes.node(1), device, encoding));
    await waitOnline(this.nodes.node(1), device.id);
    return { agent, viewer: await this.viewer(encoding), deviceId: device.id };
  }

  async viewer(encoding?: Encoding): Promise<TestViewer> {
    return this.keep(await TestViewer.connect(this.nodes.node(0), this.caller.headers, encoding));
  }
}
