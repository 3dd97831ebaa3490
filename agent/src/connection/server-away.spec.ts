import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';

import { afterEach, describe, expect, it } from 'vitest';

import { HubStub, MemoryLog } from '../hub-stub.fixture.js';
import { HubLink } from './hub-link.js';
import { isServerAway } from './server-away.js';

describe('a server', () => {
  let server: Server | undefined;

  afterEach(() => server?.close());

  /** Starts the server and returns its address. */
  async function listen(started: Server): Promise<string> {
    server = started.listen(0, '127.0.0.1');
    await once(started, 'listening');
    return `http://127.0.0.1:${(started.address() as AddressInfo).port}`;
  }

  async function isAway(uri: string): Promise<boolean> {
    try {
      await new HubLink(uri, new MemoryLog()).connect();
    } catch (error) {
      return isServerAway(error);
    }
    throw new Error('It took the connection.');
  }

  it.each(['http://127.0.0.1:1', 'http://[::1]:1', 'http://devices.invalid'])('is away where nothing answers: %s', async (uri) => {
    expect(await isAway(uri)).toBe(true);
  });

  it('is away where connections are cut before an answer', async () => {
    expect(await isAway(await listen(createServer((socket) => socket.destroy())))).toBe(true);
  });

  it('is away where no answer comes in time', async () => {
    expect(await isAway(await listen(createServer((socket) => socket.on('error', () => undefined))))).toBe(true);
  });

  // A captive portal answers with a page or leads to one, and proxies and balancers have answers of their own.
  it.each([
    [200, true],
    [302, true],
    [400, false],
    [401, false],
    [403, false],
    [404, false],
    [407, true],
    [426, false],
    [429, true],
    [500, false],
    [501, false],
    [502, true],
    [503, true],
    [504, true],
    [511, true],
    [521, true],
  ])('that answers %i is away: %s', async (status, expected) => {
    const answering = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(`HTTP/1.1 ${status} Text\r\nConnection: close\r\n\r\n`));
    });
    expect(await isAway(await listen(answering))).toBe(expected);
  });

  it('is away where something answers that does not speak HTTP', async () => {
    const other = createServer((socket) => socket.on('error', () => undefined).end('SSH-2.0-other\r\n'));
    expect(await isAway(await listen(other))).toBe(true);
  });

  it('is away where something answers that does not speak TLS', async () => {
    const uri = await listen(createServer((socket) => socket.on('error', () => undefined).end('HTTP/1.1 302 Found\r\n\r\n')));
    expect(await isAway(uri.replace('http:', 'https:'))).toBe(true);
  });

  it('is there when the agent fails for a reason of its own', () => {
    expect(isServerAway(new TypeError('x is not a function'))).toBe(false);
    expect(isServerAway(Object.assign(new TypeError('The argument must be a string.'), { code: 'ERR_INVALID_ARG_TYPE' }))).toBe(false);
  });

  it('is there when it takes a connection and ends it', async () => {
    const hub = new HubStub();
    hub.refusesConnections = true;
    expect(await isAway(await hub.listen())).toBe(false);
    await hub.close();
  });
});
