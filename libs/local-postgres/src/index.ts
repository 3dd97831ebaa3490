export { createDataDirectory, findDataDirectory, hasDatabase, resolveDataDirectory } from './data-directory.js';
export { LocalPostgresError } from './errors.js';
export { LocalPostgres, type LocalPostgresConnection, type LocalPostgresOptions, type ServerLoss } from './local-postgres.js';
export { runningConnection } from './running-connection.js';
