import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Gives each request and each upgrade to the next node, so that nothing ever sticks to one. */
export class Balancer {
  private readonly server: Server;
  private readonly upgraded = new Set<Duplex>();
  private next = 0;

  private constructor(private readonly targets: readonly string[]) {
    this.server = createServer((request, response) => {
      const { hostname, port } = this.target();
      const { method, url: path, rawHeaders: headers } = request;
      const passed = httpRequest({ host: hostname, port, method, path, headers, agent: false }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        response.flushHeaders();
        answer.on('error', () => response.destroy());
        answer.pipe(response);
      });
      // A connection that a node cuts is cut for its client as well.
      passed.on('error', ({ code }: NodeJS.ErrnoException) =>
        code === 'ECONNREFUSED' ? response.writeHead(502).end() : response.destroy(),
      );
      response.on('close', () => passed.destroy());
      // A node may answer before it has read everything. The client uses its connection again, so the rest has to be read.
      passed.on('close', () => request.unpipe(passed).resume());
      request.pipe(passed);
    });
    // A client never sends on a connection that is being closed because nobody used it for some seconds.
    this.server.keepAliveTimeout = 0;
    this.server.on('upgrade', (request, socket, head) => this.upgrade(request, socket, head));
  }

  /** Stands in front of the servers at these addresses. */
  static async inFrontOf(urls: readonly string[]): Promise<Balancer> {
    const balancer = new Balancer(urls);
    await once(balancer.server.listen(0, '127.0.0.1'), 'listening');
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Cuts every upgraded connection, as when a line breaks. */
  cutUpgraded(): void {
    for (const socket of this.upgraded) socket.destroy();
  }

  async stop(): Promise<void> {
    this.cutUpgraded();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private target(): URL {
    const target = this.targets[this.next % this.targets.length];
    this.next += 1;
    return new URL(target);
  }

  private upgrade({ method, url, rawHeaders }: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { hostname, port } = this.target();
    const far: Socket = connect(Number(port), hostname);
    const lines = rawHeaders.map((part, at) => (at % 2 === 0 ? `${part}: ` : `${part}\r\n`));
    far.write(`${method} ${url} HTTP/1.1\r\n${lines.join('')}\r\n`);
    far.write(head);
    this.splice(socket, far, () => far.destroy());
    // What the node has sent before it closed still goes to the client.
    this.splice(far, socket, () => socket.end());
  }

  private splice(from: Duplex, to: Duplex, close: () => void): void {
    this.upgraded.add(from);
    from.on('error', () => to.destroy());
    from.on('close', () => {
      this.upgraded.delete(from);
      close();
    });
    from.pipe(to);
  }
}
