import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { serveInTurn } from '../../../src/platform/http/connections/pipelined-requests.js';
import { eventually } from '../../support/eventually.js';

/*
 * An anonymous client fills the network's buffers with the shortest requests, or with the shortest parts of a body. One read of the socket
 * brings thousands of them. Parsed at once they would take tens of milliseconds, on each of many connections, one after the other,
 * and everybody else would wait.
 */

/** Bytes far beyond those of one read of a socket. */
const FLOOD_BYTES = 512 * 1024;
/** Limit of events in a turn: more than a slice of a connection has, and far less than a read of it. */
const MOST_IN_A_TURN = 400;

const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const IN_PARTS = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';

/** Counts the events of one turn of the event loop. */
class PerTurn {
  most = 0;
  all = 0;
  private inThisTurn = 0;

  readonly count = (): void => {
    if (this.inThisTurn === 0) setImmediate(() => (this.inThisTurn = 0));
    this.inThisTurn += 1;
    this.all += 1;
    this.most = Math.max(this.most, this.inThisTurn);
  };
}

/**
 * Takes so long for each part of a body that one slice of them uses up the budget of a turn. Without it, the number of slices in
 * a turn would depend on the speed of the machine.
 */
function busyForAPart(): void {
  const end = performance.now() + 0.01;
  while (performance.now() < end);
}

describe('floods of requests to parse', () => {
  let server: Server;
  let serve: (request: IncomingMessage, response: ServerResponse) => void;
  const sockets: Socket[] = [];

  beforeEach(async () => {
    serve = (_request, response) => response.end('served');
    server = createServer((request, response) => serve(request, response));
    serveInTurn(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  /** Writes on a new connection. Returns it with the bytes that came back. */
  function send(bytes: string): { readonly client: Socket; readonly received: () => string } {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    sockets.push(client);
    let received = '';
    client.setEncoding('latin1').on('data', (text: string) => (received += text));
    client.on('error', () => undefined).write(bytes);
    return { client, received: () => received };
  }

  async function mostRequestsInATurn(one: string, isOver: (requests: PerTurn, client: Socket) => boolean): Promise<number> {
    const requests = new PerTurn();
    subscribe('http.server.request.start', requests.count);
    try {
      const { client } = send(one.repeat(FLOOD_BYTES / one.length));
      await eventually('the flood is over', () => isOver(requests, client));
    } finally {
      unsubscribe('http.server.request.start', requests.count);
    }
    return requests.most;
  }

  it('are requests: a connection has a slice of them parsed in a turn', async () => {
    const all = Math.floor(FLOOD_BYTES / REQUEST.length);
    expect(await mostRequestsInATurn(REQUEST, (requests) => requests.all === all)).toBeLessThan(MOST_IN_A_TURN);
  });

  it('are requests that Node.js itself refuses', async () => {
    expect(await mostRequestsInATurn('GET / HTTP/1.1\r\n\r\n', (_requests, client) => client.closed)).toBeLessThan(MOST_IN_A_TURN);
  });

  it('are parts of a body', async () => {
    const parts = new PerTurn();
    serve = (request, response) => {
      request
        .on('data', parts.count)
        .on('data', busyForAPart)
        .once('end', () => response.end('read'));
    };
    const { received } = send(`${IN_PARTS}${'1\r\nx\r\n'.repeat(FLOOD_BYTES / 6)}0\r\n\r\n`);
    await eventually('the body is read', () => received().endsWith('read'));
    expect(parts.all).toBe(Math.floor(FLOOD_BYTES / 6));
    expect(parts.most).toBeLessThan(MOST_IN_A_TURN);
  });

  it('leave requests, bodies and trailers as they are', async () => {
    const bodies = Array.from({ length: 50 }, (_, index) => 'abc'.repeat(index * 40));
    serve = (request, response) => {
      let body = '';
      request.setEncoding('latin1').on('data', (text: string) => (body += text));
      request.once('end', () => response.end(`<${request.headers['transfer-encoding'] ?? 'whole'}:${body}>`));
    };
    const inParts = (body: string): string => `${IN_PARTS}${body.replaceAll('abc', '3;a=b\r\nabc\r\n')}0\r\nTrailer: a\r\n\r\n`;
    const whole = (body: string): string => `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const { received } = send(bodies.map((body) => inParts(body) + whole(body)).join(''));
    await eventually('all are answered', () => received().split('>').length - 1 === 2 * bodies.length);
    expect([...received().matchAll(/<([^>]*)>/g)].map(([, answer]) => answer)).toEqual(
      bodies.flatMap((body) => [`chunked:${body}`, `whole:${body}`]),
    );
  });

  it('wait for a client that does not take its answers', async () => {
    const answer = 'x'.repeat(256 * 1024);
    serve = (_request, response) => response.end(answer);
    const { client, received } = send(REQUEST.repeat(100));
    client.pause();
    await eventually('the first answers fill the network', () => client.readableLength > 0);
    client.resume();
    await eventually('all are answered', () => received().length > 100 * answer.length);
  });

  it('wait for a body that nobody takes yet', async () => {
    let request: IncomingMessage | undefined;
    serve = (incoming, response) => {
      if (incoming.method === 'GET') {
        response.end('served');
        return;
      }
      request = incoming;
      incoming.once('end', () => response.end('read'));
    };
    const sent = `${IN_PARTS}${'5\r\nabcde\r\n'.repeat(FLOOD_BYTES)}0\r\n\r\n`;
    const { received } = send(sent);
    await eventually('a buffer is full', () => request !== undefined && request.readableLength >= request.readableHighWaterMark);
    // Turns in which more could be read. The network's buffers may hold all of the rest.
    const other = send(REQUEST);
    await eventually('another client is served', () => other.received().endsWith('served'));
    expect(request?.readableLength).toBeLessThan(2 * (request?.readableHighWaterMark ?? 0));
    expect(request?.socket.bytesRead).toBeLessThan(sent.length / 2);
    request?.resume();
    await eventually('the body is read', () => received().endsWith('read'));
  });

  it.each<[number, string, string]>([
    [400, 'no request', 'nonsense\r\n\r\n'],
    [400, 'requests by an unknown method', 'BREW / HTTP/1.1\r\nHost: a\r\n\r\n'],
    [431, 'headers that are too large', `GET / HTTP/1.1\r\nHost: a\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`],
    [413, 'extensions of parts that are too large', `${IN_PARTS}1;${'x'.repeat(20_000)}\r\nx\r\n`],
  ])('are answered with %i and closed where they are %s', async (status, _what, bytes) => {
    serve = () => undefined;
    const { client, received } = send(bytes);
    await eventually('the connection is closed', () => client.closed);
    expect(received()).toContain(`HTTP/1.1 ${status} `);
  });
});
