import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A connection of a node, and the one to NATS. */
interface Pair {
  readonly client: Socket;
  readonly target: Socket;
  /** The beginning of what the node has sent, which names it. */
  named: string;
}

/** A TCP proxy in front of NATS whose connections can stop, like those of a node that reads nothing, or lose what is on its way. */
export class StallingProxy {
  /** A text of nodes at which their connection ends, the next time. */
  cutsAt: string | null = null;
  /** Bytes in either direction at which their connection ends, the next time, and which are lost with all after them. */
  losesAt: Buffer | null = null;
  private readonly pairs: Pair[] = [];

  private constructor(
    private readonly server: Server,
    private readonly targetPort: number,
  ) {}

  static async to(port: number): Promise<StallingProxy> {
    const server = createServer();
    const proxy = new StallingProxy(server, port);
    server.on('connection', (socket) => proxy.pass(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get url(): string {
    return `nats://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Number of connections so far. */
  get connections(): number {
    return this.pairs.length;
  }

  /** Passes nothing more to the node with that name of its connection, so that it seems to read nothing; or nothing in either direction. */
  stall(name: string, directions: 'to the node' | 'both' = 'to the node'): void {
    const { client, target } = this.lastOf(name);
    target.pause();
    if (directions === 'both') client.pause();
  }

  /** Ends the connection of a node. */
  cut(name: string): void {
    const { client, target } = this.lastOf(name);
    client.destroy();
    target.destroy();
  }

  async stop(): Promise<void> {
    for (const { target } of this.pairs) target.destroy();
    const closed = once(this.server, 'close');
    this.server.close();
    await closed;
  }

  private pass(client: Socket): void {
    const target = connect(this.targetPort, '127.0.0.1');
    const pair: Pair = { client, target, named: '' };
    this.pairs.push(pair);
    client.on('data', (data) => (pair.named ||= data.toString('latin1')));
    client.on('data', (data) => {
      if (this.cutsAt === null || !data.includes(this.cutsAt)) return;
      this.cutsAt = null;
      client.destroy();
    });
    for (const [from, to] of [
      [client, target],
      [target, client],
    ]) {
      from.on('data', (data) => {
        if (this.losesAt !== null && data.includes(this.losesAt)) return this.lose(pair);
        to.write(data);
      });
      from.on('error', () => undefined);
      from.on('close', () => to.destroy());
    }
  }

  private lose({ client, target }: Pair): void {
    this.losesAt = null;
    client.destroy();
    target.destroy();
  }

  private lastOf(name: string): Pair {
    const pair = this.pairs.findLast(({ named }) => named.includes(name));
    if (pair === undefined) throw new Error(`${name} has not connected.`);
    return pair;
  }
}
