import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { DataSource } from 'typeorm';

import { DomainError, ErrorCode } from '../../common/errors/errors.js';
import { codeOf } from '../../common/errors/system-error.js';
import { ReportsDataSource } from '../connection/reserved-data-source.js';
import { poolOf } from './read-rows.js';

/** Reads the rows of a statement. */
export type ReadRows = <T extends object>(sql: string, parameters: readonly unknown[]) => Promise<T[]>;

/** Limits on the time of a read's statements. */
export interface ReadLimits {
  /** Milliseconds for each statement. */
  readonly timeoutMs: number;
  /** Refusal for a caller who asked for too much, with what to ask for instead. */
  readonly refusal: string;
  /** Cancels the statement that is running when the caller leaves. */
  readonly signal: AbortSignal;
}

/** SQLSTATE of a statement that was cancelled, by its time-out or on request. */
const QUERY_CANCELED = '57014';

/** Reads that callers can make expensive. PostgreSQL gives up a statement that takes too long or that nobody waits for any more. */
@Injectable()
export class BoundedReads {
  constructor(
    private readonly dataSource: DataSource,
    /** Cancels statements: when they are many, they may hold all connections of the pool. */
    private readonly canceller: ReportsDataSource,
  ) {}

  /** Runs `work`, whose statements go over one connection. 503 when one of them takes too long; the signal's reason when it fires. */
  async run<T>({ timeoutMs, refusal, signal }: ReadLimits, work: (read: ReadRows) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const client = await poolOf(this.dataSource.manager).connect();
    let cancelling: Promise<unknown> = Promise.resolve();
    let broken = false;
    try {
      const pid = await begin(client, timeoutMs);
      const cancel = (): void => {
        cancelling = this.canceller.query('SELECT pg_cancel_backend($1)', [pid]).catch(() => undefined);
      };
      signal.addEventListener('abort', cancel, { once: true });
      try {
        signal.throwIfAborted();
        return await work(async <R extends object>(sql: string, parameters: readonly unknown[]) => {
          signal.throwIfAborted();
          return (await client.query<R>(sql, [...parameters])).rows;
        });
      } finally {
        signal.removeEventListener('abort', cancel);
      }
    } catch (error) {
      signal.throwIfAborted();
      if (codeOf(error) !== QUERY_CANCELED) throw error;
      throw new DomainError(ErrorCode.Unavailable, refusal, undefined, { 'Retry-After': '1' });
    } finally {
      // A cancellation that comes late must not meet the next statement of the connection, which is another caller's.
      await cancelling;
      await client.query('ROLLBACK').catch(() => {
        broken = true;
      });
      client.release(broken);
    }
  }
}

/** Begins a transaction with the time-out; answers the process id of the connection's backend. */
async function begin(client: pg.PoolClient, timeoutMs: number): Promise<number> {
  // The three statements go in one message, to which the driver answers with a result each.
  const sql = `BEGIN READ ONLY; SET LOCAL statement_timeout = ${timeoutMs}; SELECT pg_backend_pid() AS pid`;
  const results = (await client.query(sql)) as unknown as readonly pg.QueryResult<{ pid: number }>[];
  return results[2].rows[0].pid;
}
