/** Parameters with which the driver connects to the database. They may contain a password, so never log them. */
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

/** Address of the database: on the bundled server or on the operator's server. */
export abstract class DatabaseConnection {
  abstract readonly config: DatabaseConfig;
  /** A description for operators: kind, host and database, without secrets. */
  abstract readonly description: string;
}
