import { Logger, type OnApplicationShutdown } from '@nestjs/common';

import { LocalPostgres } from '#libs/local-postgres';

import { DatabaseConnection, type DatabaseConfig } from './database-connection.js';

/** The bundled database. It starts with the service, is restarted when it dies, and stops after the pool has closed. */
export class BundledDatabase extends DatabaseConnection implements OnApplicationShutdown {
  private constructor(private readonly server: LocalPostgres) {
    super();
  }

  /** Starts the server with the cluster in the data folder, or takes over the one that runs already. */
  static async start(dataDirectory: string): Promise<BundledDatabase> {
    const logger = new Logger('LocalPostgres');
    const server = await LocalPostgres.start({ dataDirectory, log: logger, onExit: ({ restarting }) => endUnless(restarting) });
    for (const notice of server.notices) logger.warn(notice);
    return new BundledDatabase(server);
  }

  get config(): DatabaseConfig {
    return this.server.connection;
  }

  get description(): string {
    return `bundled PostgreSQL at ${this.server.connection.host}`;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.server.stop();
  }
}

/** Without a server the service cannot work. It shuts down in order, so that a supervisor restarts it. */
function endUnless(restarting: boolean): void {
  if (!restarting) process.kill(process.pid, 'SIGTERM');
}
