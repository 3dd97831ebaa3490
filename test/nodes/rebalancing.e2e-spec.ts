import { afterEach, describe, expect, it } from 'vitest';

import { BalanceBounds } from '../../src/live/nodes/balance/balance-bounds.js';
import { ServerNode } from '../../src/platform/node/server-node.js';
import type { TestApp } from '../support/application/app.js';
import { createKeyedDevice, FakeAgent, type KeyedDevice } from '../support/devices/agents.js';
import { eventually } from '../support/eventually.js';
import { createTenant } from '../support/fixtures/factories.js';
import { noNats } from './support/nats-server.js';
import { testNodes } from './support/test-nodes.js';

/* Agents that are all at one node, as after a rolling restart, come to all nodes. */

const AGENTS = 20;

/** An agent that connects again when its connection has ended, as the balancer in front of the nodes would let it. */
class ReturningAgent {
  private agent: FakeAgent | null = null;
  private isOver = false;
  private connecting: Promise<void> = Promise.resolve();

  constructor(
    private readonly device: KeyedDevice,
    private readonly next: () => TestApp,
    private readonly failures: unknown[],
  ) {}

  connect(node: TestApp): Promise<void> {
    this.connecting = this.open(node).catch((error: unknown) => void this.failures.push(error));
    return this.connecting;
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await this.connecting;
    await this.agent?.stop();
  }

  private async open(node: TestApp): Promise<void> {
    const agent = await FakeAgent.connect(node, this.device);
    this.agent = agent;
    agent.connection.onclose(() => {
      if (!this.isOver) void this.connect(this.next());
    });
    // The connection may have ended again, and is then made once more.
    const answer = await agent.heartbeat().catch(() => null);
    if (answer?.isSuccess === false) throw new Error(`The server refused the device: ${answer.reason}`);
  }
}

describe.skipIf(noNats !== undefined)('nodes with unlike numbers of agents', () => {
  const failures: unknown[] = [];
  const agents: ReturningAgent[] = [];
  const connectionsOf = ({ app }: TestApp): number => app.get(ServerNode, { strict: false }).connections;

  afterEach(async () => {
    await Promise.all(agents.splice(0).map((agent) => agent.stop()));
    expect(failures).toEqual([]);
  });

  async function connectAll(nodes: ReturnType<typeof testNodes>): Promise<void> {
    const [home] = nodes.all;
    const tenant = await createTenant(home);
    let turn = 0;
    const next = (): TestApp => nodes.node((turn += 1) % nodes.all.length);
    for (let number = 0; number < AGENTS; number += 1) {
      const agent = new ReturningAgent(await createKeyedDevice(home, tenant), next, failures);
      agents.push(agent);
      await agent.connect(home);
    }
    for (const { app } of nodes.all) Object.assign(app.get(BalanceBounds, { strict: false }), { floor: 5, settledMs: 0 });
  }

  describe('by default', () => {
    const nodes = testNodes(2);

    it('share them', async () => {
      await connectAll(nodes);
      const [home, other] = nodes.all;
      await eventually('neither has more than its share', () => {
        const counts = [connectionsOf(home), connectionsOf(other)];
        return counts[0] + counts[1] === AGENTS && Math.max(...counts) <= 12;
      });
    });
  });

  describe('without Nodes:Rebalance', () => {
    const nodes = testNodes(2, { Service_Nodes__Rebalance: 'false' });

    it('keep them', async () => {
      await connectAll(nodes);
      const [home, other] = nodes.all;
      // Several comparisons would have been made by now.
      const until = performance.now() + 8_000;
      await eventually('there was time to share them', () => performance.now() > until, 60_000);
      expect([connectionsOf(home), connectionsOf(other)]).toEqual([AGENTS, 0]);
    });
  });
});
