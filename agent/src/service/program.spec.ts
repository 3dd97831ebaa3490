import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, readFile, readlink, rm, stat, symlink, writeFile, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Program } from './program.js';
import { Undo } from './undo.js';

const [OLD, NEW] = ['a'.repeat(64), 'b'.repeat(64)] as const;

describe.skipIf(process.platform === 'win32')('a program that is installed from a bundle', () => {
  let root: string;
  let undo: Undo;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'program-'));
    undo = new Undo();
    await addVersion(NEW);
  });

  afterEach(async () => {
    vi.restoreAllMocks();
    await rm(root, { recursive: true });
  });

  async function addVersion(version: string): Promise<void> {
    await mkdir(join(root, 'versions', version), { recursive: true });
    await writeFile(join(root, 'versions', version, 'device-agent'), `launcher ${version}`);
  }

  function programOf(version: string): Program {
    const program = Program.of(join(root, 'versions', version, 'dist/agent/src/main.js'), {});
    if (program === undefined) throw new Error('There is no program.');
    return program;
  }

  const texts = async (...names: string[]): Promise<string[]> => Promise.all(names.map((name) => readFile(join(root, name), 'utf8')));

  it.each(['', '-2', '-13'])('has the hash of its bundle, also in the folder "<hash>%s" of a further installation on Windows', (suffix) => {
    expect(programOf(`${OLD}${suffix}`).version).toBe(OLD);
    for (const name of [`${OLD}-`, `${OLD}-x`, `${OLD}2`, `x${OLD}`]) expect(() => programOf(name)).toThrow('There is no program.');
  });

  it('is the current version, and nothing is left of it when that is taken back', async () => {
    await programOf(NEW).install(undo);
    expect(await readlink(join(root, 'current'))).toBe(`versions/${NEW}`);
    expect(await texts('device-agent')).toEqual([`launcher ${NEW}`]);
    expect((await stat(join(root, 'device-agent'))).mode & 0o777).toBe(0o755);
    expect((await readdir(root)).sort()).toEqual(['current', 'device-agent', 'versions']);
    expect(await undo.run()).toEqual([]);
    expect(await readdir(root)).toEqual(['versions']);
  });

  it.each(['install', 'update'])('is on the disk before it is the current version: %s', async (way) => {
    await addVersion(OLD);
    await mkdir(join(root, 'versions', NEW, 'dist'));
    await writeFile(join(root, 'versions', NEW, 'dist', 'main.js'), '');
    const handle = await open(root);
    const sync = vi.spyOn(Object.getPrototypeOf(handle) as FileHandle, 'sync');
    await handle.close();
    const isCurrent: boolean[] = [];
    sync.mockImplementation(async () => void isCurrent.push(existsSync(join(root, 'current'))));
    await (way === 'install' ? programOf(NEW).install(undo) : programOf(OLD).switchTo(NEW));
    // Two files of the version, and the launcher or the mark of a trial.
    expect(isCurrent).toEqual([false, false, false]);
  });

  it.skipIf(!existsSync('/dev/full'))('begins no trial that cannot be recorded', async () => {
    await addVersion(OLD);
    await symlink(`versions/${OLD}`, join(root, 'current'));
    // Takes no byte, as a disk that is full.
    await symlink('/dev/full', join(root, 'trial.new'));
    await expect(programOf(OLD).switchTo(NEW)).rejects.toThrow('ENOSPC');
    expect(await readlink(join(root, 'current'))).toBe(`versions/${OLD}`);
    expect(await readdir(root)).not.toContain('trial');
  });

  it('ends a trial whose version cannot become the current one', async () => {
    await addVersion(OLD);
    await symlink(`versions/${OLD}`, join(root, 'current'));
    // Cannot be replaced by a link.
    await mkdir(join(root, 'current.new'));
    await expect(programOf(OLD).switchTo(NEW)).rejects.toThrow();
    expect(await readlink(join(root, 'current'))).toBe(`versions/${OLD}`);
    expect(await readdir(root)).not.toContain('trial');
  });

  it('gives its place back to the version before', async () => {
    await addVersion(OLD);
    await writeFile(join(root, 'device-agent'), 'launcher of old', { mode: 0o755 });
    await writeFile(join(root, 'trial'), `${OLD}\n`);
    await writeFile(join(root, 'refused'), `${NEW}\n`);
    await symlink(`versions/${OLD}`, join(root, 'current'));
    await programOf(NEW).install(undo);
    expect((await readdir(root)).sort()).toEqual(['current', 'device-agent', 'versions']);
    expect(await undo.run()).toEqual([]);
    expect(await readlink(join(root, 'current'))).toBe(`versions/${OLD}`);
    expect(await texts('device-agent', 'trial', 'refused')).toEqual(['launcher of old', `${OLD}\n`, `${NEW}\n`]);
    expect((await stat(join(root, 'device-agent'))).mode & 0o777).toBe(0o755);
  });
});
