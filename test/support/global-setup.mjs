import { startDatabaseBroker } from './database-broker.mjs';

/** Nothing is started here: the first spec that asks for a database starts PostgreSQL, the others do not wait for it. */
export default async function globalSetup() {
  await startDatabaseBroker();
}
