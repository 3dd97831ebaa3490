import { Global, Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { Settings } from '../config/settings.js';
import { BundledDatabase } from './bundled-database.js';
import { dataSourceOptions, type EntityClass } from './data-source.js';
import { DatabaseConnection } from './database-connection.js';
import { ExternalDatabase } from './external-database.js';
import { InvalidationBus } from './invalidation-bus.js';
import { openDataSource } from './open-data-source.js';
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
export class DatabaseModule {
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
      providers: [InvalidationBus, UnitOfWork],
      exports: [InvalidationBus, UnitOfWork],
    };
  }
}
