import { access, chmod, constants, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Account, canEnter, serverAccount } from './account.js';
import { hasCode, LocalPostgresError } from './errors.js';

/** Replaces the default data folder when the server's account cannot enter that one. */
const SYSTEM_DATA_DIRECTORY = '/var/lib/device-management-service';

/** The folder inside the data folder that holds the database cluster. */
export const CLUSTER_DIRECTORY = 'pg';

export interface DataDirectoryChoice {
  /** True when the operator has named the folder. Such a folder is never replaced. */
  readonly explicit: boolean;
  /** The folder that replaces the default. */
  readonly systemDirectory?: string;
}

export interface DataDirectory {
  /** The absolute path of the folder, which exists. */
  readonly path: string;
  /** Lines that tell the operator when another folder is used than the one requested. */
  readonly notices: string[];
}

/**
 * Decides which folder holds the service's data, and creates it. When the service runs as root, the server runs as another
 * account, which must be able to enter the folder. If it cannot, the default folder is replaced by one in `/var/lib`, but a
 * folder that the operator has named is not.
 * @throws LocalPostgresError when the folder cannot be used
 */
export async function resolveDataDirectory(requested: string, choice: DataDirectoryChoice): Promise<DataDirectory> {
  const { path, account, notices } = await chosenDirectory(requested, choice);
  return { path: await createDataDirectory(path, account), notices };
}

/**
 * The folder that `resolveDataDirectory` decides on, for a program beside the service. Creates nothing.
 * @throws LocalPostgresError when the folder cannot be used
 */
export async function findDataDirectory(requested: string, choice: DataDirectoryChoice): Promise<string> {
  return (await chosenDirectory(requested, choice)).path;
}

/** Checks that a data folder holds a database that this account can reach. */
export function hasDatabase(directory: string): Promise<boolean> {
  return access(join(directory, CLUSTER_DIRECTORY)).then(
    () => true,
    () => false,
  );
}

async function chosenDirectory(
  requested: string,
  choice: DataDirectoryChoice,
): Promise<DataDirectory & { readonly account: Account | undefined }> {
  const directory = resolve(requested);
  const account = await serverAccount(join(directory, CLUSTER_DIRECTORY));
  if (!account || (await canEnter(await nearestDirectory(directory), account))) return { path: directory, account, notices: [] };
  const problem =
    `The account ${account.name}, which PostgreSQL runs as because the service runs as root, ` +
    `cannot enter the data folder ${directory}`;
  if (choice.explicit) {
    throw new LocalPostgresError(`${problem}. Name another folder, or let other accounts enter it and the folders above it (chmod o+x).`);
  }
  const systemDirectory = choice.systemDirectory ?? SYSTEM_DATA_DIRECTORY;
  if (await isDirectory(join(directory, CLUSTER_DIRECTORY))) {
    // To start with an empty database would look as if everything was lost.
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
    path: systemDirectory,
    account: systemAccount,
    notices: [`${problem}; the data folder is ${systemDirectory} instead.`],
  };
}

/**
 * Creates a data folder unless it exists.
 * @param account an account that must be able to enter the folder as well
 * @returns its real path
 * @throws LocalPostgresError when this process cannot create it or write to it
 */
export async function createDataDirectory(directory: string, account?: Account): Promise<string> {
  try {
    const created = await createMissing(directory);
    // With a strict umask the server's account could not enter the new folders.
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

/** Creates one folder at a time: the recursive `mkdir` of Node.js never returns where no folders can be created, as in /proc. */
async function createMissing(directory: string): Promise<string[]> {
  if (await isDirectory(directory)) return [];
  const created = await createMissing(dirname(directory));
  try {
    await mkdir(directory);
  } catch (error) {
    // Another process that starts at the same time has created it.
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
