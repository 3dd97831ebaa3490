import { stopDatabaseBroker } from './database-broker.mjs';

export default async function globalTeardown() {
  await stopDatabaseBroker();
}
