import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';

import { afterEach, describe, expect, it } from 'vitest';

import { DatabaseError } from '../../common/errors/database-error.js';
import { dataSourceOptions } from './data-source.js';
import { openDataSource } from './open-data-source.js';

/** A message of PostgreSQL's protocol: type, length, body. */
function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const AUTHENTICATED = message('R', Buffer.alloc(4));
const READY_FOR_QUERY = message('Z', Buffer.from('I'));
const DONE = message('C', Buffer.from('SELECT 1\0'));
const SHUTTING_DOWN = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'));

describe('openDataSource', () => {
  let server: Server;

  afterEach(() => {
    server.close();
  });

  it('survives a server that goes away at the moment when a connection is handed out', async () => {
    let connections = 0;
    server = createServer((socket) => {
      connections++;
      // The client may leave first.
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.write(Buffer.concat([AUTHENTICATED, READY_FOR_QUERY]));
        // The statement that sets up the session.
        socket.once('data', () => socket.end(Buffer.concat([DONE, READY_FOR_QUERY, SHUTTING_DOWN])));
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const config = { host: '127.0.0.1', port, user: 'nobody', password: '', database: 'none' };

    await expect(openDataSource(dataSourceOptions(config, []))).rejects.toThrow(DatabaseError);
    // The first belongs to TypeORM's own test of the pool; what failed is a query on a later one.
    expect(connections).toBeGreaterThan(1);
  });
});
