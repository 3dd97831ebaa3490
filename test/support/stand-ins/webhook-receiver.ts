import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { eventually } from '../eventually.js';

/** A request that a receiver got. */
export interface ReceivedDelivery {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver of webhooks that behaves as a test says, by path. */
export class WebhookReceiver {
  readonly received: ReceivedDelivery[] = [];
  /** Answers requests of a path; others get 204. */
  readonly answers = new Map<string, (response: ServerResponse, request: IncomingMessage) => void>();

  private constructor(private readonly server: Server) {}

  static async start(port = 0): Promise<WebhookReceiver> {
    const server = createServer();
    const receiver = new WebhookReceiver(server);
    server.on('request', (request, response) => void receiver.take(request, response));
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The requests to a path. */
  at(path: string): readonly ReceivedDelivery[] {
    return this.received.filter((request) => request.path === path);
  }

  /** Waits for a number of requests to a path. */
  async gets(path: string, count: number): Promise<readonly ReceivedDelivery[]> {
    await eventually(`${count} deliveries have come to ${path}`, () => this.at(path).length >= count);
    return this.at(path);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
    const path = request.url ?? '';
    this.received.push({ path, headers: request.headers, body: Buffer.concat(pieces).toString('utf8') });
    const answer = this.answers.get(path);
    if (answer === undefined) response.writeHead(204).end();
    else answer(response, request);
  }
}
