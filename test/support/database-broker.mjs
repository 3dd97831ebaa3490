import process from 'node:process';

import { offer } from './broker.mjs';

/** Offers one PostgreSQL for the whole run; each answer says where the server is. Returns what stops it. */
export function offerDatabase() {
  return offer('TEST_DATABASE_BROKER', startPostgres);
}

async function startPostgres(folder) {
  // jest transforms specs, but not its global set-up, which is where this runs.
  await import('./run-typescript.mjs');
  const { LocalPostgres } = await import('../../libs/local-postgres/src/index.ts');
  const { migrateTemplate } = await import('./migrate-template.ts');
  const server = await LocalPostgres.start({
    dataDirectory: folder,
    database: 'template',
    log: { log: () => undefined, warn: (message) => process.stderr.write(`${message}\n`) },
    // What a test writes need not outlive the machine.
    settings: { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_connections: '200' },
  });
  // Tests create and drop databases, and look at what other connections do.
  const connection = server.superuserConnection;
  await migrateTemplate(connection);
  return { answer: { connection, template: 'template' }, release: () => server.stop() };
}
