import 'reflect-metadata';

import { join } from 'node:path';

import { LocalPostgres } from '#libs/local-postgres';

import { offer, type Prepared } from './broker.js';
import { migrateTemplate } from './migrate-template.js';

/** Offers a data folder as the first start of the service leaves it, to be copied. Returns a function that removes it. */
export function offerCluster(): Promise<() => Promise<void>> {
  return offer('TEST_CLUSTER_BROKER', createCluster);
}

async function createCluster(folder: string): Promise<Prepared> {
  const dataPath = join(folder, 'data');
  const log = { log: (): void => undefined, warn: (message: string): void => void process.stderr.write(`${message}\n`) };
  const server = await LocalPostgres.start({ dataDirectory: dataPath, log });
  try {
    await migrateTemplate(server.connection);
  } finally {
    await server.stop();
  }
  return { answer: { dataPath } };
}
