import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import pg from 'pg';

import type { Database } from '../harness/database.js';
import { serveCalls } from '../harness/serve-calls.js';

/*
 * Bare search: node:http over the same statements, both at once, rows as JSON as they come. No authentication, no scope, no
 * checks, no DTO. A request names a search by its number.
 */

export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** What a search asks PostgreSQL. */
export interface SearchStatements {
  readonly page: Statement;
  readonly counts: Statement;
  /** Whether there is any device at all; asked when none was found. */
  readonly any: Statement;
}

interface Options {
  readonly database: Database;
  readonly searches: readonly SearchStatements[];
}

const calls = {
  async start({ database, searches }: Options): Promise<string> {
    const pool = new pg.Pool({ ...database, max: 20 });
    const server = createServer((request, response) => void answer(pool, searches, request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  },
};

export type SearchBaselineCalls = typeof calls;
serveCalls(calls);

async function answer(
  pool: pg.Pool,
  searches: readonly SearchStatements[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  request.resume();
  const { page, counts, any } = searches[Number(request.url?.slice(1))];
  const [items, totals] = await Promise.all([
    pool.query(page.sql, [...page.parameters]),
    pool.query<{ total: number }>(counts.sql, [...counts.parameters]),
  ]);
  if (totals.rows[0].total === 0) await pool.query(any.sql, [...any.parameters]);
  const body = JSON.stringify({ items: items.rows, totalItems: totals.rows[0].total, counts: totals.rows[0] });
  response.setHeader('Content-Type', 'application/json');
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
}
