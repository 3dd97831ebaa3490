import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, readlink, rm, symlink, truncate, writeFile, copyFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const LAUNCHER = fileURLToPath(new URL('device-agent', import.meta.url));

describe.skipIf(process.platform === 'win32')('the launcher', () => {
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'launcher-'));
    await copyFile(LAUNCHER, join(root, 'device-agent'));
    await addVersion('old', 'echo "old runs: $*"');
  });

  afterEach(() => rm(root, { recursive: true }));

  /** A version whose runtime is this script. */
  async function addVersion(name: string, script: string): Promise<void> {
    await mkdir(join(root, 'versions', name, 'runtime/bin'), { recursive: true });
    await writeFile(join(root, 'versions', name, 'runtime/bin/node'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    await mkdir(join(root, 'versions', name, 'dist/agent/src'), { recursive: true });
    await writeFile(join(root, 'versions', name, 'dist/agent/src/main.js'), 'the agent');
    await rm(join(root, 'current'), { force: true });
    await symlink(`versions/${name}`, join(root, 'current'));
  }

  async function launch(...args: string[]): Promise<string> {
    const env = { ...process.env, DEVICE_AGENT_TRIAL_SECONDS: '1' };
    return (await run(join(root, 'device-agent'), args, { env })).stdout;
  }

  const state = async (name: string): Promise<string> => (await readFile(join(root, name), 'utf8')).trim();

  it('passes other commands and the options of run on', async () => {
    expect(await launch('uninstall', '--instance', 'x')).toMatch(/old runs: \S+main\.js uninstall --instance x\n/);
    expect(await launch('run', '--data-dir', '/a b')).toMatch(/old runs: --max-semi-space-size=2 \S+main\.js run --data-dir \/a b\n/);
  });

  it.each([
    ['ends with an error', 'exit 3'],
    ['never comes online', 'exec sleep 1000'],
    ['cannot be started', 'exec /nowhere/node'],
  ])('takes an update back that %s', async (_, script) => {
    await addVersion('new', script);
    await writeFile(join(root, 'trial'), 'old\n');
    expect(await launch('run')).toContain('old runs');
    expect(await readlink(join(root, 'current'))).toBe('versions/old');
    expect([await state('refused'), await state('rolled-back')]).toEqual(['new', 'new']);
    expect(existsSync(join(root, 'trial'))).toBe(false);
  });

  /** The script of a version that notes that the server is away, and then does something. */
  const serverIsAway = (version: string, then: string): string => `echo ${version} >"$DEVICE_AGENT_LAUNCHER/server-away"; ${then}`;

  it('postpones an update that could not reach the server in its trial', async () => {
    await addVersion('new', serverIsAway('new', 'exec sleep 1000'));
    await writeFile(join(root, 'trial'), 'old\n');
    await writeFile(join(root, 'postponed'), 'new\n');
    expect(await launch('run')).toContain('old runs');
    expect(await readlink(join(root, 'current'))).toBe('versions/old');
    expect([await state('postponed'), await state('rolled-back')]).toEqual(['new\nnew', 'new']);
    for (const name of ['refused', 'trial', 'server-away']) expect(existsSync(join(root, name))).toBe(false);
  });

  it.each([
    ['ends with an error while the server is away', serverIsAway('new', 'exit 3')],
    ['never looks for the server, which was away for another version', serverIsAway('another', 'exec sleep 1000')],
  ])('refuses an update that %s', async (_, script) => {
    await addVersion('new', script);
    await writeFile(join(root, 'trial'), 'old\n');
    expect(await launch('run')).toContain('old runs');
    expect(await state('refused')).toBe('new');
    expect(existsSync(join(root, 'postponed'))).toBe(false);
  });

  it.each(['runtime/bin/node', 'dist/agent/src/main.js'])(
    'takes an update back of which a loss of power has left %s empty',
    async (file) => {
      await addVersion('new', 'exit 0');
      await truncate(join(root, 'versions/new', file));
      await writeFile(join(root, 'trial'), 'old\n');
      expect(await launch('run')).toContain('old runs');
      expect(await state('refused')).toBe('new');
    },
  );

  const CAN_MOUNT = process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

  it.skipIf(!CAN_MOUNT)(`takes an update back on a disk that it has filled${CAN_MOUNT ? '' : ' (skipped: it needs root)'}`, async () => {
    const disk = join(root, 'disk');
    await mkdir(disk);
    // As a full disk of ext4, it has no room for another link, however short.
    await run('mount', ['-t', 'tmpfs', '-o', 'nr_inodes=64', 'none', disk]);
    try {
      await addVersion('new', 'exit 3');
      await writeFile(join(root, 'trial'), 'old\n');
      await run('cp', ['-a', ...['device-agent', 'versions', 'current', 'trial'].map((name) => join(root, name)), disk]);
      const fill = async (): Promise<void> => {
        for (let number = 0; ; number += 1) await writeFile(join(disk, `versions/new/${number}`), '');
      };
      await expect(fill()).rejects.toThrow('ENOSPC');
      expect((await run(join(disk, 'device-agent'), ['run'])).stdout).toContain('old runs');
      expect(await readlink(join(disk, 'current'))).toBe('versions/old');
      expect(await readFile(join(disk, 'refused'), 'utf8')).toBe('new\n');
    } finally {
      await run('umount', [disk]);
    }
  });

  it('takes nothing back where a loss of power, or a full disk, has left the record of a trial empty', async () => {
    await addVersion('running', 'echo "running: $*"; sleep 2; exit 3');
    await writeFile(join(root, 'trial'), '');
    await expect(launch('run')).rejects.toMatchObject({ code: 3, stdout: expect.stringContaining('running') });
    expect(await readlink(join(root, 'current'))).toBe('versions/running');
    expect(existsSync(join(root, 'refused'))).toBe(false);
  });

  it('ends when it is stopped while it takes an update back', async () => {
    await addVersion('old', 'exec sleep 1000');
    await addVersion('new', 'exit 0');
    await truncate(join(root, 'versions/new/runtime/bin/node'));
    await writeFile(join(root, 'trial'), 'old\n');
    // The signal comes while the launcher waits for this program.
    const tools = join(root, 'tools');
    await mkdir(tools);
    await writeFile(join(tools, 'readlink'), '#!/bin/sh\nkill -TERM "$PPID"\nexec /bin/readlink "$@"\n', { mode: 0o755 });
    const env = { ...process.env, PATH: `${tools}:${process.env['PATH'] ?? ''}` };
    await run(join(root, 'device-agent'), ['run'], { env });
    expect(await readlink(join(root, 'current'))).toBe('versions/old');
  });

  // Many at the same time, because a signal that comes while a process begins is lost only if the machine is busy.
  const MANY = Array.from({ length: 100 }, (_, index) => index);

  /** A folder beside `root` with the same program, for one launcher of many. */
  async function copyOf(index: number): Promise<string> {
    const copy = join(root, `copy-${index}`);
    await mkdir(copy);
    await run('cp', ['-a', ...['device-agent', 'versions', 'current'].map((name) => join(root, name)), copy]);
    return copy;
  }

  it('ends the wait for the end of a trial with the trial, however soon that ends', async () => {
    await addVersion('new', 'exit 3');
    const env = { ...process.env, DEVICE_AGENT_TRIAL_SECONDS: '1000' };
    const copies = await Promise.all(MANY.map(copyOf));
    await Promise.all(copies.map((copy) => writeFile(join(copy, 'trial'), 'old\n')));
    // What goes on keeps the output of the launcher open.
    const outputs = await Promise.all(
      copies.map((copy) => run(join(copy, 'device-agent'), ['run'], { env, timeout: 30_000, killSignal: 'SIGKILL' })),
    );
    for (const { stdout } of outputs) expect(stdout).toContain('old runs');
  });

  it('ends when it is stopped while the agent begins', async () => {
    await addVersion('sleeping', 'exec sleep 1000');
    const launchers = (await Promise.all(MANY.map(copyOf))).map((copy) => spawn(join(copy, 'device-agent'), ['run'], { stdio: 'ignore' }));
    const ended = launchers.map((launcher) => once(launcher, 'exit'));
    await Promise.all(launchers.map((launcher) => once(launcher, 'spawn')));
    for (const launcher of launchers) launcher.kill('SIGTERM');
    await Promise.all(ended);
  });

  it('starts the current version again when the agent asks for it', async () => {
    await addVersion('asking', 'ln -sfn versions/old "$DEVICE_AGENT_LAUNCHER/current"; exit 75');
    expect(await launch('run')).toContain('old runs');
  });

  it('ends with the status of an agent that is not on trial', async () => {
    await addVersion('failing', 'exit 2');
    await expect(launch('run')).rejects.toMatchObject({ code: 2 });
  });
});
