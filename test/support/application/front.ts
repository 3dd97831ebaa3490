import { rm } from 'node:fs/promises';

import type { NatsServer } from '../../nodes/nats-server.js';
import type { TestApp } from './app.js';

/**
 * True if each application of a test has another node in front of it, which gets what clients send, while agents connect to the application
 * itself: `TEST_APART=yes npm test -- test/hubs`.
 */
export const isApart = process.env.TEST_APART === 'yes';

/** The node in front of an application, and the NATS between them. */
export class Front {
  private node: TestApp | undefined;

  private constructor(
    private readonly nats: NatsServer,
    /** Options of both nodes. */
    readonly env: Readonly<Record<string, string>>,
  ) {}

  static async prepare(): Promise<Front> {
    const { nodeOptions, startNats } = await import('../../nodes/node-options.js');
    const nats = await startNats();
    return new Front(nats, nodeOptions(nats));
  }

  get url(): string | undefined {
    return this.node?.url;
  }

  async start(node: TestApp): Promise<void> {
    await node.start();
    this.node = node;
  }

  async stop(): Promise<void> {
    await this.node?.app.close();
    if (this.node !== undefined) await rm(this.node.dataPath, { recursive: true, force: true });
  }

  async end(): Promise<void> {
    await this.nats.kill();
  }
}
