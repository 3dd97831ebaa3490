import { rm } from 'node:fs/promises';

import { afterAll, beforeAll } from 'vitest';

import { TestApp } from '../../support/application/app.js';
import type { NatsServer } from './nats-server.js';
import { nodeOptions, startNats } from './node-options.js';

/** Applications on one database, as several processes would be, with a server of NATS between them. */
export class TestNodes {
  nats!: NatsServer;
  startNats: () => Promise<NatsServer> = () => startNats();
  /** Puts something between the nodes and NATS, and returns their options for it. */
  behind: (nats: NatsServer) => Promise<Record<string, string>> = async () => ({});
  /** Options of the nodes after the first. */
  others: Record<string, string> = {};
  private readonly list: TestApp[] = [];

  constructor(
    private readonly count: number,
    private readonly env: Record<string, string>,
  ) {}

  async start(): Promise<void> {
    this.nats = await this.startNats();
    const first = await TestApp.start({ ...nodeOptions(this.nats), ...this.env, ...(await this.behind(this.nats)) });
    this.list.push(first);
    while (this.list.length < this.count) this.list.push(await first.startBeside(this.others));
  }

  /** The node with that number, from 0. */
  node(number: number): TestApp {
    const node = this.list[number];
    if (node === undefined) throw new Error(`There is no node ${number}.`);
    return node;
  }

  /** All nodes. */
  get all(): readonly TestApp[] {
    return this.list;
  }

  async stop(): Promise<void> {
    const [first, ...others] = this.list;
    for (const node of others) {
      await node.app.close();
      await rm(node.dataPath, { recursive: true, force: true });
    }
    await first?.stop();
    await this.nats.kill();
  }
}

/** Nodes that start before the first test and stop after the last. */
export function testNodes(count: number, env: Record<string, string> = {}): TestNodes {
  const nodes = new TestNodes(count, env);
  beforeAll(() => nodes.start());
  afterAll(() => nodes.stop());
  return nodes;
}
