import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chmod, mkdir, mkdtemp, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareEndpoint, socketDirectory, socketPath } from './endpoint.js';
import { LocalPostgresError } from './errors.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'endpoint-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

describe('socketDirectory', () => {
  it('is in the data folder when that path is short enough', () => {
    expect(socketDirectory('/srv/data')).toBe('/srv/data/run');
  });

  it('is in the temporary folder, named by a hash, when that path is too long', () => {
    const long = `/srv/${'x'.repeat(100)}`;
    const directory = socketDirectory(long, '/tmp');
    expect(directory).toMatch(/^\/tmp\/local-postgres-[0-9a-f]{16}$/);
    expect(socketDirectory(long, '/tmp')).toBe(directory);
    expect(socketDirectory(`${long}y`, '/tmp')).not.toBe(directory);
  });

  it('measures the path in bytes, not in characters', () => {
    expect(socketDirectory(`/srv/${'ä'.repeat(45)}`, '/tmp')).toMatch(/^\/tmp\//);
    expect(Buffer.byteLength(socketPath(socketDirectory(`/srv/${'a'.repeat(80)}`)))).toBeLessThanOrEqual(107);
  });
});

describe('prepareEndpoint', () => {
  it('creates a socket folder that only its account can enter', async () => {
    const endpoint = await prepareEndpoint('socket', folder, join(folder, 'pg'), undefined);
    expect(endpoint.host).toBe(join(folder, 'run'));
    expect((await stat(endpoint.host)).mode & 0o777).toBe(0o700);
  });

  it('refuses a socket folder that others can enter', async () => {
    await mkdir(join(folder, 'run'));
    await chmod(join(folder, 'run'), 0o755);
    await expect(prepareEndpoint('socket', folder, join(folder, 'pg'), undefined)).rejects.toThrow(LocalPostgresError);
  });

  it('refuses a symbolic link in place of the socket folder', async () => {
    await mkdir(join(folder, 'elsewhere'), { mode: 0o700 });
    await symlink(join(folder, 'elsewhere'), join(folder, 'run'));
    await expect(prepareEndpoint('socket', folder, join(folder, 'pg'), undefined)).rejects.toThrow(/must be a folder that belongs to uid/);
  });

  if (process.getuid?.() === 0) {
    it('takes over a socket folder that another start has created and not handed to the account yet', async () => {
      await mkdir(join(folder, 'run'), { mode: 0o700 });
      await prepareEndpoint('socket', folder, join(folder, 'pg'), { name: 'nobody', uid: 65_534, gid: 65_534 });
      expect((await stat(join(folder, 'run'))).uid).toBe(65_534);
    });
  }

  it('names the missing file when the password of a cluster is gone', async () => {
    await expect(prepareEndpoint('loopback', folder, join(folder, 'pg'), undefined)).rejects.toThrow(/service-password/);
  });
});
