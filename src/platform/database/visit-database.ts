import {
  createDataDirectory,
  findDataDirectory,
  hasDatabase,
  LocalPostgres,
  LocalPostgresError,
  runningConnection,
} from '#libs/local-postgres';

import type { ExternalDatabaseSettings } from '../config/database-settings.js';
import type { Settings } from '../config/settings.js';
import type { DatabaseConfig } from './connection/database-connection.js';
import { ExternalDatabase } from './connection/external-database.js';

/** A database that a program uses for a short time. */
export interface VisitedDatabase {
  readonly config: DatabaseConfig;
  /** The data folder of the service. */
  readonly dataPath: string;
  /** Stops the bundled database if this program has started it. */
  leave(): Promise<void>;
}

/** The logger of the bundled database in a program that a person runs. */
const LOG = { log: (): void => undefined, warn: (message: string): void => void process.stderr.write(`${message}\n`) };

/** The data folder that the service uses with these settings: the default one moves when the bundled database cannot enter it. */
export async function dataPathOf({ database, dataPath, dataPathIsExplicit }: Settings): Promise<string> {
  if (database.kind !== 'bundled' || dataPathIsExplicit) return dataPath;
  return findDataDirectory(dataPath, { explicit: false });
}

/**
 * Connects a program to the configured database, beside a service that runs; starts the bundled database if nothing runs it.
 * @throws LocalPostgresError when there is no bundled database in the data folder: it creates none
 */
export async function visitDatabase(settings: Settings): Promise<VisitedDatabase> {
  const dataPath = await dataPathOf(settings);
  if (settings.database.kind !== 'bundled') return external(settings.database, dataPath);
  const running = await runningConnection(dataPath);
  if (running !== undefined) return { config: running, dataPath, leave: () => Promise.resolve() };
  if (!(await hasDatabase(dataPath))) {
    throw new LocalPostgresError(
      `There is no database in ${dataPath}. Check Service_DataPath, and run this in the working directory of the service.`,
    );
  }
  return ownDatabase(dataPath);
}

/** As `visitDatabase`, for a program that must not work beside a service: it becomes the owner of the bundled database, or creates it. */
export async function takeDatabase(settings: Settings): Promise<VisitedDatabase> {
  const dataPath = await dataPathOf(settings);
  if (settings.database.kind === 'bundled') return ownDatabase(dataPath);
  return external(settings.database, await createDataDirectory(dataPath));
}

function external(database: ExternalDatabaseSettings, dataPath: string): VisitedDatabase {
  return { config: new ExternalDatabase(database).config, dataPath, leave: () => Promise.resolve() };
}

async function ownDatabase(dataPath: string): Promise<VisitedDatabase> {
  const server = await LocalPostgres.start({ dataDirectory: dataPath, log: LOG });
  return { config: server.connection, dataPath, leave: () => server.stop() };
}
