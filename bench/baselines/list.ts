import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import pg from 'pg';

import type { Database } from '../harness/database.js';
import { serveCalls } from '../harness/serve-calls.js';

/*
 * A plain list: node:http over the table of devices, keyset pages, each row as JSON, no faster than the reader. No
 * authentication, no scope, no DTO.
 */

interface Options {
  readonly database: Database;
  readonly columns: string;
  readonly tenantId: string;
}

const FIRST_PAGE_SIZE = 100;
const PAGE_SIZE = 500;

const calls = {
  async start(options: Options): Promise<string> {
    const pool = new pg.Pool({ ...options.database, max: 20 });
    const server = createServer((_request, response) => void list(pool, options, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  },
};

export type ListBaselineCalls = typeof calls;
serveCalls(calls);

async function list(pool: pg.Pool, { columns, tenantId }: Options, response: ServerResponse): Promise<void> {
  response.setHeader('Content-Type', 'application/json');
  let after: { readonly list_key: string; readonly id: string } | undefined;
  let opening = '[';
  for (let limit = FIRST_PAGE_SIZE; ; limit = PAGE_SIZE) {
    const { rows } = await pool.query<{ readonly list_key: string; readonly id: string }>(
      `SELECT ${columns}, d.created_at::text AS list_key FROM devices d
       WHERE d.tenant_id = $1 ${after === undefined ? '' : 'AND (d.created_at, d.id) > ($3::timestamptz, $4::uuid)'}
       ORDER BY d.created_at, d.id LIMIT $2`,
      [tenantId, limit, ...(after === undefined ? [] : [after.list_key, after.id])],
    );
    if (rows.length > 0) {
      const hasRoom = response.write(opening + rows.map((row) => JSON.stringify(row)).join(','));
      opening = ',';
      if (!hasRoom) await once(response, 'drain');
    }
    if (rows.length < limit) break;
    after = rows[rows.length - 1];
  }
  response.end(opening === '[' ? '[]' : ']');
}
