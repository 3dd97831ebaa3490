import { mkdtemp, rm, chmod } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

/*
 * One PostgreSQL for the whole run. It lives in jest's own process, behind a socket that the spec files find through the
 * environment: each connection is answered with one line of JSON, which says where the server is.
 */

/** The name of the environment variable that holds the path of the broker's socket. */
const SOCKET_VARIABLE = 'TEST_DATABASE_BROKER';

let folder;
let broker;
let started;

export async function startDatabaseBroker() {
  folder = await mkdtemp(join(tmpdir(), 'test-postgres-'));
  await chmod(folder, 0o755);
  const path = process.platform === 'win32' ? join('\\\\.\\pipe', folder) : join(folder, 'broker.sock');
  broker = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    started ??= startPostgres();
    started.then(
      ({ server, template }) => socket.end(JSON.stringify({ connection: server.connection, template })),
      (error) => socket.end(JSON.stringify({ error: error.stack })),
    );
  });
  await new Promise((resolve, reject) => {
    broker.once('error', reject);
    broker.listen(path, resolve);
  });
  process.env[SOCKET_VARIABLE] = path;
}

export async function stopDatabaseBroker() {
  await new Promise((resolve) => {
    broker.close(resolve);
  });
  const running = await started?.catch(() => undefined);
  await running?.server.stop();
  await rm(folder, { recursive: true, force: true });
}

async function startPostgres() {
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
  await migrateTemplate(server.connection);
  return { server, template: 'template' };
}
