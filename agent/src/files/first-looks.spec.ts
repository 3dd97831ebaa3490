import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { dataDirectory } from '../data-directory.js';
import { createDirectory, deletePath } from './file-system.js';
import { FirstLooks } from './first-looks.js';
import { directoryContents } from './listing.js';
import { OwnFiles } from './own-files.js';
import { receiveFile } from './receiving.js';
import { renameFile } from './renaming.js';
import { openLogFile } from './sending.js';
import { UnfinishedUploads } from './unfinished-uploads.js';

const WITHIN_MS = 300;
/** Time in which a program answers, also on a busy machine. */
const LONGER_MS = 3_000;
const MOUNT = 'exec 3<>/dev/fuse; mount -i -t fuse -o fd=3,rootmode=040000,user_id=0,group_id=0 none';
const SILENT = 'The file system of the device does not answer.';

describe('first looks', () => {
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'looks-'));
    await mkdir(join(root, 'silent'));
    await writeFile(join(root, 'file'), 'text');
  });

  afterEach(async () => rm(root, { recursive: true }));

  it('tell what is at a path, and that nothing is', async () => {
    const looks = new FirstLooks();
    const paths = ['file', 'silent', 'none'].map((name) => join(root, name));
    const found = await Promise.all([...paths, ...paths].map(async (path) => looks.statusAt(path)));
    expect(found.map((stats) => stats?.isDirectory())).toEqual([false, true, undefined, false, true, undefined]);
  });

  it('warn of nothing when many wait for each other', async () => {
    const warnings: string[] = [];
    const note = ({ message }: Error): void => void warnings.push(message);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const looks = new FirstLooks(undefined, 1);
    await Promise.all(Array.from({ length: 40 }, async (_, index) => looks.statusAt(join(root, String(index)))));
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
  });

  describe.skipIf(!canMount())(
    `of a file system that does not answer${canMount() ? '' : ' (skipped: it needs root and /dev/fuse)'}`,
    () => {
      let keepers: ChildProcess[];
      /** The folder as the program sees it: nobody else has the file system, which goes with the program. */
      let seen: string;

      beforeEach(async () => {
        keepers = [];
        seen = await silentFileSystem();
      });

      afterEach(async () => {
        // Their end answers everything with an error.
        const ended = keepers.map(async (keeper) => once(keeper, 'close'));
        for (const keeper of keepers) keeper.kill('SIGKILL');
        await Promise.all(ended);
      });

      /** Mounts one in a folder for a program alone, which takes requests and answers none. Returns the folder around it. */
      async function silentFileSystem(): Promise<string> {
        const keeper = spawn('unshare', ['-m', 'sh', '-c', `${MOUNT} "$0" && echo mounted && exec cat`, join(root, 'silent')], {
          stdio: ['pipe', 'pipe', 'inherit'],
        });
        keepers.push(keeper);
        await once(keeper.stdout, 'data');
        return `/proc/${keeper.pid}/root${root}`;
      }

      it('are refused in time, and leave threads for everything else', async () => {
        const looks = new FirstLooks(WITHIN_MS, 2);
        const paths = ['', 'a', 'b', 'c', 'd'].map((name) => join(seen, 'silent', name));
        for (const path of paths) await expect(looks.statusAt(path)).rejects.toThrow(SILENT);
        await expect(looks.entryAt(paths[0])).rejects.toThrow(SILENT);
        expect(await readFile(join(root, 'file'), 'utf8')).toBe('text');
        expect((await looks.statusAt(join(root, 'file')))?.isFile()).toBe(true);
      });

      it('leave everything else to be looked at when they keep half of the threads', async () => {
        const looks = new FirstLooks(LONGER_MS, 2);
        const silent = [seen, await silentFileSystem()].map((folder) => join(folder, 'silent'));
        await Promise.all(silent.map(async (path) => expect(looks.statusAt(path)).rejects.toThrow(SILENT)));
        const names = ['file', 'none', 'file'].map((name) => join(root, name));
        const found = await Promise.all(names.map(async (path) => looks.statusAt(path)));
        expect(found.map((stats) => stats?.isFile())).toEqual([true, undefined, true]);
        expect((await looks.entryAt(root))?.isDirectory()).toBe(true);
        const another = join(await silentFileSystem(), 'silent');
        await expect(looks.statusAt(another)).rejects.toThrow(SILENT);
        expect(await readFile(join(root, 'file'), 'utf8')).toBe('text');
        expect((await looks.statusAt(join(root, 'file')))?.isFile()).toBe(true);
      });

      it('keep no call that changes something, and no start of the agent', async () => {
        const directory = dataDirectory(join(root, 'data'));
        const own = new OwnFiles(directory);
        const uploads = new UnfinishedUploads(directory.uploads);
        await mkdir(directory.uploads, { recursive: true });
        await writeFile(join(directory.uploads, '0123456789abcdef'), join(seen, 'silent'));
        const [targetPath, there] = [join(seen, 'silent'), { streamId: '', fileName: 'silent', overwrite: true, fileSize: 0 }];
        const refused = await Promise.allSettled([
          deletePath({ targetPath }, own),
          renameFile({ targetPath, newName: 'other' }, own),
          renameFile({ targetPath: join(seen, 'file'), newName: 'silent' }, own),
          createDirectory({ parentPath: seen, directoryName: 'silent' }, own),
          receiveFile({ ...there, targetDirectoryPath: seen }, { own, uploads }, () => expect.unreachable()),
        ]);
        expect(refused.map((each) => (each.status === 'rejected' ? each.reason.message : ''))).toEqual(refused.map(() => SILENT));
        const faults: unknown[] = [];
        await uploads.clear({ info: () => undefined, warn: () => undefined, error: (_, cause) => faults.push(cause) });
        expect(faults).toEqual([expect.objectContaining({ message: SILENT })]);
        await expect(openLogFile(join(targetPath, 'LogFile.log'), [directory.logs])).rejects.toThrow('not a log file');
        expect(await readFile(join(root, 'file'), 'utf8')).toBe('text');
      });

      it('do not keep what is around it from being listed', async () => {
        const looks = new FirstLooks(WITHIN_MS, 2);
        for (let time = 0; time < 3; time += 1) {
          const entries: unknown[] = [];
          for await (const { name, isDirectory, canRead } of directoryContents(seen, looks)) entries.push([name, isDirectory, canRead]);
          expect(entries).toEqual([
            ['file', false, true],
            ['silent', true, false],
          ]);
        }
        await expect(directoryContents(join(seen, 'silent'), looks)[Symbol.asyncIterator]().next()).rejects.toThrow(SILENT);
        expect(await readFile(join(root, 'file'), 'utf8')).toBe('text');
      });
    },
  );
});

/** True for root where it may mount file systems of programs. */
function canMount(): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/dev/fuse')) return false;
  return (
    spawnSync('unshare', ['-m', 'sh', '-c', 'exec 3<>/dev/fuse; mount -i -t fuse -o fd=3,rootmode=040000,user_id=0,group_id=0 none /mnt'])
      .status === 0
  );
}
