import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';

import { WebSocket } from 'ws';

import { RelayPairing } from '../../src/live/relay/relay-pairing.js';
import { newGuid } from '../../src/platform/common/identifiers/guid.js';
import type { TestApp } from '../support/application/app.js';
import { eventually } from '../support/eventually.js';

/** Id and token of a session, which both sides know. */
export interface Meeting {
  readonly sessionId: string;
  readonly accessToken: string;
}

/** An answer of the relay that is no WebSocket. */
export interface Refusal {
  readonly status: number;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
}

interface Close {
  readonly code: number;
  readonly reason: string;
}

/** A session that nobody knows of yet. */
export function newMeeting(): Meeting {
  return { sessionId: newGuid(), accessToken: randomBytes(64).toString('base64url') };
}

/** The address of a side of a session, as viewers write it. `changes` replace parts of the query; null leaves one out. */
export function relayUri(
  server: Pick<TestApp, 'url'>,
  meeting: Meeting,
  role: 'requester' | 'responder',
  changes: Readonly<Record<string, string | null>> = {},
): string {
  const url = new URL('/relay', server.url);
  url.protocol = 'ws:';
  const query = { ...meeting, timeout: '30', role, ...changes };
  for (const [name, value] of Object.entries(query)) if (value !== null) url.searchParams.append(name, value);
  return url.href;
}

/** Waits until a half of the session waits at the relay. A probe that was a half itself could come before it, and take its place. */
export async function untilHalfWaits({ nodes }: Pick<TestApp, 'nodes'>, { sessionId }: Meeting): Promise<void> {
  const pairings = nodes.map(({ app }) => app.get(RelayPairing, { strict: false }));
  await eventually('the half waits', () => pairings.some((pairing) => pairing.isWaiting(sessionId)));
}

/** One side of a session, with the client library that agents use. It records the frames that arrive. */
export class RelayPeer {
  readonly messages: Buffer[] = [];
  readonly isText: boolean[] = [];
  /** Bytes that have arrived. */
  received = 0;
  closed: Close | undefined;
  readonly socket: WebSocket;
  private outcome: 'open' | Refusal | undefined;

  constructor(url: string, headers: Readonly<Record<string, string>> = {}, keepsMessages = true) {
    this.socket = new WebSocket(url, { headers, perMessageDeflate: false });
    this.socket.on('open', () => (this.outcome = 'open'));
    this.socket.on('error', () => undefined);
    this.socket.on('unexpected-response', (_request, response: IncomingMessage) => void this.refused(response));
    this.socket.on('message', (data: Buffer, isBinary) => {
      this.received += data.length;
      if (!keepsMessages) return;
      this.messages.push(data);
      this.isText.push(!isBinary);
    });
    this.socket.on('close', (code, reason) => (this.closed = { code, reason: reason.toString() }));
  }

  /** True if the relay has answered. */
  get isAnswered(): boolean {
    return this.outcome !== undefined;
  }

  /** True if the relay has connected it. */
  get isOpen(): boolean {
    return this.outcome === 'open';
  }

  /** Waits until the two are connected. */
  async opened(): Promise<this> {
    await eventually('the relay has answered', () => this.isAnswered);
    if (this.outcome !== 'open') throw new Error(`The relay refused: ${JSON.stringify(this.outcome)}`);
    return this;
  }

  /** Waits for a refusal. */
  async refusal(): Promise<Refusal> {
    await eventually('the relay has answered', () => this.isAnswered);
    if (this.outcome === 'open' || this.outcome === undefined) throw new Error('The relay connected the socket.');
    return this.outcome;
  }

  /** Waits until the socket is closed, and returns its close code and reason. */
  async end(): Promise<Close> {
    await eventually('the socket is closed', () => this.closed !== undefined);
    return this.closed as Close;
  }

  /** Waits for so many messages. */
  async receive(count: number): Promise<readonly Buffer[]> {
    await eventually(`${count} messages have arrived`, () => this.messages.length >= count);
    return this.messages;
  }

  async stop(): Promise<void> {
    this.socket.terminate();
    await Promise.resolve();
  }

  private async refused(response: IncomingMessage): Promise<void> {
    let body = '';
    for await (const piece of response) body += String(piece);
    this.outcome = { status: response.statusCode ?? 0, body, headers: response.headers };
  }
}

/** A client that speaks no WebSocket by itself: it sends what a test wants, and nothing else. */
export async function rawPeer(url: string): Promise<Socket> {
  const { hostname, port, pathname, search } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const head = [
    `GET ${pathname}${search} HTTP/1.1`,
    `Host: ${hostname}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  return socket;
}
