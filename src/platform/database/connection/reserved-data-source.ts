import { DataSource } from 'typeorm';

import { dataSourceOptions, REQUESTS, type Pool } from './data-source.js';
import type { DatabaseConnection } from './database-connection.js';

/*
 * Connections that are reserved for one purpose, so that no number of requests can take them. They run plain SQL only.
 */

/**
 * Time-out of their queries, which take milliseconds. Without it, a connection that has gone silent would hold up the one batch of reports
 * that is written at a time, and every device of this node would go offline at its next connection.
 */
const ANSWER_TIMEOUT_MS = 30_000;
/** Reports are written by one batch at a time and read by one more query. */
const REPORTS: Pool = { name: 'reports', size: 4, answerTimeoutMs: ANSWER_TIMEOUT_MS };
/** Most credentials and rights are cached, and what is read is found by its key within a millisecond. */
const ACCESS: Pool = { name: 'access', size: 4, answerTimeoutMs: ANSWER_TIMEOUT_MS };

/** The connection that listens for notifications. */
const LISTENING = 1;

/** Most connections of one process of the service to the database. */
export const CONNECTIONS_OF_PROCESS = REQUESTS.size + REPORTS.size + ACCESS.size + LISTENING;

/** Connections for the reports of devices, the reports of this node and the health probe. */
export class ReportsDataSource extends DataSource {
  constructor({ config }: DatabaseConnection) {
    super(dataSourceOptions(config, [], REPORTS));
  }
}

/** Connections for reading the credentials and rights of callers. */
export class AccessDataSource extends DataSource {
  constructor({ config }: DatabaseConnection) {
    super(dataSourceOptions(config, [], ACCESS));
  }
}
