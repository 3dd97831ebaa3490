export {
  createDataDirectory,
  resolveDataDirectory,
  SYSTEM_DATA_DIRECTORY,
  type DataDirectory,
  type DataDirectoryChoice,
} from './data-directory.js';
export { LocalPostgresError } from './errors.js';
export {
  LocalPostgres,
  type LocalPostgresConnection,
  type LocalPostgresLogger,
  type LocalPostgresOptions,
  type ServerLoss,
} from './local-postgres.js';
