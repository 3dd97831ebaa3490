import { expect } from 'vitest';

import { agentClient, hubOk, viewerHub } from '#libs/contracts';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import type { TestApp } from '../../support/application/app.js';
import { createKeyedDevice, FakeAgent } from '../../support/devices/agents.js';
import { at } from '../../support/fixtures/factories.js';
import { callerWith, TestViewer } from '../viewer-client.js';

const PORT = 5900;
/** The longest that anything may typically take beside a scene. Test, server and database share the processors; what is blocked never comes. */
const TYPICAL_WAIT_MS = 5_000;

/** A viewer and an agent that have nothing to do with a scene: the viewer asks, the agent answers and reports, over and over. */
export class Bystander {
  private isLeaving = false;
  private readonly waits: number[] = [];
  private readonly going: Promise<void>;

  private constructor(
    private readonly viewer: TestViewer,
    private readonly agent: FakeAgent,
  ) {
    this.going = this.go();
    // Told by `leave`.
    this.going.catch(() => undefined);
  }

  static async arrive(server: TestApp, tenant: { readonly id: string }): Promise<Bystander> {
    const agent = await FakeAgent.online(server, await createKeyedDevice(server, tenant));
    agent.on(agentClient.TestVncConnection, () => hubOk());
    const { headers } = await callerWith(server, tenant, [Permission.DeviceVncRelayConnect], at.tenant(tenant));
    return new Bystander(await TestViewer.connect(server, headers), agent);
  }

  /** Leaves. Fails unless every call until now was answered, and typically soon. */
  async leave(): Promise<void> {
    this.isLeaving = true;
    await this.going;
    await this.stop();
    expect(this.waits.length).toBeGreaterThan(0);
    expect(this.waits.toSorted((a, b) => a - b)[Math.floor(this.waits.length / 2)]).toBeLessThan(TYPICAL_WAIT_MS);
  }

  /** Leaves without looking back. */
  async stop(): Promise<void> {
    this.isLeaving = true;
    await this.viewer.stop();
    await this.agent.stop();
  }

  private async go(): Promise<void> {
    do {
      const start = performance.now();
      expect(await this.viewer.call(viewerHub.TestVncConnection2, { deviceId: this.agent.device.id, port: PORT })).toEqual(hubOk());
      expect((await this.agent.heartbeat()).isSuccess).toBe(true);
      this.waits.push(performance.now() - start);
    } while (!this.isLeaving);
  }
}
