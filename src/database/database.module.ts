import { Global, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

import { Settings } from '../config/settings.js';
import { BoundedReads } from './bounded-reads.js';
import { BundledDatabase } from './bundled-database.js';
import { dataSourceOptions, type EntityClass } from './data-source.js';
import { DatabaseConnection } from './database-connection.js';
import { ExternalDatabase } from './external-database.js';
import { InvalidationBus } from './invalidation-bus.js';
import { openDataSource } from './open-data-source.js';
import { AccessDataSource, ReportsDataSource } from './reserved-data-source.js';
import { UnitOfWork } from './unit-of-work.js';

/** Where the database is. The pool depends on this module, so that the bundled server stops after the pool has closed. */
@Global()
@Module({
  providers: [
    {
      provide: DatabaseConnection,
      inject: [Settings],
      useFactory: (settings: Settings): DatabaseConnection | Promise<DatabaseConnection> =>
        settings.database.kind === 'bundled' ? BundledDatabase.start(settings.dataPath) : new ExternalDatabase(settings.database),
    },
  ],
  exports: [DatabaseConnection],
})
class DatabaseConnectionModule {}

/** The connection pool, which is migrated before anything uses it, and the services around it. */
@Global()
@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(
    private readonly reports: ReportsDataSource,
    private readonly access: AccessDataSource,
  ) {}

  static forRoot(entities: readonly EntityClass[]): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        DatabaseConnectionModule,
        TypeOrmModule.forRootAsync({
          imports: [DatabaseConnectionModule],
          inject: [DatabaseConnection],
          useFactory: ({ config }: DatabaseConnection) => ({ ...dataSourceOptions(config, entities), retryAttempts: 0 }),
          dataSourceFactory: (options) => {
            if (options === undefined) throw new Error('The data source has no options.');
            return openDataSource(options);
          },
        }),
      ],
      providers: [
        { provide: ReportsDataSource, inject: [DatabaseConnection, DataSource], useFactory: openReserved(ReportsDataSource) },
        { provide: AccessDataSource, inject: [DatabaseConnection, DataSource], useFactory: openReserved(AccessDataSource) },
        BoundedReads,
        InvalidationBus,
        UnitOfWork,
      ],
      exports: [AccessDataSource, BoundedReads, InvalidationBus, ReportsDataSource, UnitOfWork],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.reports.destroy(), this.access.destroy()]);
  }
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
