import { Client, DatabaseError } from 'pg';
import { setTimeout as delay } from 'node:timers/promises';
import type { Endpoint } from './endpoint.js';
import { hasCode, LocalPostgresError } from './errors.js';

/** The database that every cluster has; the owner's connection uses it, so that the service's own can be dropped. */
const MAINTENANCE_DATABASE = 'postgres';

/** The advisory lock of the process that owns the server: a constant of this library. */
const OWNER_LOCK = 7_263_541_908;

/** How long the lock of a process that has just ended may still be held, in milliseconds. */
const LOCK_PATIENCE_MS = 1_000;

const NAME_PREFIX = 'local-postgres owner, pid ';

/** Another live process owns the server. */
export class OwnedElsewhereError extends LocalPostgresError {}

/**
 * The one connection that makes this process the server's owner: it holds an advisory lock. PostgreSQL lets the lock go
 * the moment its holder dies, however it dies, so a held lock means a live owner and a free one an orphan. The end of
 * the connection is also how the owner learns that the server is gone.
 */
export class OwnerConnection {
  /** Settles when the connection has ended, whoever ended it. */
  readonly ended: Promise<void>;

  private constructor(private readonly client: Client) {
    this.ended = new Promise((resolve) => {
      client.once('end', () => resolve());
    });
    // Without a listener the end of the server would end this process. `end` follows every error.
    client.on('error', () => undefined);
  }

  /**
   * Connects once and takes the lock.
   * @returns undefined while the server is starting, recovering or not listening yet
   * @throws LocalPostgresError when another process owns the server, or the server is not of this cluster
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

  /** Makes the database unless it is there. */
  async ensureDatabase(name: string): Promise<void> {
    const { rowCount } = await this.client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount === 0) await this.client.query(`create database ${this.client.escapeIdentifier(name)}`);
  }

  /** Ends the connection, and with it the ownership. */
  async close(): Promise<void> {
    // A connection that is already lost answers with the loss, which is what was asked for.
    await this.client.end().catch(() => undefined);
  }

  private async verifyCluster(clusterDirectory: string): Promise<void> {
    const { rows } = await this.client.query<{ data_directory: string }>('show data_directory');
    if (rows[0]?.data_directory !== clusterDirectory) {
      throw new LocalPostgresError(
        `Where the server of ${clusterDirectory} should listen, a server of ${rows[0]?.data_directory} answers. Stop that one and start again.`,
      );
    }
  }

  private async takeLock(clusterDirectory: string): Promise<void> {
    const deadline = Date.now() + LOCK_PATIENCE_MS;
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

/** A server that starts, recovers or stops refuses connections with these; a server process that has just begun has no socket yet. */
function isNotReady(error: unknown): boolean {
  if (error instanceof DatabaseError) return error.code === '57P03' || error.code === '57P01' || error.code === '57P02';
  if (error instanceof LocalPostgresError) return false;
  return (
    hasCode(error, 'ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE') ||
    (error instanceof Error && error.message.startsWith('Connection terminated'))
  );
}
