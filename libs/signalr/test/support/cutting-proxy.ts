import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** The two ends of one connection. */
interface Line {
  readonly client: Socket;
  readonly upstream: Socket;
  carriesWebSocket: boolean;
}

/** Passes TCP connections on to a server, and can cut those that carry WebSockets in the middle of a message. */
export class CuttingProxy {
  readonly #lines = new Set<Line>();
  readonly #server: Server;

  private constructor(target: number) {
    this.#server = createServer((client) => {
      const line: Line = { client, upstream: connect(target, '127.0.0.1'), carriesWebSocket: false };
      this.#lines.add(line);
      client.once('data', (head: Buffer) => (line.carriesWebSocket = /^upgrade: websocket/im.test(head.toString('latin1'))));
      const end = (): void => this.#end(line, (socket) => socket.destroy());
      for (const socket of [line.client, line.upstream]) socket.on('error', end).on('close', end);
      client.pipe(line.upstream).pipe(client);
    });
  }

  /** Stands in front of the server at `url`. */
  static async inFrontOf(url: string): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(Number(new URL(url).port));
    await once(proxy.#server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  /** Cuts every WebSocket at both ends, as when a line breaks. */
  cutAll(): void {
    for (const line of this.#lines) if (line.carriesWebSocket) this.#end(line, (socket) => socket.resetAndDestroy());
  }

  /** Cuts every connection at both ends, also those of plain HTTP. */
  cutEverything(): void {
    for (const line of this.#lines) this.#end(line, (socket) => socket.resetAndDestroy());
  }

  /** Cuts every WebSocket and passes nothing on any more. */
  async stop(): Promise<void> {
    this.cutAll();
    for (const line of this.#lines) this.#end(line, (socket) => socket.destroy());
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #end(line: Line, end: (socket: Socket) => void): void {
    if (!this.#lines.delete(line)) return;
    end(line.client);
    end(line.upstream);
  }
}
