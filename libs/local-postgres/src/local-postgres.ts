import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { resolveDataDirectory } from './data-directory.js';
import type { Transport } from './endpoint.js';
import { giveContents, SERVICE_ROLE } from './service-role.js';
import { type OwnedServer, Site } from './site.js';

/** A server that is lost more often than this within the period is not started again. */
const MAX_LOSSES = 5;
const LOSS_PERIOD_MS = 5 * 60_000;

/** The pause after the second loss within the period, in milliseconds. It doubles with each further loss. */
const BACK_OFF_MS = 100;

/** Takes messages about the running server. */
interface LocalPostgresLogger {
  log(message: string): void;
  warn(message: string): void;
}

/** The server went away while it was in use. */
export interface ServerLoss {
  readonly reason: string;
  /** False when the server is not started again, so that the service cannot go on. */
  readonly restarting: boolean;
}

export interface LocalPostgresOptions {
  /** The service's data folder. It holds the cluster in `pg` and the server's log in `postgres.log`. */
  readonly dataDirectory: string;
  readonly log: LocalPostgresLogger;
  /** The database that the service uses. It is created unless it exists. Default: `app`. */
  readonly database?: string;
  readonly maxConnections?: number;
  /** Further server settings by name. They replace those of this library. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called when the server ends without `stop`. */
  readonly onExit?: (loss: ServerLoss) => void;
  /** The way in which clients reach the server. Default: a socket, on Windows a port. */
  readonly transport?: Transport;
  /** The folder of the package with the binaries. Default: the installed package. */
  readonly packageDirectory?: string;
}

/** The values that a client needs to connect. For a socket `host` is its folder. */
export interface LocalPostgresConnection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password?: string;
  readonly database: string;
}

/**
 * A PostgreSQL server that belongs to the service and runs the bundled binaries. It is started, or adopted when an earlier
 * service process has left it running, and started again when it dies. Clients' pools reconnect by themselves.
 */
export class LocalPostgres {
  private stopping: Promise<void> | undefined;
  private recovery: Promise<void> = Promise.resolve();
  private readonly losses: number[] = [];

  private constructor(
    private readonly site: Site,
    private readonly options: LocalPostgresOptions,
    private current: OwnedServer,
    /** The connection of the service, as a role that is no superuser. */
    readonly connection: LocalPostgresConnection,
    /** True when the server was already running. */
    readonly adopted: boolean,
  ) {
    site.log.watchSize((error) => options.log.warn(`The log of PostgreSQL could not be kept small: ${describe(error)}`));
    this.watch();
  }

  /**
   * Starts or adopts the server of a data folder and waits until it accepts connections.
   * @throws LocalPostgresError with a sentence for the operator, and the last lines of the server's log if they help
   */
  static async start(options: LocalPostgresOptions): Promise<LocalPostgres> {
    const { path } = await resolveDataDirectory(options.dataDirectory, { explicit: true });
    const site = await Site.open(path, options);
    const database = options.database ?? 'app';
    // A service that exits without `stop` must not leave a server behind, even while it still starts. One that is killed does,
    // and the next start adopts the server.
    process.once('exit', site.endServer);
    let owned: OwnedServer;
    let password: string | undefined;
    try {
      owned = await site.bringUp();
      // Only this process uses it, so that each start may have another.
      password = owned.endpoint.password === undefined ? undefined : randomBytes(32).toString('base64url');
      await ensureDatabase(site, owned, database, password);
    } catch (error) {
      process.removeListener('exit', site.endServer);
      throw error;
    }
    const { host, port } = owned.endpoint;
    const connection = { host, port, user: SERVICE_ROLE, database, ...(password === undefined ? {} : { password }) };
    return new LocalPostgres(site, options, owned, connection, owned.adopted);
  }

  /** True when this start has created the cluster. */
  get firstStart(): boolean {
    return this.site.firstStart;
  }

  /** The connection of the superuser to the service's database, for tools that manage the server. */
  get superuserConnection(): LocalPostgresConnection {
    const { host, port, user, password } = this.current.endpoint;
    return { host, port, user, database: this.connection.database, ...(password === undefined ? {} : { password }) };
  }

  /** Lines for the operator about steps taken without a request, such as a copy of the binaries. */
  get notices(): string[] {
    return [...this.site.notices];
  }

  /** The process id of the server. */
  get pid(): number {
    return this.current.server.pid;
  }

  /** Stops the server. Close pools first: clients that stay are disconnected after 2 s. May be called again. */
  async stop(): Promise<void> {
    this.stopping ??= this.shutDown();
    await this.stopping;
  }

  private async shutDown(): Promise<void> {
    await this.recovery;
    await this.current.owner.close();
    await this.site.stop(this.current.server);
    this.release();
  }

  private release(): void {
    process.removeListener('exit', this.site.endServer);
    this.site.log.stopWatching();
  }

  private watch(): void {
    void this.current.owner.ended.then(() => {
      if (!this.stopping) this.recovery = this.recover();
    });
  }

  private async recover(): Promise<void> {
    const reason = 'PostgreSQL went away';
    const lossesInPeriod = this.countLoss();
    if (lossesInPeriod > MAX_LOSSES) {
      this.giveUp(`${reason}, ${lossesInPeriod} times within ${LOSS_PERIOD_MS / 60_000} minutes; it is not started again.`);
      return;
    }
    this.options.log.warn(`${reason}; bringing it back.`);
    this.options.onExit?.({ reason, restarting: true });
    // The first time at once, then after a pause that grows: a server that dies again and again must not keep the machine busy.
    if (lossesInPeriod > 1) await delay(BACK_OFF_MS * 2 ** (lossesInPeriod - 2));
    if (this.stopping) return;
    try {
      this.current = await this.site.bringUp();
    } catch (error) {
      this.giveUp(`${reason}, and could not be brought back: ${describe(error)}`);
      return;
    }
    this.options.log.log('PostgreSQL takes connections again.');
    this.watch();
  }

  private countLoss(): number {
    const now = Date.now();
    this.losses.push(now);
    while (this.losses[0] !== undefined && this.losses[0] < now - LOSS_PERIOD_MS) this.losses.shift();
    return this.losses.length;
  }

  private giveUp(reason: string): void {
    this.release();
    this.options.log.warn(reason);
    this.options.onExit?.({ reason, restarting: false });
  }
}

async function ensureDatabase(site: Site, { owner, server, endpoint }: OwnedServer, name: string, password?: string): Promise<void> {
  try {
    await owner.ensureDatabase(name, password);
    await giveContents(endpoint, name);
  } catch (error) {
    await owner.close();
    await site.stop(server);
    throw error;
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
