import pg from 'pg';

import type { DatabaseConfig } from '../../platform/database/connection/database-connection.js';
import { unreachable } from '../../platform/database/connection/unreachable.js';
import { AdvisoryLock, lockWhileConnected } from '../../platform/database/locks/advisory-locks.js';

/** Time-out of the server's answer to a connection, and silence after which TCP probes it, in milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000;
const PROBE_AFTER_MS = 15_000;

/**
 * Names by which PostgreSQL lists the connections: of one that makes a backup of the service, of one that makes a backup by hand, and of one
 * that removes half files and keeps others from it.
 */
export const BACKUP = 'device-management backup';
export const BY_HAND = 'device-management backup by hand';
export const CLEANUP = 'device-management backup cleanup';

/** Opens a connection of its own, so that requests of a running service wait for none of the pool. @throws DatabaseError */
export async function connectForBackup(database: DatabaseConfig, name: string): Promise<pg.Client> {
  const client = new pg.Client({
    ...database,
    application_name: name,
    keepAlive: true,
    keepAliveInitialDelayMillis: PROBE_AFTER_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  // A lost connection fails its queries.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw unreachable(error);
  }
  return client;
}

/**
 * Takes the turn to write a backup of this database, for as long as the connection lasts.
 * @param waitMs how long it may wait for another backup, in milliseconds
 * @returns false while another backup runs
 */
export function takeTurn(client: pg.Client, waitMs: number): Promise<boolean> {
  return lockWhileConnected(client, AdvisoryLock.Backup, 'exclusive', waitMs);
}
