import type { Settings } from '../config/settings.js';
import { BundledDatabase } from './connection/bundled-database.js';
import type { DatabaseConnection } from './connection/database-connection.js';
import { ExternalDatabase } from './connection/external-database.js';

/** Returns the address of the configured database, and starts the database if it is the bundled one. */
export async function openConnection({ database, dataPath }: Settings): Promise<DatabaseConnection> {
  return database.kind === 'bundled' ? BundledDatabase.start(dataPath) : new ExternalDatabase(database);
}
