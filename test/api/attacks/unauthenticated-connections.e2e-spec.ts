import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { TrustedProxies } from '../../../src/platform/http/addresses/trusted-proxies.js';
import { UnauthenticatedConnections } from '../../../src/platform/http/connections/unauthenticated-connections.js';
import { eventually } from '../../support/eventually.js';

/*
 * An anonymous client opens idle connections, or keeps requests under way that never end, until nobody else can connect.
 */

const LIMITS = { ofAddress: 3, inAll: 5 };
const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const OTHER = '127.0.0.2';
const THIRD = '127.0.0.3';

describe('unauthenticated connections', () => {
  const trusted = { address: '' };
  let server: Server;
  let unauthenticated: UnauthenticatedConnections;
  let unanswered: ServerResponse[];
  const sockets: Socket[] = [];

  beforeEach(async () => {
    trusted.address = '';
    unanswered = [];
    server = createServer((_request, response) => unanswered.push(response));
    // Clients of a test connect from the loopback interface, which is trusted otherwise.
    const isTrusted = (address: string): boolean => address === trusted.address;
    const proxies: TrustedProxies = { trusts: isTrusted, isConfigured: isTrusted, addressOf: () => '' };
    unauthenticated = new UnauthenticatedConnections(proxies, LIMITS);
    unauthenticated.watch(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  /** Opens a connection; gives both its ends once the server has seen it. */
  async function open(localAddress = '127.0.0.1'): Promise<{ readonly client: Socket; readonly socket: Socket }> {
    const { port } = server.address() as AddressInfo;
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const client = connect({ port, host: '127.0.0.1', localAddress });
    sockets.push(client);
    client.on('error', () => undefined).resume();
    return { client, socket: (await accepted)[0] };
  }

  async function ask(client: Socket, request = REQUEST): Promise<void> {
    const before = unanswered.length;
    client.write(request);
    await eventually('the request is under way', () => unanswered.length === before + 1);
  }

  it('make room for new ones of their address: the one that has been idle longest is closed', async () => {
    const [first, second, third] = [await open(), await open(), await open()];
    await ask(first.client);
    unanswered[0].end();
    await once(unanswered[0], 'close');
    const fourth = await open();
    await eventually('one is closed', () => second.client.closed);
    for (const { socket } of [first, third, fourth]) expect(socket.destroyed).toBe(false);
  });

  it('stay when they have requests under way, and new ones are closed', async () => {
    for (let number = 0; number < LIMITS.ofAddress; number += 1) await ask((await open()).client);
    const { client } = await open();
    await eventually('the new one is closed', () => client.closed);
    // Others are not affected.
    await ask((await open(OTHER)).client);
  });

  it('make room also while they poll the agent hub or read its events, which lasts as long as they like', async () => {
    const poll = 'GET /hubs/agent?id=a HTTP/1.1\r\nHost: a\r\n\r\n';
    const first = await open();
    await ask(first.client, poll);
    for (let number = 1; number < LIMITS.ofAddress; number += 1) await ask((await open()).client, poll);
    const { socket } = await open();
    await eventually('the first is closed', () => first.client.closed);
    expect(socket.destroyed).toBe(false);
  });

  it('are bounded in all, too', async () => {
    const all = [await open(), await open(), await open(OTHER), await open(OTHER), await open(THIRD)];
    const { socket } = await open(THIRD);
    await eventually('one is closed', () => all[0].client.closed);
    expect(socket.destroyed).toBe(false);
  });

  it('do not count once their client is known, has changed the protocol, or has left', async () => {
    const [known, upgraded, gone] = [await open(), await open(), await open()];
    unauthenticated.release(known.socket);
    server.once('upgrade', (_request, socket: Socket) => {
      socket.resume().once('end', () => socket.destroy());
    });
    upgraded.client.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    await once(server, 'upgrade');
    gone.client.destroy();
    await eventually('the server has noticed', () => gone.socket.closed);
    for (let number = 0; number < LIMITS.ofAddress; number += 1) await ask((await open()).client);
    for (const { socket } of [known, upgraded]) expect(socket.destroyed).toBe(false);
  });

  it.each<[string, string, number, boolean]>([
    ['do not count once another node has let their viewer in', '/hubs/viewer?id=a', 200, false],
    ['count after another node has refused their viewer', '/hubs/viewer?id=a', 401, true],
    ['count after another node has answered an agent, which is anybody', '/hubs/agent?id=a', 200, true],
  ])('%s', async (_what, path, status, counts) => {
    const { client, socket } = await open();
    server.once('request', (request: IncomingMessage, response: ServerResponse) => {
      response.writeHead(status).end();
      unauthenticated.answeredElsewhere(request, response);
    });
    await ask(client, `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    await eventually('it is answered', () => unanswered[0].closed);
    for (let number = 0; number < LIMITS.ofAddress; number += 1) await ask((await open()).client);
    await eventually('it is closed if it counts', () => socket.destroyed === counts);
  });

  it('do not count when they come from a trusted proxy', async () => {
    trusted.address = '127.0.0.1';
    for (let number = 0; number < 2 * LIMITS.inAll; number += 1) await ask((await open()).client);
  });
});
