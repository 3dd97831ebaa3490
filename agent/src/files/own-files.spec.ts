import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PathLike, Stats } from 'node:fs';
import { link, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataDirectory, type DataDirectory } from '../data-directory.js';
import { writeArchive } from './archive.js';
import { createDirectory, deletePath, validateFilePath } from './file-system.js';
import { OwnFiles } from './own-files.js';
import { absolutePath } from './paths.js';
import { receiveFile, type ReceivingPlace } from './receiving.js';
import { openArchiveDownload, openDownload } from './sending.js';
import { UnfinishedUploads } from './unfinished-uploads.js';

/** Everything that a viewer can ask for is tried on the data folder of an agent, along every way that leads there. */

const ID = '11111111-2222-3333-4444-555555555555';
const SECRET = '{ "privateKey": "the key" }';

let root: string;
let directory: DataDirectory;
let own: OwnFiles;
let place: ReceivingPlace;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'own-')));
  directory = dataDirectory(join(root, 'var', 'agent'));
  await mkdir(directory.logs, { recursive: true });
  await writeFile(directory.settingsFile, SECRET);
  own = new OwnFiles(directory);
  place = { own, uploads: new UnfinishedUploads(directory.uploads) };
  await symlink('var/agent', join(root, 'link'));
  await symlink(directory.settingsFile, join(root, 'settings-link'));
  await symlink('..', join(root, 'var', 'up'));
});

afterEach(async () => rm(root, { recursive: true }));

const ways = (): string[] => [
  directory.root,
  join(root, 'link'),
  `${root}/var/../link/../var/agent`,
  join(root, 'var', 'up', 'var', 'up', 'link'),
  ...(process.platform === 'linux' ? [`/proc/self/root${directory.root}`, `/proc/${process.ppid}/root${directory.root}`] : []),
];

