import { DataSource } from 'typeorm';

import { dataSourceOptions } from './src/database/data-source.js';
import { entities } from './src/entities.js';

/** The data source of the migration tool: any PostgreSQL server, named by `DATABASE_URL`. */
export default new DataSource(dataSourceOptions({ connectionString: process.env.DATABASE_URL }, entities));
