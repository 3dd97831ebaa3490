import 'reflect-metadata';

import { LocalPostgres } from '#libs/local-postgres';

import { offer, type Prepared } from './broker.js';
import { migrateTemplate } from './migrate-template.js';

/** Offers one PostgreSQL for the whole run; each answer has the address of the server. Returns a function that stops it. */
export function offerDatabase(): Promise<() => Promise<void>> {
  return offer('TEST_DATABASE_BROKER', startPostgres);
}

async function startPostgres(folder: string): Promise<Prepared> {
  const server = await LocalPostgres.start({
    dataDirectory: folder,
    database: 'template',
    log: { log: () => undefined, warn: (message) => process.stderr.write(`${message}\n`) },
    // Rows of a test need not outlive the machine.
    settings: { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_connections: '200' },
  });
  // Tests create and drop databases, and look at what other connections do.
  const connection = server.superuserConnection;
  await migrateTemplate(connection);
  return { answer: { connection, template: 'template' }, release: () => server.stop() };
}
