import { Global, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

import { ProcessExit } from '../common/runtime/process-exit.js';
import { dataSourceOptions, type EntityClass, poolOf } from './connection/data-source.js';
import { type DatabaseConfig, DatabaseConnection } from './connection/database-connection.js';
import { openDataSource } from './connection/open-data-source.js';
import { AccessDataSource, ReportsDataSource } from './connection/reserved-data-source.js';
import { UnansweredQueries } from './connection/unanswered-queries.js';
import { DatabaseMetrics } from './database-metrics.js';
import { InvalidationBus } from './invalidation/invalidation-bus.js';
import { FirstListeningConnection } from './invalidation/listening-connection.js';
import { ServiceLock } from './locks/service-lock.js';
import { BoundedReads } from './queries/bounded-reads.js';
import { UnitOfWork } from './queries/unit-of-work.js';

/** Opens the connection to the database, or returns the one that was opened before. */
export type Connect = () => Promise<DatabaseConnection>;

/** Is called before the schema of a database with data changes. What it throws ends the start. */
export type BeforeUpgrade = (config: DatabaseConfig) => Promise<void>;

/** Provides the connection to the database. */
@Global()
@Module({})
class DatabaseConnectionModule {
  static forRoot(connect: Connect): DynamicModule {
    return {
      module: DatabaseConnectionModule,
      providers: [{ provide: DatabaseConnection, useFactory: connect }],
      exports: [DatabaseConnection],
    };
  }
}

/** The listening connection, whose lock keeps other processes of the service off the database. */
@Global()
@Module({
  providers: [
    ProcessExit,
    ServiceLock,
    {
      provide: FirstListeningConnection,
      inject: [DatabaseConnection, ServiceLock],
      useFactory: (connection: DatabaseConnection, lock: ServiceLock) => FirstListeningConnection.open(connection, lock),
    },
  ],
  exports: [FirstListeningConnection, ProcessExit, ServiceLock],
})
class ListeningConnectionModule implements OnApplicationShutdown {
  constructor(private readonly first: FirstListeningConnection) {}

  /** Also closes it where the start failed before anybody listened. */
  async onApplicationShutdown(): Promise<void> {
    await this.first.client.end().catch(() => undefined);
  }
}

/** The reserved connections. */
@Global()
@Module({
  providers: [
    { provide: ReportsDataSource, inject: [DatabaseConnection, DataSource], useFactory: openReserved(ReportsDataSource) },
    { provide: AccessDataSource, inject: [DatabaseConnection, DataSource], useFactory: openReserved(AccessDataSource) },
  ],
  exports: [ReportsDataSource, AccessDataSource],
})
class ReservedConnectionsModule implements OnApplicationShutdown {
  constructor(
    private readonly reports: ReportsDataSource,
    private readonly access: AccessDataSource,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.reports.destroy(), this.access.destroy()]);
  }
}

/**
 * The connection pool, which is migrated before anything uses it, and the services around it. Global modules shut down in the
 * reverse order of these imports, so that the bundled server stops when nothing is connected to it any more.
 */
@Global()
@Module({})
export class DatabaseModule {
  static forRoot(entities: readonly EntityClass[], connect: Connect, beforeUpgrade: BeforeUpgrade): DynamicModule {
    const connection = DatabaseConnectionModule.forRoot(connect);
    // The factory of the pool gets its options only.
    let prepareUpgrade = (): Promise<void> => Promise.resolve();
    return {
      module: DatabaseModule,
      imports: [
        connection,
        ListeningConnectionModule,
        TypeOrmModule.forRootAsync({
          imports: [connection, ListeningConnectionModule],
          // The listening connection as well: nothing is written before it holds the lock of the service.
          inject: [DatabaseConnection, FirstListeningConnection],
          useFactory: ({ config }: DatabaseConnection) => {
            prepareUpgrade = () => beforeUpgrade(config);
            return { ...dataSourceOptions(config, entities), retryAttempts: 0 };
          },
          dataSourceFactory: (options) => {
            if (options === undefined) throw new Error('The data source has no options.');
            return openDataSource(options, () => prepareUpgrade());
          },
        }),
        ReservedConnectionsModule,
      ],
      providers: [
        BoundedReads,
        DatabaseMetrics,
        InvalidationBus,
        UnitOfWork,
        { provide: UnansweredQueries, inject: [DataSource, DatabaseConnection], useFactory: watchQueries },
      ],
      exports: [BoundedReads, InvalidationBus, UnitOfWork],
    };
  }
}

function watchQueries(requests: DataSource, { config }: DatabaseConnection): UnansweredQueries {
  return new UnansweredQueries(poolOf(requests), config);
}

/** Opens reserved connections. The factory takes the pool as well, so that the schema is up to date before anything is read. */
function openReserved<T extends DataSource>(
  type: new (connection: DatabaseConnection) => T,
): (connection: DatabaseConnection) => Promise<T> {
  return async (connection) => {
    const dataSource = new type(connection);
    await dataSource.initialize();
    return dataSource;
  };
}
