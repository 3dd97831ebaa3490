import { DataSource } from 'typeorm';
import type { LocalPostgresConnection } from '#libs/local-postgres';
import { dataSourceOptions } from '../../../src/platform/database/connection/data-source.js';

/** Migrates the empty template database. Every test database is a copy of it. */
export async function migrateTemplate(connection: LocalPostgresConnection): Promise<void> {
  const dataSource = new DataSource(dataSourceOptions(connection, []));
  await dataSource.initialize();
  await dataSource.runMigrations({ transaction: 'all' });
  await dataSource.destroy();
}
