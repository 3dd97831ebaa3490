import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, lchown, mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Account } from './account.js';
import { BUNDLED_MAJOR, type Binaries } from './binaries.js';
import { PASSWORD_FILE, SUPERUSER, type Transport } from './endpoint.js';
import { hasCode, LocalPostgresError, USE_OWN_SERVER } from './errors.js';
import { removeAbandoned } from './unfinished.js';

/** Stands in the name of an unfinished cluster between the cluster's name and a random part. */
const UNFINISHED = '.unfinished-';

/**
 * Checks that the folder holds a cluster that the bundled server can open. False when it is empty or does not exist.
 * @throws LocalPostgresError when it holds a cluster of another major version, or other files
 */
export async function hasCluster(clusterDirectory: string): Promise<boolean> {
  let major: string;
  try {
    major = (await readFile(join(clusterDirectory, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    if ((await entriesOf(clusterDirectory)).length === 0) return false;
    throw new LocalPostgresError(
      `${clusterDirectory} holds files but no PostgreSQL database (there is no PG_VERSION). It was left as it is: ` +
        'restore the database, or move the folder away to start with an empty one.',
    );
  }
  if (major !== BUNDLED_MAJOR) {
    throw new LocalPostgresError(
      `${clusterDirectory} holds a database of PostgreSQL ${major}, but PostgreSQL ${BUNDLED_MAJOR} is bundled, which cannot open it. ` +
        `It was left as it is. Dump it with a PostgreSQL ${major} and its pg_dump, move the folder away, start again and load ` +
        `the dump. ${USE_OWN_SERVER}`,
    );
  }
  return true;
}

/** Creates a cluster. It gets its final name when it is complete, so that a start that is cut off leaves no half of one. */
export async function createCluster(
  clusterDirectory: string,
  binaries: Binaries,
  account: Account | undefined,
  transport: Transport,
): Promise<void> {
  const unfinished = clusterDirectory + UNFINISHED + randomBytes(6).toString('hex');
  await mkdir(unfinished, { mode: 0o700 });
  try {
    if (account) await chown(unfinished, account.uid, account.gid);
    const password = join(unfinished, 'password');
    if (transport === 'loopback') {
      await writeFile(password, randomBytes(32).toString('base64url'), { mode: 0o600 });
      if (account) await chown(password, account.uid, account.gid);
    }
    const authentication = transport === 'loopback' ? ['--auth-host=scram-sha-256', `--pwfile=${password}`] : ['--auth-host=reject'];
    await runInitdb(binaries.initdb, join(unfinished, 'pg'), authentication, account);
    if (transport === 'loopback') await rename(password, join(unfinished, 'pg', PASSWORD_FILE));
    await rename(join(unfinished, 'pg'), clusterDirectory);
  } catch (error) {
    // Another process that starts at the same time has created the cluster first.
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** Gives a folder, such as a cluster that root has restored from a backup, to the account that runs the server. */
export async function giveTo(account: Account, directory: string): Promise<void> {
  if ((await stat(directory)).uid === account.uid) return;
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await giveTo(account, path);
    else await lchown(path, account.uid, account.gid);
  }
  // Last, because the owner of this folder tells the next start that everything in it is done.
  await chown(directory, account.uid, account.gid);
}

async function runInitdb(initdb: string, directory: string, authentication: string[], account: Account | undefined): Promise<void> {
  // The built-in locale sorts and changes case in the same way on every platform.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const options = [`--pgdata=${directory}`, `--username=${SUPERUSER}`, '--auth-local=trust', ...authentication, ...locale];
  const identity = account ? { uid: account.uid, gid: account.gid } : {};
  const failure = await new Promise<string | undefined>((resolve) => {
    execFile(initdb, options, { ...identity, cwd: '/', env: serverEnvironment(), timeout: 120_000 }, (error, stdout, stderr) => {
      resolve(error ? `${stdout}\n${stderr}`.trim() || error.message : undefined);
    });
  });
  if (failure === undefined) return;
  if (failure.includes('could not look up effective user ID')) {
    throw new LocalPostgresError(
      `The service runs with uid ${process.getuid?.()}, which has no entry in the passwd file. ` +
        `PostgreSQL needs one to create its database. Run the service as an account with a name (in the image: USER node). ${USE_OWN_SERVER}`,
    );
  }
  throw new LocalPostgresError(`The database could not be created in ${dirname(dirname(directory))}:\n${lastLines(failure)}`);
}

/** The environment of the server's programs. It leaves out variables such as PGDATA, which would change what they do. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot } = process.env;
  return { PATH, ...(SystemRoot === undefined ? {} : { SystemRoot }), LC_ALL: 'C' };
}

/** Removes unfinished clusters beside this one, which starts that were cut off have left. */
export async function removeAbandonedClusters(clusterDirectory: string): Promise<void> {
  await removeAbandoned(dirname(clusterDirectory), basename(clusterDirectory) + UNFINISHED);
}

async function entriesOf(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

function lastLines(text: string): string {
  return text.split('\n').slice(-10).join('\n');
}
