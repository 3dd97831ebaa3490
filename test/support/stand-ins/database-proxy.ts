import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';

import type { LocalPostgresConnection } from '#libs/local-postgres';

import { portToKeep } from '../processes/service-process.js';

/**
 * A TCP proxy in front of the test's PostgreSQL. On command, connections whose name begins with a prefix go silent: they stay open,
 * and nothing passes on them any more.
 */
export class DatabaseProxy {
  private silenced: string | null = null;
  private knownPort = 0;
  private readonly open = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly target: Pick<LocalPostgresConnection, 'host' | 'port'>,
  ) {}

  static async start(target: Pick<LocalPostgresConnection, 'host' | 'port'>): Promise<DatabaseProxy> {
    const server = createServer();
    const proxy = new DatabaseProxy(server, target);
    server.on('connection', (socket) => proxy.pass(socket));
    server.listen(await portToKeep(), '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Silences all present and future connections whose `application_name` begins with the prefix; null lets new ones talk again. */
  silence(applicationName: string | null): void {
    this.silenced = applicationName;
  }

  /** Ends all connections and refuses new ones, as while PostgreSQL is not running. */
  async refuse(): Promise<void> {
    this.knownPort = this.port;
    await this.stop();
  }

  /** Takes connections again. */
  async serveAgain(): Promise<void> {
    this.server.listen(this.knownPort, '127.0.0.1');
    await once(this.server, 'listening');
  }

  stop(): Promise<unknown> {
    for (const socket of this.open) socket.destroy();
    const closed = once(this.server, 'close');
    this.server.close();
    return closed;
  }

  private pass(socket: Socket): void {
    const { host, port } = this.target;
    const upstream = host.startsWith('/') ? connect(join(host, `.s.PGSQL.${port}`)) : connect(port, host);
    let name: string | null = null;
    let isSilent = false;
    const mayPass = (): boolean => {
      isSilent ||= this.silenced !== null && name?.startsWith(this.silenced) === true;
      return !isSilent;
    };
    socket.on('data', (data) => {
      // The first message of a client names it.
      name ??= /application_name\0([^\0]*)/.exec(data.toString('latin1'))?.[1] ?? '';
      if (mayPass()) upstream.write(data);
    });
    upstream.on('data', (data) => {
      if (mayPass()) socket.write(data);
    });
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ]) {
      this.open.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        this.open.delete(one);
        if (!isSilent) other.destroy();
      });
    }
  }
}
