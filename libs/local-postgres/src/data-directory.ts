import { access, chmod, constants, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Account, canEnter, serverAccount } from './account.js';
import { hasCode, LocalPostgresError } from './errors.js';

/** Where the default data folder moves when the server's account cannot enter the one inside the checkout. */
export const SYSTEM_DATA_DIRECTORY = '/var/lib/device-management-service';

/** The folder inside the data folder that holds the database cluster. */
export const CLUSTER_DIRECTORY = 'pg';

export interface DataDirectoryChoice {
  /** True when the operator named the folder: then it is never replaced by another one. */
  readonly explicit: boolean;
  /** Where the default moves to. */
  readonly systemDirectory?: string;
}

export interface DataDirectory {
  /** Absolute path of the folder, which exists. */
  readonly path: string;
  /** Lines for the operator about a choice that was not theirs. */
  readonly notices: string[];
}

/**
 * Decides which folder holds the service's data, and creates it. As root, the server runs as another account, which must
 * be able to enter the folder: a default that it cannot enter moves to `/var/lib`, a folder the operator named does not.
 * @throws LocalPostgresError when the folder cannot be used
 */
export async function resolveDataDirectory(requested: string, choice: DataDirectoryChoice): Promise<DataDirectory> {
  const directory = resolve(requested);
  const account = await serverAccount(join(directory, CLUSTER_DIRECTORY));
  if (!account || (await canEnter(await nearestDirectory(directory), account))) {
    return { path: await createDirectory(directory, account), notices: [] };
  }
  const problem = `The account ${account.name}, which PostgreSQL runs as because the service runs as root, cannot enter the data folder ${directory}`;
  if (choice.explicit) {
    throw new LocalPostgresError(`${problem}. Name another folder, or let other accounts enter it and the folders above it (chmod o+x).`);
  }
  const systemDirectory = choice.systemDirectory ?? SYSTEM_DATA_DIRECTORY;
  if (await isDirectory(join(directory, CLUSTER_DIRECTORY))) {
    // Starting with an empty database beside a full one would look like the loss of everything.
    throw new LocalPostgresError(
      `${problem}, although it holds a database. Let other accounts enter it and the folders above it (chmod o+x), ` +
        `or move it to ${systemDirectory}, keeping its owners (cp -a).`,
    );
  }
  const systemAccount = (await serverAccount(join(systemDirectory, CLUSTER_DIRECTORY))) ?? account;
  if (!(await canEnter(await nearestDirectory(systemDirectory), systemAccount))) {
    throw new LocalPostgresError(`${problem}, nor the folder ${systemDirectory} that would replace it. Name a folder that it can enter.`);
  }
  return {
    path: await createDirectory(systemDirectory, systemAccount),
    notices: [`${problem}; the data folder is ${systemDirectory} instead.`],
  };
}

async function createDirectory(directory: string, account: Account | undefined): Promise<string> {
  try {
    const firstCreated = await mkdir(directory, { recursive: true });
    // A strict umask would lock the server's account out of folders that were made for it.
    if (account && firstCreated) for (const created of pathsBetween(resolve(firstCreated), directory)) await chmod(created, 0o755);
    await access(directory, constants.W_OK | constants.X_OK);
    return await realpath(directory);
  } catch (error) {
    throw new LocalPostgresError(
      `The data folder ${directory} cannot be created or written to (${error instanceof Error ? error.message : String(error)}). ` +
        'Name a folder that the service may write to.',
      { cause: error },
    );
  }
}

function pathsBetween(first: string, last: string): string[] {
  return first === last || dirname(last) === last ? [last] : [...pathsBetween(first, dirname(last)), last];
}

async function nearestDirectory(path: string): Promise<string> {
  return dirname(path) === path || (await isDirectory(path)) ? path : nearestDirectory(dirname(path));
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return false;
    throw error;
  }
}
