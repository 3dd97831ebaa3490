import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Account, serverAccount } from './account.js';
import { type Binaries, installedPackageDirectory, prepareBinaries } from './binaries.js';
import { createCluster, giveTo, hasCluster, removeAbandonedClusters } from './cluster.js';
import { CLUSTER_DIRECTORY } from './data-directory.js';
import { type Endpoint, platformTransport, prepareEndpoint, type Transport } from './endpoint.js';
import { LocalPostgresError } from './errors.js';
import { OwnedElsewhereError, OwnerConnection } from './owner-connection.js';
import { ServerLog } from './server-log.js';
import { findRunningServer, type ServerProcess, type SpawnedServer, spawnServer, stopServer } from './server-process.js';
import { DEFAULT_MAX_CONNECTIONS, serverSettings } from './settings.js';

/** The longest time until a server is ready, in milliseconds. Recovery after a crash takes longest. */
const READY_TIMEOUT_MS = 120_000;

/** Time for the remains of a killed server to go before a start fails, in milliseconds. */
const LEFTOVER_TIMEOUT_MS = 15_000;

const LEFTOVER_POLL_MS = 100;
const READY_POLL_MS = 15;

/**
 * Log lines about obstacles that soon disappear: processes of a killed server that have not ended yet, or another service
 * process that starts at the same time.
 */
const LEFTOVER = /pre-existing shared memory block|lock file ".*" already exists|could not bind|another server might be running/;

export interface SiteOptions {
  readonly maxConnections?: number;
  readonly settings?: Readonly<Record<string, string>>;
  readonly transport?: Transport;
  readonly packageDirectory?: string;
}

/** A running server that this process owns. */
export interface OwnedServer {
  readonly server: ServerProcess;
  readonly owner: OwnerConnection;
  readonly endpoint: Endpoint;
  /** True when the server was running before. */
  readonly adopted: boolean;
}

/** A data folder in which a server is brought up: at the first start, and again after each loss. */
export class Site {
  readonly notices: string[] = [];
  /** The server that ends with this process: one that it has started or owns. */
  private own: ServerProcess | undefined;
  private binaries: Binaries | undefined;
  private endpoint: Endpoint | undefined;

  private constructor(
    readonly clusterDirectory: string,
    readonly log: ServerLog,
    /** True when the data folder held no cluster before. */
    readonly firstStart: boolean,
    private readonly dataDirectory: string,
    private readonly account: Account | undefined,
    private readonly options: SiteOptions,
  ) {}

  /** Prepares the data folder. @throws LocalPostgresError when it holds something that the bundled server cannot open */
  static async open(dataDirectory: string, options: SiteOptions): Promise<Site> {
    const clusterDirectory = join(dataDirectory, CLUSTER_DIRECTORY);
    const found = await hasCluster(clusterDirectory);
    const account = await serverAccount(clusterDirectory);
    if (found && account) await giveTo(account, clusterDirectory);
    await removeAbandonedClusters(clusterDirectory);
    return new Site(clusterDirectory, new ServerLog(join(dataDirectory, 'postgres.log')), !found, dataDirectory, account, options);
  }

  /** Adopts the server that runs in this folder, or starts one, and becomes its owner. @throws LocalPostgresError when it does not start */
  async bringUp(): Promise<OwnedServer> {
    const deadline = Date.now() + LEFTOVER_TIMEOUT_MS;
    for (;;) {
      const attempt = (await this.adopt()) ?? (await this.start());
      if ('owner' in attempt) return attempt;
      if (!LEFTOVER.test(attempt.failure) || Date.now() > deadline) {
        throw new LocalPostgresError(
          `PostgreSQL did not start in ${this.clusterDirectory}. The last lines of ${this.log.path}:\n${attempt.failure}`,
        );
      }
      await delay(LEFTOVER_POLL_MS);
    }
  }

  /** Tells the server to end and does not wait for it. For a process that is about to exit. */
  readonly endServer = (): void => this.own?.signal('SIGINT');

  /** Stops a server of this folder. */
  async stop(server: ServerProcess): Promise<void> {
    await stopServer(server, this.clusterDirectory, this.binaries?.pgCtl);
  }

  private async adopt(): Promise<OwnedServer | undefined> {
    const running = await findRunningServer(this.clusterDirectory);
    if (!running) return undefined;
    const { server, endpoint } = running;
    const owner = await this.waitForOwnership(server, endpoint);
    if (!owner) return undefined;
    this.own = server;
    return { server, owner, endpoint, adopted: true };
  }

  private async start(): Promise<OwnedServer | { failure: string }> {
    this.binaries ??= await this.findBinaries();
    if (!(await hasCluster(this.clusterDirectory))) {
      await createCluster(this.clusterDirectory, this.binaries, this.account, this.transport);
    }
    // A server that is started again listens in the same place, which clients know.
    this.endpoint ??= await prepareEndpoint(this.transport, this.dataDirectory, this.clusterDirectory, this.account);
    const endpoint = this.endpoint;
    const server = await spawnServer({
      binaries: this.binaries,
      clusterDirectory: this.clusterDirectory,
      endpoint,
      account: this.account,
      log: this.log,
      settings: serverSettings(endpoint, this.options.maxConnections ?? DEFAULT_MAX_CONNECTIONS, this.options.settings ?? {}),
      onSpawn: (spawned) => (this.own = spawned),
    });
    const owner = await this.ownSpawned(server, endpoint);
    return owner ? { server, owner, endpoint, adopted: false } : { failure: await server.lastLogLines() };
  }

  private async ownSpawned(server: SpawnedServer, endpoint: Endpoint): Promise<OwnerConnection | undefined> {
    try {
      return await this.waitForOwnership(server, endpoint);
    } catch (error) {
      // Another process became the owner of the server first, and will stop it.
      if (error instanceof OwnedElsewhereError) this.own = undefined;
      else await this.stop(server);
      throw error;
    }
  }

  /** Waits until the server is ready and this process owns it. Undefined when the server ends before. */
  private async waitForOwnership(server: ServerProcess, endpoint: Endpoint): Promise<OwnerConnection | undefined> {
    const deadline = Date.now() + READY_TIMEOUT_MS;
    while (Date.now() < deadline) {
      const owner = await OwnerConnection.open(endpoint, this.clusterDirectory);
      if (owner) return owner;
      if (!(await server.isAlive())) return undefined;
      await delay(READY_POLL_MS);
    }
    throw new LocalPostgresError(
      `PostgreSQL in ${this.clusterDirectory} did not become ready within ${READY_TIMEOUT_MS / 1000} s. ` +
        `The last lines of ${this.log.path}:\n${await this.log.lastLines()}`,
    );
  }

  private async findBinaries(): Promise<Binaries> {
    const binaries = await prepareBinaries({
      packageDirectory: this.options.packageDirectory ?? installedPackageDirectory(),
      account: this.account,
      dataDirectory: this.dataDirectory,
    });
    this.notices.push(...binaries.notices);
    return binaries;
  }

  private get transport(): Transport {
    return this.options.transport ?? platformTransport();
  }
}
