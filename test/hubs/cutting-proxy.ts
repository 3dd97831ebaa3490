import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Passes TCP connections on to a server, and can cut them in the middle of whatever passes. */
export class CuttingProxy {
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  readonly #server: Server;

  private constructor(target: number) {
    this.#server = createServer((client) => {
      const upstream = connect(target, '127.0.0.1');
      const pair = [client, upstream] as const;
      this.#pairs.add(pair);
      const cut = (): void => this.#cut(pair);
      for (const socket of pair) socket.on('error', cut).on('close', cut);
      client.pipe(upstream).pipe(client);
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

  /** How many connections pass. */
  get size(): number {
    return this.#pairs.size;
  }

  /** Cuts every connection at both ends, as when a line breaks. */
  cutAll(): void {
    for (const pair of this.#pairs) this.#cut(pair);
  }

  async stop(): Promise<void> {
    this.cutAll();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #cut(pair: readonly [Socket, Socket]): void {
    if (this.#pairs.delete(pair)) for (const socket of pair) socket.resetAndDestroy();
  }
}
