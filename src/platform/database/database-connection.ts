/** What the driver needs to connect to the database. It may contain a password, so never log it. */
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

/** Where the database is: on the bundled server or on the operator's server. */
export abstract class DatabaseConnection {
  abstract readonly config: DatabaseConfig;
  /** A description for operators: kind, host and database, without secrets. */
  abstract readonly description: string;
}
