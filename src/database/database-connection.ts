/** What the driver needs to reach the database; may hold a password, never log it. */
export interface DatabaseConfig {
  readonly connectionString?: string;
  /** Host name, address, or the folder of a Unix socket. */
  readonly host?: string;
  readonly port?: number;
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
  readonly ssl?: boolean | { readonly rejectUnauthorized: boolean };
}

/** Where the database is: the bundled server's socket or the operator's server. */
export abstract class DatabaseConnection {
  abstract readonly config: DatabaseConfig;
  /** What an operator may read: kind, host and database, no secrets. */
  abstract readonly description: string;
}