describe('the data folder of the agent', () => {
  it('is not read, by whatever way', async () => {
    const files = [...ways().map((way) => join(way, 'settings.json')), join(root, 'settings-link')];
    for (const path of [...files, ...ways(), ...ways().map((way) => join(way, 'logs'))]) {
      await expect(openDownload({ streamId: ID, filePath: path }, join(root, 'temporary'), own)).rejects.toThrow("agent's own");
      const archive = { streamId: ID, archiveFileName: 'all', targetPaths: [path] };
      await expect(openArchiveDownload(archive, join(root, 'temporary'), own)).rejects.toThrow("agent's own");
      await expect(own.refuseReading(absolutePath(path))).rejects.toThrow("agent's own");
    }
  });

  it('is not read by another name of its settings', async () => {
    await link(directory.settingsFile, join(root, 'innocent'));
    const download = openDownload({ streamId: ID, filePath: join(root, 'innocent') }, join(root, 'temporary'), own);
    await expect(download).rejects.toThrow("agent's own");
    await writeArchive(join(root, 'out.zip'), [join(root, 'innocent')], own);
    expect((await readFile(join(root, 'out.zip'))).includes('innocent')).toBe(false);
  });

  it.each<[string, (folder: string) => Promise<void>]>([
    [
      'a file',
      async (folder) => {
        await rm(join(folder, 'settings.json'));
        await symlink(directory.settingsFile, join(folder, 'settings.json'));
      },
    ],
    [
      'a folder',
      async (folder) => {
        await rm(folder, { recursive: true });
        await symlink(directory.root, folder);
      },
    ],
  ])('is not read by %s that becomes a link while an archive is written', async (_, swap) => {
    const folder = join(root, 'home', 'folder');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'settings.json'), 'of the user');
    /** Another account of the machine, which acts between the look at a file and its opening. */
    class Swapped extends OwnFiles {
      override async isOwn(path: PathLike, stats: Stats): Promise<boolean> {
        const result = await super.isOwn(path, stats);
        if (path.toString() === join(folder, 'settings.json')) await swap(folder);
        return result;
      }
    }
    await writeArchive(join(root, 'out.zip'), [join(root, 'home')], new Swapped(directory));
    expect((await readFile(join(root, 'out.zip'), 'latin1')).includes('settings.json')).toBe(false);
  });

  it('is left out of archives of what is around it', async () => {
    await writeFile(join(root, 'var', 'other.txt'), 'kept');
    await writeArchive(join(root, 'out.zip'), [join(root, 'var'), join(root, 'link', '..')], own);
    const zip = await readFile(join(root, 'out.zip'), 'latin1');
    expect([zip.includes('other.txt'), zip.includes('settings.json'), zip.includes('agent')]).toEqual([true, false, false]);
  });

  it('is not written, by whatever way', async () => {
    async function* nothing(): AsyncIterable<Uint8Array> {}
    for (const way of ways()) {
      const upload = { streamId: ID, targetDirectoryPath: way, fileName: 'settings.json', fileSize: 0, overwrite: true };
      await expect(receiveFile(upload, place, nothing)).rejects.toThrow("agent's own");
      await expect(receiveFile({ ...upload, fileName: 'new', overwrite: false }, place, nothing)).rejects.toThrow("agent's own");
      await expect(createDirectory({ parentPath: way, directoryName: 'new' }, own)).rejects.toThrow("agent's own");
      expect(await validateFilePath({ directoryPath: way, fileName: 'new' }, own)).toMatchObject({ isValid: false });
    }
    expect(await readFile(directory.settingsFile, 'utf8')).toBe(SECRET);
    expect((await readdir(directory.root)).sort()).toEqual(['logs', 'settings.json']);
  });

  it('is not deleted, neither by itself nor with what is around it', async () => {
    const around = [join(root, 'var'), join(root, 'var', 'up', 'var'), root, join(root, '..')];
    const inside = ways().flatMap((way) => [join(way, 'settings.json'), join(way, 'logs')]);
    for (const targetPath of [directory.root, `${root}/var/up/var/agent`, ...inside, ...around]) {
      await expect(deletePath({ targetPath }, own)).rejects.toThrow("agent's own");
    }
    expect(await readFile(directory.settingsFile, 'utf8')).toBe(SECRET);
  });

  it('does not keep links to it from being deleted', async () => {
    await deletePath({ targetPath: join(root, 'link') }, own);
    await deletePath({ targetPath: join(root, 'settings-link') }, own);
    expect(await readdir(root)).toEqual(['var']);
    expect(await readFile(directory.settingsFile, 'utf8')).toBe(SECRET);
  });

  it('keeps nothing else away from viewers', async () => {
    await mkdir(join(root, 'var', 'agent2'));
    await writeFile(join(root, 'var', 'agent2', 'file'), 'text');
    const outgoing = await openDownload({ streamId: ID, filePath: join(root, 'var', 'agent2', 'file') }, join(root, 'temporary'), own);
    expect(outgoing.response.fileSize).toBe(4);
    await outgoing.release();
    await createDirectory({ parentPath: join(root, 'var'), directoryName: 'agen' }, own);
    await deletePath({ targetPath: join(root, 'var', 'agent2') }, own);
    expect((await readdir(join(root, 'var'))).sort()).toEqual(['agen', 'agent', 'up']);
  });
});

const onLinux = process.platform === 'linux' ? describe : describe.skip;

onLinux('the process of the agent', () => {
  it('does not show its environment and its memory as files', async () => {
    const [thread] = (await readdir('/proc/self/task')).filter((id) => id !== String(process.pid));
    const names = ['self', 'thread-self', String(process.pid), thread, `${process.ppid}/root/proc/${process.pid}`];
    for (const path of [...names.map((name) => `/proc/${name}/environ`), `/proc/self/task/${thread}/maps`]) {
      await expect(openDownload({ streamId: ID, filePath: path }, join(root, 'temporary'), own)).rejects.toThrow("agent's own");
    }
    // Not every kernel shows its memory as a file.
    await expect(own.refuseReading('/proc/kcore')).rejects.toThrow("agent's own");
    await writeArchive(join(root, 'out.zip'), [`/proc/${process.ppid}/comm`, '/proc/version'], own);
    await expect(writeArchive(join(root, 'out.zip'), ['/proc/self/environ'], own)).rejects.toThrow("agent's own");
  });
});
