import { rm } from 'node:fs/promises';

import type { NatsServer } from '../../nodes/nats-server.js';
import type { TestApp } from './app.js';

/**
 * True if each application of a test has another node in front of it, which gets what clients send, while agents connect to the application
 * itself: `TEST_APART=yes npm test -- test/hubs`.
 */
export const isApart = process.env.TEST_APART === 'yes';

const ACCESS = {
  Service_Nodes__NatsUser: 'nodes',
  Service_Nodes__NatsPassword: 'a-password-of-the-test',
  Service_Nodes__Secret: 'a-secret-of-the-nodes-of-32-characters',
  Service_Nodes__Port: '0',
  Service_Nodes__BindAddress: '127.0.0.1',
};

/** The node in front of an application, and the NATS between them. */
export class Front {
  private node: TestApp | undefined;

  private constructor(private readonly nats: NatsServer) {}

  static async prepare(): Promise<Front> {
    const { NatsServer } = await import('../../nodes/nats-server.js');
    return new Front(await NatsServer.start(['--user', ACCESS.Service_Nodes__NatsUser, '--pass', ACCESS.Service_Nodes__NatsPassword]));
  }

  /** Options of both nodes. */
  get env(): Record<string, string> {
    return { ...ACCESS, Service_Nodes__Nats: this.nats.url };
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
