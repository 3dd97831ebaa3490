import { rm } from 'node:fs/promises';

import type { NestExpressApplication } from '@nestjs/platform-express';

import { Clock } from '../../../src/platform/common/runtime/clock.js';
import { InvalidationBus } from '../../../src/platform/database/invalidation/invalidation-bus.js';
import { ServerNode } from '../../../src/platform/node/server-node.js';
import type { Balancer } from '../../nodes/support/balancer.js';
import type { NatsServer } from '../../nodes/support/nats-server.js';
import { eventually } from '../eventually.js';
import type { TestApp } from './app.js';

/**
 * True if each application of a test is several nodes behind a balancer, which gives each request and each upgrade to the next node:
 * `npm run test:nodes`.
 */
export const hasSeveralNodes = process.env.TEST_NODES === 'yes';

/** The nodes beside the first one. */
const OTHERS = 2;
/** The channel of the numbers that say how far a node has heard. */
const HEARD_CHANNEL = 'test_heard';

/** The nodes of an application, the NATS between them, and the balancer in front of them. */
export class SeveralNodes {
  private readonly list: TestApp[] = [];
  /** The highest number that each node has heard. */
  private readonly heard = new Map<InvalidationBus, number>();
  private lastNumber = 0;
  private balancer: Balancer | undefined;

  private constructor(
    private readonly nats: NatsServer,
    /** Options of all nodes. */
    readonly env: Readonly<Record<string, string>>,
  ) {}

  static async prepare(): Promise<SeveralNodes> {
    const { noNats } = await import('../../nodes/support/nats-server.js');
    if (noNats !== undefined) throw new Error(`${noNats}: several nodes need it.`);
    const { nodeOptions, startNats } = await import('../../nodes/support/node-options.js');
    const nats = await startNats();
    return new SeveralNodes(nats, nodeOptions(nats));
  }

  /** The nodes, the one that the test knows first. */
  get nodes(): readonly TestApp[] {
    return this.list;
  }

  /** The address of the balancer. */
  get url(): string | undefined {
    return this.balancer?.url;
  }

  /** Prepares a node that has not started. */
  prepareNode(app: NestExpressApplication): void {
    const bus = app.get(InvalidationBus);
    this.heard.set(bus, 0);
    bus.listen(HEARD_CHANNEL, (number) => this.heard.set(bus, Math.max(this.heard.get(bus) ?? 0, Number(number ?? 0))));
    // Tests move the clock by minutes. Nodes that did not all report between two calls would take each other's messages for old ones.
    Object.assign(app.get(ServerNode), { clock: new Clock() });
  }

  /** Starts the others beside the first node, and the balancer. */
  async start(first: TestApp, another: () => TestApp): Promise<void> {
    const { Balancer } = await import('../../nodes/support/balancer.js');
    const others = Array.from({ length: OTHERS }, another);
    await Promise.all(others.map((node) => node.start()));
    this.list.push(first, ...others);
    // Tests that write rows make the first node forget what it knew of them.
    const buses = others.map(({ app }) => app.get(InvalidationBus));
    first.app.get(InvalidationBus).subscribe({
      forget: () => undefined,
      forgetAll: () => buses.forEach((bus) => bus.forgetAll()),
    });
    this.balancer = await Balancer.inFrontOf(this.list.map(({ ownUrl }) => ownUrl));
  }

  /** Waits until each node has heard of everything that was written before: a write is known at other nodes some milliseconds later. */
  async allHeard(): Promise<void> {
    // Messages arrive in the order of their commits: a node that has heard a higher number has heard of this write, too.
    const number = ++this.lastNumber;
    await this.list[0]?.dataSource.query('SELECT pg_notify($1, $2)', [HEARD_CHANNEL, String(number)]);
    await eventually('each node has heard of the write', () => [...this.heard.values()].every((highest) => highest >= number));
  }

  /** Ends the nodes beside the first one. */
  async closeOthers(): Promise<void> {
    await Promise.all(
      this.list.slice(1).map(async ({ app, dataPath }) => {
        await app.close();
        await rm(dataPath, { recursive: true, force: true });
      }),
    );
  }

  /** Ends what is between the nodes, and in front of them. */
  async end(): Promise<void> {
    await this.balancer?.stop();
    await this.nats.kill();
  }
}
