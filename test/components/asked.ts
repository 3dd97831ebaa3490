import type { IncomingMessage, ServerResponse } from 'node:http';

/** A change that a page asks for. It is under way, and its body stays on the line, until the test answers. */
export class Asked {
  constructor(
    readonly path: string,
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
  ) {
    // A page may give a request up: `isWhole` says it.
    request.on('error', () => response.destroy());
  }

  /** Bytes of the body. */
  get size(): number {
    return Number(this.request.headers['content-length']);
  }

  /** Reads the body. False if the page gave it up before its end. */
  async isWhole(): Promise<boolean> {
    if (!this.request.closed) {
      const closed = new Promise<void>((resolve) => {
        this.request.once('close', resolve);
      });
      this.request.resume();
      await closed;
    }
    return this.request.complete;
  }

  /** Reads the body, and answers. */
  async answer(status: number, body: object = {}): Promise<void> {
    if (!(await this.isWhole())) throw new Error(`The page gave ${this.path} up.`);
    this.response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  /** Breaks the line. */
  breakOff(): void {
    this.request.socket.destroy();
  }
}
