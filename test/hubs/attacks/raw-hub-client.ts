import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

import { SignalRHost } from '../../../libs/signalr/src/nest/signalr.module.js';
import type { RunningHub } from '../../../libs/signalr/src/runtime/hub/running-hub.js';

import type { TestApp } from '../../support/application/app.js';

const HANDSHAKE = '{"protocol":"json","version":1}';
const END = '\x1e';
const FINAL_FRAME = { text: 0x81, binary: 0x82 } as const;
const LONG_LENGTH = 0xff;
const LONG_LENGTH_BYTES = 8;

/** A hub of the running application: of its first node. */
export function hubOf(server: TestApp, path: string): RunningHub {
  return hubsOf(server, path)[0];
}

/** A hub of the running application, at each of its nodes. */
export function hubsOf({ nodes }: TestApp, path: string): readonly RunningHub[] {
  return nodes.map(({ app }) => app.get(SignalRHost, { strict: false }).server.runningHub(path));
}

/** Changes limits of a hub at each node. */
export function limitHub(server: TestApp, path: string, limits: Partial<RunningHub['limits']>): void {
  for (const hub of hubsOf(server, path)) Object.assign(hub.limits, limits);
}

/** Records as one text frame of a client. Its mask is zero, so that nothing has to be masked. */
export function frameOf(...records: readonly object[]): Buffer {
  const text = Buffer.from(records.map((record) => JSON.stringify(record) + END).join(''));
  return Buffer.concat([frameHeader(text.length), text]);
}

/** The header of a text or binary frame with so many bytes. */
export function frameHeader(length: number, kind: keyof typeof FINAL_FRAME = 'text'): Buffer {
  const header = Buffer.alloc(2 + LONG_LENGTH_BYTES + 4);
  header[0] = FINAL_FRAME[kind];
  header[1] = LONG_LENGTH;
  header.writeBigUInt64BE(BigInt(length), 2);
  return header;
}

/** Asks for a WebSocket. Gives the socket, or the answer that refuses it. */
export async function upgrade(server: TestApp, path: string, headers: Record<string, string> = {}): Promise<Socket | IncomingMessage> {
  const asked = request(new URL(path, server.url), {
    agent: false,
    headers: {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
      ...headers,
    },
  });
  asked.end();
  return new Promise((resolve, reject) => {
    asked.once('error', reject);
    asked.once('response', resolve);
    asked.once('upgrade', (_response, socket) => resolve(socket));
  });
}

/** A client that writes bytes as it likes and reads nothing but the answer to its handshake. */
export class RawClient {
  isClosed = false;

  private constructor(readonly socket: Socket) {
    socket.once('close', () => (this.isClosed = true));
    socket.on('error', () => undefined);
  }

  /** Opens a WebSocket and does not shake hands. */
  static async open(server: TestApp, path: string, headers: Record<string, string> = {}): Promise<RawClient> {
    const socket = await upgrade(server, path, headers);
    if ('statusCode' in socket) throw new Error(`The upgrade was answered with ${String(socket.statusCode)}.`);
    return new RawClient(socket as Socket);
  }

  /** Opens a WebSocket and shakes hands. */
  static async connect(server: TestApp, path: string, headers: Record<string, string> = {}): Promise<RawClient> {
    const client = await RawClient.open(server, path, headers);
    client.socket.write(Buffer.concat([frameHeader(HANDSHAKE.length + 1), Buffer.from(HANDSHAKE + END)]));
    await once(client.socket, 'data');
    client.socket.resume();
    return client;
  }

  /** Writes the bytes again and again, as fast as they are taken. Returns a function that ends it. */
  flood(bytes: Buffer): () => void {
    let isOver = false;
    const go = (): void => {
      if (!isOver && !this.socket.destroyed) this.socket.write(bytes, go);
    };
    go();
    return () => (isOver = true);
  }

  stop(): Promise<void> {
    this.socket.destroy();
    return Promise.resolve();
  }
}
