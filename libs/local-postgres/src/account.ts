import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { hasCode, LocalPostgresError, USE_OWN_SERVER } from './errors.js';

/** An operating system account that the server runs as when the service itself runs as root. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Accounts that a root service gives the server to, the first one that exists. PostgreSQL refuses to run as root. */
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
 * The account that the server runs as; undefined means the service's own.
 * As root it is the owner of an existing cluster, else `postgres`, else `nobody`.
 * @throws LocalPostgresError when the cluster belongs to an account that this process cannot act as
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

/** Tells whether the account can enter a folder, all folders above it included. The service's own account is not asked. */
export async function canEnter(directory: string, account: Account): Promise<boolean> {
  // Asking the kernel as that account sees what mode bits alone do not tell: access lists, mount options, name spaces.
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
    // What this process may not even look at it cannot use: that is said where the folder is made.
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return undefined;
    throw error;
  }
}
