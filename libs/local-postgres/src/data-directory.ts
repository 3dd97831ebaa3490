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
    return { path: await createDataDirectory(directory, account), notices: [] };
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
    path: await createDataDirectory(systemDirectory, systemAccount),
    notices: [`${problem}; the data folder is ${systemDirectory} instead.`],
  };
}

/**
 * Creates a data folder unless it is there, and tells its real path; `account` is who else must enter it.
 * @throws LocalPostgresError when this process cannot create it or write to it
 */
export async function createDataDirectory(directory: string, account?: Account): Promise<string> {
  try {
    const created = await createMissing(directory);
    // A strict umask would lock the server's account out of folders that were made for it.
    if (account) for (const path of created) await chmod(path, 0o755);
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

/** One folder at a time: the recursive `mkdir` of Node.js never returns where the system has no folders to give, as in /proc. */
async function createMissing(directory: string): Promise<string[]> {
  if (await isDirectory(directory)) return [];
  const created = await createMissing(dirname(directory));
  try {
    await mkdir(directory);
  } catch (error) {
    // Another process that starts at the same moment has made it.
    if (!(await isDirectory(directory))) throw error;
  }
  return [...created, directory];
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
