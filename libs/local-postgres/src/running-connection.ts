import { join, resolve } from 'node:path';

import { CLUSTER_DIRECTORY } from './data-directory.js';
import { SUPERUSER } from './endpoint.js';
import { findRunningServer } from './server-process.js';
import { SERVICE_ROLE } from './service-role.js';
import type { LocalPostgresConnection } from './local-postgres.js';

/**
 * The connection to the server that another process runs in a data folder, for a program beside it. Undefined when none runs.
 * @throws LocalPostgresError when the password of a server that listens on a port cannot be read
 */
export async function runningConnection(dataDirectory: string, database = 'app'): Promise<LocalPostgresConnection | undefined> {
  const running = await findRunningServer(join(resolve(dataDirectory), CLUSTER_DIRECTORY));
  if (running === undefined) return undefined;
  const { transport, host, port, password } = running.endpoint;
  // On a port, only the process that started the server knows the password of the service's role.
  if (transport === 'loopback') return { host, port, user: SUPERUSER, database, ...(password === undefined ? {} : { password }) };
  return { host, port, user: SERVICE_ROLE, database };
}
