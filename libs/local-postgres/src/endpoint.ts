import { createHash } from 'node:crypto';
import { lchown, lstat, mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Account } from './account.js';
import { hasCode, LocalPostgresError } from './errors.js';

/** The superuser of every cluster that this library creates. */
export const SUPERUSER = 'app';

/** Part of the name of the socket file. The server does not listen on this port. */
const SOCKET_PORT = 5432;

/** The longest path of a socket in bytes that the kernel accepts, without the final zero. */
const SOCKET_PATH_LIMIT = process.platform === 'linux' ? 107 : 103;

/** The file in the cluster's folder with the password of a server that listens on a port. */
export const PASSWORD_FILE = 'service-password';

/**
 * The way in which clients reach the server: `socket` is a Unix socket in a folder of its own, `loopback` a port of 127.0.0.1 and a
 * password.
 */
export type Transport = 'socket' | 'loopback';

/** The address at which a server listens. For a socket `host` is its folder, as PostgreSQL clients expect. */
export interface Endpoint {
  readonly transport: Transport;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password?: string;
}

/** The transport of this platform. On Windows PostgreSQL clients do not use Unix sockets. */
export function platformTransport(): Transport {
  return process.platform === 'win32' ? 'loopback' : 'socket';
}

/**
 * Chooses the address at which the server of a data folder listens.
 * @throws LocalPostgresError when the socket's folder or the password is not usable
 */
export async function prepareEndpoint(
  transport: Transport,
  dataDirectory: string,
  clusterDirectory: string,
  account: Account | undefined,
): Promise<Endpoint> {
  if (transport === 'loopback') {
    return { transport, host: '127.0.0.1', port: await freePort(), user: SUPERUSER, password: await readPassword(clusterDirectory) };
  }
  return { transport, host: await prepareSocketDirectory(dataDirectory, account), port: SOCKET_PORT, user: SUPERUSER };
}

/** The path of the socket file inside the folder `host`. */
export function socketPath(host: string, port: number = SOCKET_PORT): string {
  return join(host, `.s.PGSQL.${port}`);
}

/**
 * The folder of the socket: `run` in the data folder. When that path is too long for a socket, it is a folder in the temporary
 * folder, named by a hash of the data folder's path.
 */
export function socketDirectory(dataDirectory: string, temporaryDirectory: string = tmpdir()): string {
  const preferred = join(dataDirectory, 'run');
  if (Buffer.byteLength(socketPath(preferred)) <= SOCKET_PATH_LIMIT) return preferred;
  return join(temporaryDirectory, `local-postgres-${createHash('sha256').update(dataDirectory).digest('hex').slice(0, 16)}`);
}

/**
 * The password of a server that listens on a port.
 * @throws LocalPostgresError when it cannot be read
 */
export async function readPassword(clusterDirectory: string): Promise<string> {
  const path = join(clusterDirectory, PASSWORD_FILE);
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new LocalPostgresError(`The password of the database cannot be read from ${path}. Restore that file together with its folder.`, {
      cause: error,
    });
  }
}

async function prepareSocketDirectory(dataDirectory: string, account: Account | undefined): Promise<string> {
  const directory = socketDirectory(dataDirectory);
  const uid = account?.uid ?? process.getuid?.();
  try {
    await mkdir(directory, { mode: 0o700 });
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
  // The folder is new, or another start has created it and not handed it over yet.
  const made = await lstat(directory);
  if (account && made.isDirectory() && made.uid === process.getuid?.()) await lchown(directory, account.uid, account.gid);
  // In a shared temporary folder another user may have created the folder first, to listen there instead of us.
  const found = await lstat(directory);
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0) {
    throw new LocalPostgresError(
      `The folder ${directory}, meant for the database's socket, must be a folder that belongs to uid ${uid} with mode 0700. ` +
        'Remove it and start again.',
    );
  }
  return directory;
}

async function freePort(): Promise<number> {
  const probe = createServer();
  return new Promise((resolve, reject) => {
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        if (typeof address === 'object' && address) resolve(address.port);
        else reject(new LocalPostgresError('The system named no free port of 127.0.0.1 for the database. Try again.'));
      });
    });
  });
}
