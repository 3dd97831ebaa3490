import type pg from 'pg';

/** Time-out of the statement, in milliseconds. */
const ANSWER_TIMEOUT_MS = 10_000;

/**
 * Makes the server notice that the process of a session is gone or stands still, so that its locks are free for others. By default it probes a
 * silent connection after two hours: so long would a machine that lost its power keep the lock of the service. It would wait for the next
 * statement of a transaction without end: a node that is frozen would keep the rows that it changes. An administrator's limit stays.
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
