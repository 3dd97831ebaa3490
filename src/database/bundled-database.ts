import { Logger, type OnApplicationShutdown } from '@nestjs/common';

import { LocalPostgres } from '#libs/local-postgres';

import { DatabaseConnection, type DatabaseConfig } from './database-connection.js';

/** The database that comes with the service: started with it, brought back when it dies, stopped after the pool is closed. */
export class BundledDatabase extends DatabaseConnection implements OnApplicationShutdown {
  private constructor(private readonly server: LocalPostgres) {
    super();
  }

  /** Starts or adopts the server whose cluster lies in the data folder. */
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

/** A server that is given up cannot be served from: end in order, so that a supervisor starts anew. */
function endUnless(restarting: boolean): void {
  if (!restarting) process.kill(process.pid, 'SIGTERM');
}
