import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chmod, mkdir, mkdtemp, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findDataDirectory, resolveDataDirectory } from './data-directory.js';
import { LocalPostgresError } from './errors.js';

const isRoot = process.getuid?.() === 0;

let folder: string;
let closed: string;
let systemDirectory: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'data-directory-')));
  await chmod(folder, 0o755);
  closed = join(folder, 'home');
  await mkdir(closed, { mode: 0o700 });
  systemDirectory = join(folder, 'var', 'lib', 'service');
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

describe('resolveDataDirectory', () => {
  it.each([true, false])('creates the folder (named by the operator: %s)', async (explicit) => {
    const path = join(folder, 'a', 'b');
    expect(await resolveDataDirectory(path, { explicit, systemDirectory })).toEqual({ path, notices: [] });
    expect((await stat(path)).isDirectory()).toBe(true);
  });

  it('fails when the folder cannot be created', async () => {
    await writeFile(join(folder, 'file'), '');
    const attempt = resolveDataDirectory(join(folder, 'file', 'data'), { explicit: true });
    await expect(attempt).rejects.toThrow(LocalPostgresError);
    await expect(attempt).rejects.toThrow(/cannot be created or written to/);
  });

  it('fails in a file system where no folder can be created', async () => {
    await expect(resolveDataDirectory('/proc/data', { explicit: true })).rejects.toThrow(/\/proc\/data cannot be created or written to/);
  });

  if (isRoot) {
    it('replaces the default folder when the server’s account cannot enter it, and says so in one line', async () => {
      const { path, notices } = await resolveDataDirectory(join(closed, 'data'), { explicit: false, systemDirectory });
      expect(path).toBe(systemDirectory);
      expect(notices).toEqual([
        expect.stringMatching(/^The account \w+, .* cannot enter the data folder .*; the data folder is .*\/var\/lib\/service instead\.$/),
      ]);
      await expect(stat(join(closed, 'data'))).rejects.toThrow(/ENOENT/);
    });

    it('is foretold without a folder that is created', async () => {
      expect(await findDataDirectory(join(closed, 'data'), { explicit: false, systemDirectory })).toBe(systemDirectory);
      await expect(stat(systemDirectory)).rejects.toThrow(/ENOENT/);
    });

    it('never replaces a folder that the operator has named', async () => {
      await expect(resolveDataDirectory(join(closed, 'data'), { explicit: true, systemDirectory })).rejects.toThrow(
        /cannot enter the data folder .*Name another folder/,
      );
      await expect(stat(systemDirectory)).rejects.toThrow(/ENOENT/);
    });

    it('never replaces a folder that holds a database', async () => {
      await mkdir(join(closed, 'data', 'pg'), { recursive: true });
      await expect(resolveDataDirectory(join(closed, 'data'), { explicit: false, systemDirectory })).rejects.toThrow(
        /although it holds a database/,
      );
    });

    it('creates folders that the account can enter, even under a strict umask', async () => {
      const umask = process.umask(0o077);
      try {
        const path = join(folder, 'strict', 'data');
        await resolveDataDirectory(path, { explicit: true });
        expect((await stat(path)).mode & 0o777).toBe(0o755);
        expect((await stat(join(folder, 'strict'))).mode & 0o777).toBe(0o755);
      } finally {
        process.umask(umask);
      }
    });
  }
});
