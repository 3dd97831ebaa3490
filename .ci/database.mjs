import process from 'node:process';

import { LocalPostgres } from '#libs/local-postgres';

/*
 * Starts a PostgreSQL server that is reached like one on another machine: through a TCP port, with a password. Prints one
 * line, "<host> <port> <user> <password> <database>", and stops on SIGTERM. Usage: `node .ci/database.mjs <data folder>`
 */

const log = { log: () => undefined, warn: (message) => process.stderr.write(`${message}\n`) };
const server = await LocalPostgres.start({ dataDirectory: process.argv[2], transport: 'loopback', log });
const { host, port, user, password, database } = server.connection;
process.stdout.write(`${host} ${port} ${user} ${password} ${database}\n`);
process.once('SIGTERM', () => void server.stop());
