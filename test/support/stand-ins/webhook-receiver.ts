import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

import { eventually } from '../eventually.js';
import type { Identity } from './certificates.js';

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

  private constructor(
    private readonly server: Server,
    private readonly origin: string,
  ) {}

  static async start(port = 0): Promise<WebhookReceiver> {
    return WebhookReceiver.listen(createServer(), 'http://127.0.0.1', port);
  }

  /** @param clientCa the authority that signed the certificates of senders, which they need */
  static async startSecure({ cert, key }: Identity, clientCa: string): Promise<WebhookReceiver> {
    return WebhookReceiver.listen(createSecureServer({ cert, key, ca: clientCa, requestCert: true }), 'https://localhost', 0);
  }

  private static async listen(server: Server, origin: string, port: number): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver(server, origin);
    server.on('request', (request, response) => void receiver.take(request, response));
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `${this.origin}:${this.port}`;
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
