import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { hasCode, LocalPostgresError, USE_OWN_SERVER } from './errors.js';

/** The operating system account that runs the server when the service runs as root. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** The accounts that may run the server when the service runs as root, which PostgreSQL refuses. The first one that exists is used. */
const PREFERRED_ACCOUNTS = ['postgres', 'nobody'];

/** Finds an account by name or by number in the text of a passwd file. */
export function findAccount(passwd: string, nameOrUid: string | number): Account | undefined {
  for (const line of passwd.split('\n')) {
    const [name, , uid, gid] = line.split(':');
    if (name && uid && gid && (typeof nameOrUid === 'number' ? Number(uid) === nameOrUid : name === nameOrUid)) {
      return { name, uid: Number(uid), gid: Number(gid) };
    }
  }
  return undefined;
}

/**
 * The account that runs the server. Undefined means the service's own.
 * When the service runs as root it is the owner of the cluster, else `postgres`, else `nobody`.
 * @throws LocalPostgresError when the cluster belongs to an account that this process cannot use
 */
export async function serverAccount(clusterDirectory: string): Promise<Account | undefined> {
  const ownUid = process.getuid?.();
  if (ownUid === undefined) return undefined;
  const owner = await ownerOf(clusterDirectory);
  if (ownUid !== 0) {
    if (owner && owner.uid !== ownUid) {
      throw new LocalPostgresError(
        `The database in ${clusterDirectory} belongs to the account with uid ${owner.uid}, but the service runs with uid ${ownUid}. ` +
          `Run the service as that account, or give it the folder with: chown -R ${ownUid} ${clusterDirectory}`,
      );
    }
    return undefined;
  }
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  if (owner && owner.uid !== 0) return findAccount(passwd, owner.uid) ?? { name: `uid ${owner.uid}`, ...owner };
  for (const name of PREFERRED_ACCOUNTS) {
    const account = findAccount(passwd, name);
    if (account && account.uid !== 0) return account;
  }
  throw new LocalPostgresError(
    `The service runs as root, which PostgreSQL refuses, and there is no account ${PREFERRED_ACCOUNTS.join(' or ')} to run it as. ` +
      `Start the service as another account. ${USE_OWN_SERVER}`,
  );
}

/** Checks that an account can enter a folder and all folders above it. */
export async function canEnter(directory: string, account: Account): Promise<boolean> {
  // Only the kernel can tell: beside mode bits there are access lists, mount options and name spaces.
  return new Promise((resolve) => {
    execFile('/bin/sh', ['-c', 'cd -- "$0"', directory], { uid: account.uid, gid: account.gid, cwd: '/' }, (error) => {
      resolve(error === null);
    });
  });
}

async function ownerOf(path: string): Promise<{ uid: number; gid: number } | undefined> {
  try {
    const { uid, gid } = await stat(path);
    return { uid, gid };
  } catch (error) {
    // A folder that this process may not look at is reported when it is created.
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return undefined;
    throw error;
  }
}
