import { DataSource } from 'typeorm';

import { hasDatabase, LocalPostgresError } from '#libs/local-postgres';

import type { DatabaseConfig } from '../../platform/database/connection/database-connection.js';
import { DatabaseError } from '../../platform/common/errors/database-error.js';
import { dataSourceOptions, type Pool } from '../../platform/database/connection/data-source.js';
import { unreachable } from '../../platform/database/connection/unreachable.js';
import { visitDatabase } from '../../platform/database/visit-database.js';
import type { Settings } from '../../platform/config/settings.js';
import type { ReachedDatabase } from './examination.js';
import { fault } from './finding.js';

/** Connections of the doctor: its checks run at the same time. */
const CONNECTIONS: Pool = { name: 'doctor', size: 4 };

/** Examines the configured database, beside a service that runs or without one. Creates no database. */
export async function withVisitedDatabase<T>(settings: Settings, use: (database: ReachedDatabase) => Promise<T>): Promise<T> {
  if (settings.database.kind === 'bundled' && !(await hasDatabase(settings.dataPath))) {
    return use({ fault: fault('database-empty', `There is no database in ${settings.dataPath} yet.`) });
  }
  try {
    const database = await visitDatabase(settings);
    try {
      return await withDataSource(database.config, use);
    } finally {
      await database.leave();
    }
  } catch (error) {
    if (!(error instanceof LocalPostgresError) && !(error instanceof DatabaseError)) throw error;
    return use({ fault: fault('database-unreachable', error.message) });
  }
}

async function withDataSource<T>(config: DatabaseConfig, use: (database: ReachedDatabase) => Promise<T>): Promise<T> {
  const dataSource = new DataSource(dataSourceOptions(config, [], CONNECTIONS));
  try {
    await dataSource.initialize();
  } catch (error) {
    throw unreachable(error);
  }
  try {
    return await use({ manager: dataSource.manager });
  } finally {
    await dataSource.destroy();
  }
}
