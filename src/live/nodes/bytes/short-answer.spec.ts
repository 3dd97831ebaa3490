import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Client } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';

import type { Passed } from './node-requests.js';
import { ShortAnswer } from './short-answer.js';

/** A promise and the function that resolves it. */
function promised<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}

const LONG = Buffer.alloc(8_388_608, 'long');
const STANDSTILL_MS = 60_000;

describe('the answer of another node', () => {
  const closers: (() => void)[] = [];

  afterEach(() => {
    for (const close of closers.splice(0)) close();
  });

  async function listen(listener: RequestListener): Promise<Server> {
    const server = createServer(listener).listen(0, '127.0.0.1');
    closers.push(() => server.close().closeAllConnections());
    await once(server, 'listening');
    return server;
  }

  const urlOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  /** A client's request at a node that passes it on to the home, which answers by that listener. */
  async function passedOn(home: RequestListener): Promise<{
    answer: () => Promise<IncomingMessage>;
    leave: () => void;
    outcome: Promise<Passed>;
    mayBeUsed: Promise<boolean>;
  }> {
    const client = new Client(urlOf(await listen(home)));
    closers.push(() => void client.destroy());
    const [outcome, mayBeUsed] = [promised<Passed>(), promised<boolean>()];
    const edge = await listen((_request, response) => {
      const answer = new ShortAnswer(response, STANDSTILL_MS, outcome.resolve, mayBeUsed.resolve);
      client.dispatch({ method: 'GET', path: '/' }, answer);
    });
    const request = get(urlOf(edge));
    const answered = once(request, 'response') as Promise<[IncomingMessage]>;
    answered.catch(() => undefined);
    return {
      answer: async () => (await answered)[0],
      leave: () => void request.destroy(),
      outcome: outcome.promise,
      mayBeUsed: mayBeUsed.promise,
    };
  }

  async function bodyOf(answer: IncomingMessage): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of answer) parts.push(part as Buffer);
    return Buffer.concat(parts);
  }

  it('reaches the client with its status, its headers and each byte', async () => {
    const { answer, outcome, mayBeUsed } = await passedOn((_request, response) => {
      response.writeHead(202, 'Taken', ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'X-Kind', 'short']).end(Buffer.from([0, 127, 128, 255]));
    });
    const read = await answer();
    expect([read.statusCode, read.statusMessage, read.headers['set-cookie'], read.headers['x-kind']]).toEqual([
      202,
      'Taken',
      ['a=1', 'b=2'],
      'short',
    ]);
    expect([...(await bodyOf(read))]).toEqual([0, 127, 128, 255]);
    expect([await outcome, await mayBeUsed]).toEqual(['answered', true]);
  });

  it('waits for a client that does not read, and loses nothing', async () => {
    const { answer, mayBeUsed } = await passedOn((_request, response) => void response.end(LONG));
    const read = await answer();
    read.pause();
    expect((await bodyOf(read)).equals(LONG)).toBe(true);
    expect(await mayBeUsed).toBe(true);
  });

  it('begins before its body does', async () => {
    let stream: ServerResponse | undefined;
    const { answer } = await passedOn((_request, response) => {
      stream = response;
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
    });
    const read = await answer();
    stream?.write('one');
    expect(String((await once(read, 'data'))[0])).toBe('one');
    stream?.end('two');
    expect(String(await bodyOf(read))).toBe('two');
  });

  it('is cut when the other node cuts it', async () => {
    const { answer, mayBeUsed } = await passedOn((_request, response) => {
      response.writeHead(200, { 'Content-Length': '10' }).write('half', () => response.destroy());
    });
    await expect(answer().then(bodyOf)).rejects.toThrow('aborted');
    expect(await mayBeUsed).toBe(false);
  });

  it('is a cut connection when the other node cuts it before it answers', async () => {
    const { answer, outcome, mayBeUsed } = await passedOn((request) => void request.socket.destroy());
    await expect(answer()).rejects.toThrow('socket hang up');
    expect([await outcome, await mayBeUsed]).toEqual(['answered', false]);
  });

  it('is not wanted any more once the client has left', async () => {
    const left = promised<undefined>();
    const asked = promised<undefined>();
    const { leave, outcome, mayBeUsed } = await passedOn((_request, response) => {
      response.once('close', () => left.resolve(undefined));
      asked.resolve(undefined);
    });
    await asked.promise;
    leave();
    await left.promise;
    expect([await outcome, await mayBeUsed]).toEqual(['answered', false]);
  });

  it('is left to the node that asked when the other one is not the home', async () => {
    const client = new Client(urlOf(await listen((_request, response) => void response.writeHead(421).end('not here'))));
    closers.push(() => void client.destroy());
    const edge = await listen((_request, response) => {
      const settle = (passed: Passed): void => void response.writeHead(404).end(passed);
      client.dispatch({ method: 'GET', path: '/' }, new ShortAnswer(response, STANDSTILL_MS, settle, () => undefined));
    });
    const [answer] = (await once(get(urlOf(edge)), 'response')) as [IncomingMessage];
    expect([answer.statusCode, String(await bodyOf(answer))]).toEqual([404, 'misdirected']);
  });

  it('is none from a node that there is not', async () => {
    const gone = await listen(() => undefined);
    const client = new Client(urlOf(gone));
    gone.close();
    await once(gone, 'close');
    const outcome = promised<Passed>();
    const edge = await listen((_request, response) => {
      client.dispatch({ method: 'GET', path: '/' }, new ShortAnswer(response, STANDSTILL_MS, outcome.resolve, () => response.end()));
    });
    get(urlOf(edge));
    expect(await outcome.promise).toBe('gone');
  });
});
