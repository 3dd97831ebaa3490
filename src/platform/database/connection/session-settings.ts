import type pg from 'pg';

/** Time-out of the statement, in milliseconds. */
const ANSWER_TIMEOUT_MS = 10_000;

/**
 * By default PostgreSQL probes a silent connection after two hours, and waits for the next statement of a transaction for ever. So long a machine
 * that lost its power would keep the lock of the service, and a frozen node the rows that it changes. A limit that an administrator has set
 * stays.
 */
const SETTINGS = `
  SELECT set_config('tcp_keepalives_idle', '15', FALSE),
         set_config('tcp_keepalives_interval', '5', FALSE),
         set_config('tcp_keepalives_count', '3', FALSE),
         CASE current_setting('idle_in_transaction_session_timeout')
           WHEN '0' THEN set_config('idle_in_transaction_session_timeout', '60s', FALSE)
         END`;

/**
 * Sets up the session of a connection that was just made: the server ends it 30 s after its process is gone, and 60 s after the last statement
 * of a transaction that has not ended.
 */
export async function setUpSession(client: pg.ClientBase): Promise<void> {
  // The driver takes the time-out of a single statement, but does not declare it.
  await client.query({ text: SETTINGS, query_timeout: ANSWER_TIMEOUT_MS } as pg.QueryConfig);
}
