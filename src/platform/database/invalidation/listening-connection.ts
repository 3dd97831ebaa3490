import pg from 'pg';

import { DatabaseError } from '../../common/errors/database-error.js';
import { DatabaseConnection } from '../connection/database-connection.js';
import { unreachable } from '../connection/unreachable.js';
import { setUpSession } from '../connection/session-settings.js';
import type { ServiceLock } from '../locks/service-lock.js';

/**
 * Silence of the connection, in milliseconds, after which TCP probes it. It only receives, so that nothing else would notice its loss, and
 * caches would keep revoked rights.
 */
const PROBE_AFTER_MS = 15_000;
/** Time-out of the server's answer to a connection and to a query on it, in milliseconds, so that a silent one is tried again. */
const ANSWER_TIMEOUT_MS = 10_000;

/** A connection for notifications. It has not been opened yet. */
export function listeningClient({ config }: DatabaseConnection): pg.Client {
  return new pg.Client({
    ...config,
    application_name: 'device-management invalidations',
    keepAlive: true,
    keepAliveInitialDelayMillis: PROBE_AFTER_MS,
    connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
  });
}

/**
 * Opens a listening connection, and takes the lock of the service with it.
 * @throws DatabaseError when another process keeps the lock
 */
export async function connectListening(client: pg.Client, lock: ServiceLock): Promise<void> {
  await client.connect();
  await setUpSession(client);
  await lock.take(client);
}

/** The first listening connection of this process. It holds the lock of the service before anything is written. */
export class FirstListeningConnection {
  private constructor(readonly client: pg.Client) {}

  /** Opens it. @throws DatabaseError when the database cannot be reached, or another process uses it */
  static async open(connection: DatabaseConnection, lock: ServiceLock): Promise<FirstListeningConnection> {
    const client = listeningClient(connection);
    // The next use of the connection shows that it is lost.
    client.on('error', () => undefined);
    try {
      await connectListening(client, lock);
      return new FirstListeningConnection(client);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error instanceof DatabaseError ? error : unreachable(error);
    }
  }
}
