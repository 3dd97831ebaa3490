import { DataSource } from 'typeorm';

import { entities } from './src/entities.js';
import { dataSourceOptions } from './src/platform/database/connection/data-source.js';

/**
 * The data source of the migration commands and of TypeORM's command line, on any PostgreSQL server: `DATABASE_URL` names it. The service
 * does not use it, because it alone knows who else uses the database, and notes which releases may.
 */
export default new DataSource(dataSourceOptions({ connectionString: process.env.DATABASE_URL }, entities));
