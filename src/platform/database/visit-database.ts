import { LocalPostgres, runningConnection } from '#libs/local-postgres';

import type { Settings } from '../config/settings.js';
import type { DatabaseConfig } from './connection/database-connection.js';
import { ExternalDatabase } from './connection/external-database.js';

/** A database that a program uses for a short time. */
export interface VisitedDatabase {
  readonly config: DatabaseConfig;
  /** Stops the bundled database if this program has started it. */
  leave(): Promise<void>;
}

/** The logger of the bundled database in a program that a person runs. */
const LOG = { log: (): void => undefined, warn: (message: string): void => void process.stderr.write(`${message}\n`) };

/** Connects a program to the configured database, beside a service that runs; starts the bundled database if nothing runs it. */
export async function visitDatabase({ database, dataPath }: Settings): Promise<VisitedDatabase> {
  if (database.kind !== 'bundled') return { config: new ExternalDatabase(database).config, leave: () => Promise.resolve() };
  const running = await runningConnection(dataPath);
  return running === undefined ? ownDatabase(dataPath) : { config: running, leave: () => Promise.resolve() };
}

/** As `visitDatabase`, for a program that must not work beside a service: it becomes the owner of the bundled database. */
export async function takeDatabase({ database, dataPath }: Settings): Promise<VisitedDatabase> {
  if (database.kind !== 'bundled') return { config: new ExternalDatabase(database).config, leave: () => Promise.resolve() };
  return ownDatabase(dataPath);
}

async function ownDatabase(dataDirectory: string): Promise<VisitedDatabase> {
  const server = await LocalPostgres.start({ dataDirectory, log: LOG });
  return { config: server.connection, leave: () => server.stop() };
}
