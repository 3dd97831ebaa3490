import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { plainAnswer } from './http-answer.js';
import { type Upgrade, UpgradeRouter, type UpgradeRouterOptions } from './upgrade-router.js';

let server: Server;
let clients: Socket[];
const errors: unknown[] = [];

beforeEach(async () => {
  errors.length = 0;
  clients = [];
  server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(async () => {
  for (const client of clients) client.destroy();
  server.close();
  await once(server, 'close');
});

function routerWith(options: UpgradeRouterOptions = {}): UpgradeRouter {
  const router = new UpgradeRouter({ onError: (error) => errors.push(error), ...options });
  router.attach(server);
  return router;
}

/** Asks for an upgrade. @returns the socket of the client */
async function ask(path: string): Promise<Socket> {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server does not listen.');
  const client = connect(address.port, '127.0.0.1');
  clients.push(client);
  await once(client, 'connect');
  client.write(`GET ${path} HTTP/1.1\r\nHost: test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
  return client;
}

/** The bytes of the server until it ends the connection, as text. */
async function answerOf(client: Socket): Promise<string> {
  let text = '';
  for await (const chunk of client) text += String(chunk);
  return text;
}

async function answerTo(path: string): Promise<string> {
  return answerOf(await ask(path));
}

/** A handler that decides nothing. `next` gives the next upgrade that reaches it. */
function keeping(): { handler: (upgrade: Upgrade) => Promise<void>; next: () => Promise<Upgrade> } {
  const waiting: ((upgrade: Upgrade) => void)[] = [];
  return {
    handler: (upgrade) => {
      waiting.shift()?.(upgrade);
      return Promise.resolve();
    },
    next: () => new Promise((resolve) => waiting.push(resolve)),
  };
}

/** Takes a socket and ends it. */
function takeAndEnd(upgrade: Upgrade): void {
  expect(upgrade.take()).toBe(true);
  upgrade.socket.destroy();
}

describe('UpgradeRouter', () => {
  it('hands a request to the handler of its path, in any case, with or without a slash or a query', async () => {
    const router = routerWith();
    router.route('/echo', (upgrade) => {
      if (!upgrade.take()) return;
      upgrade.socket.end(`HTTP/1.1 101 Switching Protocols\r\n\r\n${upgrade.path} ${upgrade.query}`);
    });
    expect(await answerTo('/echo?a=b')).toContain('101 Switching Protocols\r\n\r\n/echo a=b');
    for (const path of ['/echo', '/echo/', '/Echo']) expect(await answerTo(path)).toContain(`\r\n\r\n${path} `);
    expect(() => router.route('/echo', () => undefined)).toThrow("The path '/echo' has an upgrade handler already.");
  });

  it.each(['/', '/echo//', '/echo/more', '/__proto__'])('answers 404 to %s', async (path) => {
    routerWith().route('/echo', () => undefined);
    expect(await answerTo(path)).toMatch(/^HTTP\/1\.1 404 Not Found\r\n[^]*\r\n\r\nNothing to connect to here\.$/);
  });

  it('writes a refusal as a complete response', async () => {
    routerWith().route('/no', (upgrade) =>
      upgrade.refuse({ status: 401, headers: { 'WWW-Authenticate': 'Bearer' }, body: '{"title":"Größe"}' }),
    );
    expect(await answerTo('/no')).toBe(
      'HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer\r\nConnection: close\r\nContent-Length: 19\r\n\r\n{"title":"Größe"}',
    );
  });

  it.each([
    [
      'throws',
      (): void => {
        throw new Error('broken');
      },
    ],
    ['rejects', () => Promise.reject(new Error('broken'))],
  ])('answers 500 when a handler %s', async (_case, handler) => {
    routerWith().route('/broken', handler);
    expect(await answerTo('/broken')).toMatch(/^HTTP\/1\.1 500 /);
    expect(errors).toEqual([new Error('broken')]);
  });

  it('answers 503 when too many upgrades wait for their handlers', async () => {
    const { handler, next } = keeping();
    routerWith({ maximumPending: 1 }).route('/slow', handler);
    const first = next();
    await ask('/slow');
    const upgrade = await first;
    expect(await answerTo('/slow')).toMatch(/^HTTP\/1\.1 503 /);
    upgrade.refuse(plainAnswer(403, 'no'));
    const second = next();
    await ask('/slow');
    takeAndEnd(await second);
  });

  it('answers 503 when a handler takes too long', async () => {
    const { handler, next } = keeping();
    routerWith({ deadlineMs: 10 }).route('/slow', handler);
    const pending = next();
    expect(await answerTo('/slow')).toContain('The server took too long to decide.');
    expect((await pending).take()).toBe(false);
  });

  it('hands everything below a path to the handler of its tree, unless another one is more exact', async () => {
    const router = routerWith();
    const answer = (text: string) => (upgrade: Upgrade) => upgrade.refuse(plainAnswer(200, text));
    router.routeTree('/tree', answer('tree'));
    router.route('/tree/leaf', answer('leaf'));
    for (const path of ['/tree', '/Tree/', '/tree/a/b?c=d']) expect(await answerTo(path)).toContain('tree');
    expect(await answerTo('/tree/leaf')).toContain('leaf');
    expect(await answerTo('/trees')).toMatch(/^HTTP\/1\.1 404 /);
  });

  it('neither counts nor ends an upgrade that is held, and reports when its client leaves', async () => {
    const { handler, next } = keeping();
    const router = routerWith({ maximumPending: 1, deadlineMs: 20 });
    let left = 0;
    const held: Upgrade[] = [];
    router.route('/slow', handler);
    router.route('/held', (upgrade) => {
      expect(upgrade.hold(() => (left += 1))).toBe(true);
      held.push(upgrade);
    });
    const [first, second] = [await ask('/held'), await ask('/held')];
    // Neither takes the place of the one that may wait, whose deadline passes.
    const pending = next();
    expect(await answerTo('/slow')).toContain('The server took too long to decide.');
    await pending;
    expect([held.length, left]).toEqual([2, 0]);
    router.close();
    held[1].refuse(plainAnswer(408, 'nobody came'));
    expect(await answerOf(second)).toContain('nobody came');
    first.destroy();
    await once(held[0].socket, 'close');
    expect([left, held[0].take(), held[0].hold(() => undefined)]).toEqual([1, false, false]);
  });

  it('forgets an upgrade whose client has left', async () => {
    const { handler, next } = keeping();
    routerWith({ maximumPending: 1, deadlineMs: 300_000 }).route('/slow', handler);
    const pending = next();
    const client = await ask('/slow');
    const upgrade = await pending;
    client.destroy();
    await once(upgrade.socket, 'close');
    expect(upgrade.take()).toBe(false);
    upgrade.refuse(plainAnswer(403, 'nobody reads this'));
    const another = next();
    await ask('/slow');
    takeAndEnd(await another);
  });

  it('refuses the upgrades that wait and all later ones once it is closed', async () => {
    const { handler, next } = keeping();
    const router = routerWith();
    router.route('/slow', handler);
    const pending = next();
    const client = await ask('/slow');
    await pending;
    router.close();
    expect(await answerOf(client)).toContain('The server is shutting down.');
    expect(await answerTo('/slow')).toMatch(/^HTTP\/1\.1 503 /);
  });
});
