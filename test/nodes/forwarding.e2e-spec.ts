import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';

import { beforeAll, describe, expect, it } from 'vitest';

import { Forwarding } from '../../src/live/nodes/bytes/forwarding.js';
import { InternalPort, type InternalRoute } from '../../src/live/nodes/bytes/internal-port.js';
import { ServerNode } from '../../src/platform/node/server-node.js';
import { stopAfterEach } from '../support/setup/test-server.js';
import { noNats } from './support/nats-server.js';
import { testNodes } from './support/test-nodes.js';

const PATH = '/passed-on';
/** More than the sockets between a client and the other node hold. */
const LONG = 33_554_432;

describe.skipIf(noNats !== undefined)('a request that is passed on to another node', () => {
  const nodes = testNodes(2);
  const keep = stopAfterEach();
  let serve: InternalRoute;
  let nodeId: string;

  beforeAll(() => {
    nodeId = nodes.node(1).app.get(ServerNode, { strict: false }).id;
    nodes
      .node(1)
      .app.get(InternalPort, { strict: false })
      .route(PATH, (request, response) => serve(request, response));
  });

  /** Opens a request at a server that passes it on to the second node. */
  async function open(
    headers: Record<string, string> | readonly string[],
    body: Buffer | null,
    prepare: (response: ServerResponse) => unknown = () => undefined,
    kind: 'forwarded' | 'ofConnections' = 'forwarded',
  ): Promise<IncomingMessage> {
    const forwarding = nodes.node(0).app.get(Forwarding, { strict: false });
    const server = createServer((request, response) => {
      prepare(response);
      void forwarding.forward(request, response, nodeId, 'streamed', kind);
    });
    keep({ stop: async () => server.close().closeAllConnections() });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const sent = httpRequest({ host: '127.0.0.1', port, path: PATH, method: body === null ? 'GET' : 'POST', headers });
    sent.end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return answer;
  }

  const echo: InternalRoute = (request, response) =>
    void buffer(request).then((bytes) => response.writeHead(200, { 'Content-Length': bytes.length }).end(bytes));
  const echoInChunks: InternalRoute = (request, response) => void request.pipe(response);

  it.each([
    ['no bytes', 0],
    ['a few bytes', 256],
    ['as many as are copied', 16_384],
    ['more than are copied', 16_385],
    ['more than arrive at once', 1_048_576],
  ])('arrives as it was sent, and so does its answer: %s', async (_name, size) => {
    // All values of a byte, of which half are no characters of ASCII.
    const bytes = size === 256 ? Buffer.from(Array.from({ length: size }, (_, value) => value)) : randomBytes(size);
    const forms: readonly Record<string, string>[] = [{ 'Content-Length': String(size) }, { 'Transfer-Encoding': 'chunked' }];
    for (const route of [echo, echoInChunks]) {
      serve = route;
      for (const headers of forms) {
        const answer = await open(headers, bytes);
        expect((await buffer(answer)).equals(bytes)).toBe(true);
        expect(answer.headers['content-length']).toBe(route === echo || size === 0 ? String(size) : undefined);
      }
    }
  });

  it.each(['forwarded', 'ofConnections'] as const)('arrives with the first of several hosts: %s', async (kind) => {
    serve = (request, response) => void response.end(request.headers.host);
    const answer = await open(['Host', 'first.example', 'Host', 'second.example'], null, undefined, kind);
    expect([answer.statusCode, String(await buffer(answer))]).toEqual([200, 'first.example']);
  });

  it('is answered with the headers of that node, and with those that only this one has set', async () => {
    serve = (_request, response) => {
      response.setHeader('Set-Cookie', ['a=1', 'b=2']);
      response.writeHead(203, 'As Read', { 'X-Both': 'same', 'X-Other': 'theirs', 'Content-Length': 0 }).end();
    };
    const answer = await open({}, null, (response) => {
      for (const [name, value] of Object.entries({ 'X-Both': 'same', 'X-Other': 'ours', 'X-Own': 'ours' })) response.setHeader(name, value);
    });
    expect([answer.statusCode, answer.statusMessage]).toEqual([203, 'As Read']);
    expect(answer.headers).toMatchObject({ 'set-cookie': ['a=1', 'b=2'], 'x-both': 'same', 'x-other': 'theirs', 'x-own': 'ours' });
  });

  it('is answered piece by piece, with the head first', async () => {
    let response: ServerResponse | undefined;
    serve = (_request, begun) => {
      response = begun;
      begun.flushHeaders();
    };
    const answer = await open({}, null);
    const read = answer[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    for (const piece of ['first', 'second']) {
      response?.write(piece);
      expect(String((await read.next()).value)).toBe(piece);
    }
    response?.end();
    expect(await read.next()).toMatchObject({ done: true });
  });

  it('is cut when the other node breaks its answer off', async () => {
    serve = (_request, response) => {
      response.writeHead(200, { 'Content-Length': 10 });
      response.write('half', () => response.destroy());
    };
    const answer = await open({}, null);
    await expect(buffer(answer)).rejects.toThrow('aborted');
  });

  it('ends at the other node when its client leaves', async () => {
    const closed = new Promise((resolve) => {
      serve = (_request, response) => {
        response.once('close', () => resolve(response.writableFinished));
        response.write('first');
      };
    });
    (await open({}, null)).destroy();
    expect(await closed).toBe(false);
  });

  describe('whose answer is long', () => {
    /** Sends the bytes in pieces, no faster than they are taken. */
    const sendAll =
      (bytes: Buffer, headers: Readonly<Record<string, string>>): InternalRoute =>
      (_request, response) => {
        response.writeHead(200, headers);
        Readable.from(piecesOf(bytes)).pipe(response);
      };

    it.each([
      ['with a length', { 'Content-Length': String(LONG) }],
      ['in chunks', {}],
    ])('brings a reader that is slower than the other node the bytes as they were: %s', async (_name, headers: Record<string, string>) => {
      const bytes = randomBytes(LONG);
      serve = sendAll(bytes, headers);
      let passing: ServerResponse | undefined;
      const answer = await open({}, null, (response) => (passing = response));
      let at = 0;
      let mostUnsent = 0;
      for await (const piece of answer as AsyncIterable<Buffer>) {
        if (!piece.equals(bytes.subarray(at, at + piece.length))) throw new Error(`The bytes after ${at} are others.`);
        at += piece.length;
        mostUnsent = Math.max(mostUnsent, passing?.writableLength ?? 0);
        await turn();
      }
      expect(at).toBe(LONG);
      expect(mostUnsent).toBeLessThan(1_048_576);
    });

    it('does not mix the bytes of answers at the same time', async () => {
      const all = Array.from({ length: 4 }, () => randomBytes(LONG / 4));
      serve = (request, response) => {
        const bytes = all[Number(request.headers['x-number'])];
        sendAll(bytes, { 'Content-Length': String(bytes.length) })(request, response);
      };
      const answers = await Promise.all(all.map((_bytes, number) => open({ 'X-Number': String(number) }, null)));
      const received = await Promise.all(answers.map(buffer));
      expect(received.map((bytes, number) => bytes.equals(all[number]))).toEqual([true, true, true, true]);
    });

    it('is cut when the other node breaks it off', async () => {
      serve = (_request, response) => {
        response.writeHead(200, { 'Content-Length': LONG });
        response.write(Buffer.alloc(LONG / 2), () => response.destroy());
      };
      await expect(buffer(await open({}, null))).rejects.toThrow('aborted');
    });

    it('ends at the other node when its client leaves', async () => {
      const closed = new Promise((resolve) => {
        serve = (request, response) => {
          response.once('close', () => resolve(response.writableFinished));
          sendAll(Buffer.alloc(LONG), { 'Content-Length': String(LONG) })(request, response);
        };
      });
      const answer = await open({}, null);
      await once(answer, 'readable');
      answer.destroy();
      expect(await closed).toBe(false);
    });

    it('leaves its connection to the next request', async () => {
      const ports: (number | undefined)[] = [];
      serve = (request, response) => {
        ports.push(request.socket.remotePort);
        sendAll(Buffer.alloc(LONG), { 'Content-Length': String(LONG) })(request, response);
      };
      for (let round = 0; round < 2; round += 1) expect(await buffer(await open({}, null))).toHaveLength(LONG);
      expect(ports[1]).toBe(ports[0]);
    });
  });

  it('is not answered with bytes that came on an idle connection', async () => {
    const sockets: Socket[] = [];
    serve = (request, response) => {
      sockets.push(request.socket);
      response.end('asked for');
    };
    expect(String(await buffer(await open({}, null)))).toBe('asked for');
    await new Promise((resolve) => sockets[0].write('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged', resolve));
    expect(String(await buffer(await open({}, null)))).toBe('asked for');
  });
});

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  const size = 65_536;
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
