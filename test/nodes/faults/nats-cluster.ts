import { portToKeep } from '../../support/processes/service-process.js';
import type { NatsServer } from '../support/nats-server.js';
import { startNats } from '../support/node-options.js';

const SERVERS = 3;

/** Three servers of NATS that know each other. */
export class NatsCluster {
  private constructor(readonly servers: readonly NatsServer[]) {}

  static async start(): Promise<NatsCluster> {
    const ports = await Promise.all(Array.from({ length: SERVERS }, () => portToKeep()));
    const routes = ports.map((port) => `nats://127.0.0.1:${port}`);
    const servers: NatsServer[] = [];
    for (const route of routes) {
      servers.push(await startNats(['--cluster_name', 'devices', '--cluster', route, '--routes', routes.join(',')]));
    }
    return new NatsCluster(servers);
  }

  /** Addresses of all, with commas. */
  get urls(): string {
    return this.servers.map(({ url }) => url).join(',');
  }

  /** The server with that number, from 0. */
  server(number: number): NatsServer {
    const server = this.servers[number % SERVERS];
    if (server === undefined) throw new Error(`There is no server ${number}.`);
    return server;
  }

  async end(): Promise<void> {
    for (const server of this.servers) await server.kill();
  }
}
