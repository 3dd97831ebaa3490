import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { WebSocketServer, type WebSocket } from 'ws';

import { serveCalls } from '../harness/serve-calls.js';

/*
 * A plain relay: a `ws` server that sends each message to the partner of the same session. The sender is paused while the partner is
 * slow. No credentials, no records, no limits.
 */

const HIGH_WATER_MARK = 65_536;
const BINARY = { binary: true };

const waiting = new Map<string, WebSocket>();
const server = createServer();
const sockets = new WebSocketServer({ noServer: true, clientTracking: false, perMessageDeflate: false, maxPayload: 0 });

server.on('upgrade', (request, socket, head) => {
  sockets.handleUpgrade(request, socket, head, (webSocket) => {
    const session = new URL(request.url ?? '', 'http://localhost').searchParams.get('sessionId') ?? '';
    const partner = waiting.get(session);
    if (partner === undefined) {
      waiting.set(session, webSocket);
      return;
    }
    waiting.delete(session);
    pipe(partner, webSocket);
    pipe(webSocket, partner);
  });
});

const calls = {
  async start(): Promise<string> {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  },
};

export type RelayBaselineCalls = typeof calls;
serveCalls(calls);

function pipe(from: WebSocket, to: WebSocket): void {
  from.on('message', (data: Buffer) => {
    to.send(data, BINARY, () => {
      if (from.isPaused && to.bufferedAmount < HIGH_WATER_MARK) from.resume();
    });
    if (to.bufferedAmount >= HIGH_WATER_MARK) from.pause();
  });
  from.once('close', () => to.close());
  from.on('error', () => to.terminate());
}
