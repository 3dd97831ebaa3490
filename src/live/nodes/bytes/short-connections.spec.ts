import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { type ShortConnection, ShortConnections } from './short-connections.js';

describe('connections for short messages', () => {
  let server: Server;
  let origin: string;
  let connections: ShortConnections;

  beforeEach(async () => {
    server = createServer((_request, response) => response.end('done')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    connections = new ShortConnections();
  });

  afterEach(() => {
    connections.close();
    server.close().closeAllConnections();
  });

  /** A connection that has carried a message and was given back. */
  async function used(mayBeUsed: boolean): Promise<ShortConnection> {
    const connection = connections.take(origin);
    const { body } = await connection.client.request({ method: 'GET', path: '/' });
    await body.dump();
    connections.giveBack(connection, mayBeUsed);
    return connection;
  }

  it('are used for one message after another', async () => {
    const connection = await used(true);
    expect(connections.take(origin)).toBe(connection);
    expect(connections.take(origin)).not.toBe(connection);
  });

  it('are closed when they may not be used again', async () => {
    const connection = await used(false);
    expect(connection.client.destroyed).toBe(true);
    expect(connections.take(origin)).not.toBe(connection);
  });

  it('are not kept when the other node has closed them', async () => {
    const connection = await used(true);
    const closed = new Promise((resolve) => connection.client.once('disconnect', resolve));
    server.closeAllConnections();
    await closed;
    expect(connections.take(origin)).not.toBe(connection);
  });
});
