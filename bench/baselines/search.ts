import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import pg from 'pg';

import type { Database } from '../harness/database.js';
import { serveCalls } from '../harness/serve-calls.js';

/*
 * A plain search: node:http over the same statements, each row as JSON. No authentication, no scope, no checks, no DTO.
 * A request names a search by its number.
 */

export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** The statements of a search. */
export interface SearchStatements {
  readonly find: Statement;
  /** Finds devices when many match. */
  readonly walk: Statement;
  /** Takes the found ids as its last parameter. */
  readonly read: Statement;
  /** Checks for any device at all. Used when no device matches. */
  readonly any: Statement;
  /** Looks for the text in notes. It finds none. */
  readonly noted: Statement | null;
}

interface Found {
  readonly ids: string[] | null;
  readonly total: number;
  readonly online: number;
  readonly tagged: number;
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
  const { find, walk, read, any, noted } = searches[Number(request.url?.slice(1))];
  if (noted !== null) await pool.query(noted.sql, [...noted.parameters]);
  const [{ ids, ...counts }] = (await pool.query<Found>(find.sql, [...find.parameters])).rows;
  const wanted = ids ?? (await pool.query<{ id: string }>(walk.sql, [...walk.parameters])).rows.map(({ id }) => id);
  const items = wanted.length === 0 ? [] : (await pool.query(read.sql, [...read.parameters, wanted])).rows;
  if (counts.total === 0) await pool.query(any.sql, [...any.parameters]);
  const body = JSON.stringify({ items, totalItems: counts.total, counts });
  response.setHeader('Content-Type', 'application/json');
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
}
