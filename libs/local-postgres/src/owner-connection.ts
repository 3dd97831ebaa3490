import { Client, DatabaseError } from 'pg';
import { setTimeout as delay } from 'node:timers/promises';
import type { Endpoint } from './endpoint.js';
import { hasCode, LocalPostgresError } from './errors.js';
import { SERVICE_ROLE } from './service-role.js';

/** A database that every cluster has. The owner connects to it, so that the service's own database can be dropped. */
const MAINTENANCE_DATABASE = 'postgres';

/** The advisory lock that the owner of the server holds. */
const OWNER_LOCK = 7_263_541_908;

/** The longest wait for the lock, in milliseconds: that of a process that has just ended may still be held. */
const LOCK_TIMEOUT_MS = 1_000;

const NAME_PREFIX = 'local-postgres owner, pid ';

/** Another process owns the server. */
export class OwnedElsewhereError extends LocalPostgresError {}

/**
 * The connection that makes this process the owner of the server, because it holds an advisory lock. PostgreSQL releases the
 * lock as soon as its holder dies. So a lock that is held means that the owner lives, and a lock that is free means that the
 * server was left behind. When the connection ends, the owner knows that the server is gone.
 */
export class OwnerConnection {
  /** Resolves when the connection has ended for any reason. */
  readonly ended: Promise<void>;

  private constructor(private readonly client: Client) {
    this.ended = new Promise((resolve) => {
      client.once('end', () => resolve());
    });
    // Without a listener an error would end this process. `end` follows every error.
    client.on('error', () => undefined);
  }

  /**
   * Tries once to connect and to take the lock.
   * @returns undefined while the server is starting, recovering or not listening yet
   * @throws LocalPostgresError when another process owns the server, or it is the server of another cluster
   */
  static async open(endpoint: Endpoint, clusterDirectory: string): Promise<OwnerConnection | undefined> {
    const client = new Client({
      host: endpoint.host,
      port: endpoint.port,
      user: endpoint.user,
      password: endpoint.password ?? '',
      database: MAINTENANCE_DATABASE,
      ssl: false,
      application_name: `${NAME_PREFIX}${process.pid}`,
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
    });
    const owner = new OwnerConnection(client);
    try {
      await client.connect();
      await owner.verifyCluster(clusterDirectory);
      await owner.takeLock(clusterDirectory);
      return owner;
    } catch (error) {
      await owner.close();
      if (isNotReady(error)) return undefined;
      throw error;
    }
  }

  /**
   * Makes the service's role the owner of the database. Both are created unless they exist. A server that listens on a port gives the
   * role the password.
   */
  async ensureDatabase(name: string, password: string | undefined): Promise<void> {
    const [database, role] = [name, SERVICE_ROLE].map((identifier) => this.client.escapeIdentifier(identifier));
    const roles = await this.client.query('select 1 from pg_roles where rolname = $1', [SERVICE_ROLE]);
    if (roles.rowCount === 0) await this.client.query(`create role ${role} login`);
    if (password !== undefined) await this.client.query(`alter role ${role} password ${this.client.escapeLiteral(password)}`);
    const databases = await this.client.query('select 1 from pg_database where datname = $1', [name]);
    if (databases.rowCount === 0) await this.client.query(`create database ${database} owner ${role}`);
    else await this.client.query(`alter database ${database} owner to ${role}`);
  }

  /** Ends the connection and thereby the ownership. */
  async close(): Promise<void> {
    // An error means that the connection has ended already.
    await this.client.end().catch(() => undefined);
  }

  private async verifyCluster(clusterDirectory: string): Promise<void> {
    const { rows } = await this.client.query<{ data_directory: string }>('show data_directory');
    if (rows[0]?.data_directory !== clusterDirectory) {
      throw new LocalPostgresError(
        `Where the server of ${clusterDirectory} should listen, a server of ${rows[0]?.data_directory} answers. ` +
          'Stop that one and start again.',
      );
    }
  }

  private async takeLock(clusterDirectory: string): Promise<void> {
    const deadline = Date.now() + LOCK_TIMEOUT_MS;
    for (;;) {
      const { rows } = await this.client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [OWNER_LOCK]);
      if (rows[0]?.held) return;
      if (Date.now() > deadline) break;
      await delay(50);
    }
    const { rows } = await this.client.query<{ name: string }>(
      `select a.application_name as name from pg_locks l join pg_stat_activity a using (pid)
        where l.locktype = 'advisory' and l.granted and a.application_name like $1`,
      [`${NAME_PREFIX}%`],
    );
    const holder = rows[0] ? ` (pid ${rows[0].name.slice(NAME_PREFIX.length)})` : '';
    throw new OwnedElsewhereError(
      `Another service process${holder} is using the database in ${clusterDirectory}. ` +
        'Stop that one first, or give this one a data folder of its own.',
    );
  }
}

/** Checks that the error is that of a server that starts, recovers or stops, or that has no socket yet. */
function isNotReady(error: unknown): boolean {
  if (error instanceof DatabaseError) return error.code === '57P03' || error.code === '57P01' || error.code === '57P02';
  if (error instanceof LocalPostgresError) return false;
  return (
    hasCode(error, 'ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE') ||
    (error instanceof Error && error.message.startsWith('Connection terminated'))
  );
}
