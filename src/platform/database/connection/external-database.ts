import type { ExternalDatabaseSettings } from '../../config/database-settings.js';
import { DatabaseConnection, type DatabaseConfig } from './database-connection.js';

/** A PostgreSQL server that the operator runs. */
export class ExternalDatabase extends DatabaseConnection {
  readonly config: DatabaseConfig;
  readonly description: string;

  constructor({ host, port, user, password, database, ssl }: ExternalDatabaseSettings) {
    super();
    this.config = { host, port, user, database, ssl, ...(password === undefined ? {} : { password }) };
    this.description = `PostgreSQL at ${host}:${port}, database ${database}`;
  }
}
