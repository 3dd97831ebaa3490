import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';

import { describe, expect, it } from 'vitest';

import { BoundedPool, MAXIMUM_WAITING_QUERIES } from './bounded-pool.js';

describe('BoundedPool', () => {
  it('refuses queries behind a full queue', async () => {
    // A server that never answers: the only connection is never ready.
    const server = createServer((socket) => socket.on('error', () => undefined));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const pool = new BoundedPool({
      host: '127.0.0.1',
      port: (server.address() as AddressInfo).port,
      max: 1,
      connectionTimeoutMillis: 2_000,
    });
    const waiting = Array.from({ length: MAXIMUM_WAITING_QUERIES + 1 }, () =>
      pool.query('SELECT 1').then(
        () => '',
        (error: Error) => error.message,
      ),
    );
    const refusal = { message: 'Too many requests wait for the database. Try again in a second.', headers: { 'Retry-After': '1' } };
    await expect(pool.connect()).rejects.toMatchObject(refusal);
    await expect(pool.query('SELECT 1')).rejects.toMatchObject(refusal);
    const outcomes = await Promise.all(waiting);
    expect(outcomes.every((message) => /timeout/i.test(message))).toBe(true);
    await pool.end();
    server.close();
  });
});
