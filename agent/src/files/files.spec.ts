import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import * as fc from 'fast-check';
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { chmod, lstat, mkdir, mkdtemp, open, readdir, readFile, realpath, rm, stat, statfs, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, posix, sep } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { FILE_CHUNK_BYTES, type FileSystemEntryDto } from '#libs/contracts';
import { dataDirectory } from '../data-directory.js';
import { RefusedError } from '../failures.js';
import type { Log } from '../logs/log.js';
import { uniqueNames, writeArchive } from './archive.js';
import { createDirectory, deletePath, describePath, validateFilePath } from './file-system.js';
import { directoryContents, inChunks, localTimestamp, subdirectories } from './listing.js';
import { OwnFiles } from './own-files.js';
import { absolutePath, isInside, nameProblem, pathInDirectory, pathSegments } from './paths.js';
import { fileChunks } from './reading.js';
import { receiveFile, type ReceivingPlace } from './receiving.js';
import { renameFile } from './renaming.js';
import { openArchiveDownload, openDownload, openLogFile } from './sending.js';
import { UnfinishedUploads } from './unfinished-uploads.js';

const ID = '11111111-2222-3333-4444-555555555555';
let root: string;
let agentData: string;
let own: OwnFiles;
let place: ReceivingPlace;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'files-')));
  agentData = await mkdtemp(join(tmpdir(), 'agent-data-'));
  own = new OwnFiles(dataDirectory(agentData));
  place = { own, uploads: new UnfinishedUploads(dataDirectory(agentData).uploads) };
});

afterEach(async () => {
  await rm(root, { recursive: true });
  await rm(agentData, { recursive: true });
});

describe('path rules', () => {
  it('let no name lead out of its directory', () => {
    const parts = fc.constantFrom('..', '.', '/', '\\', 'a', '\0', ' ', 'name', ':', '~');
    const names = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(parts).map((chosen) => chosen.join('')),
    );
    fc.assert(
      fc.property(names, (name) => {
        if (nameProblem(name, 'linux') !== undefined) return;
        const path = posix.join('/base/folder', name);
        expect([posix.dirname(path), posix.basename(path)]).toEqual(['/base/folder', name]);
      }),
      { numRuns: 1000 },
    );
  });

  it.each(['', ' ', '.', '..', '../x', 'a/b', '/etc/passwd', 'a\0b', 'x'.repeat(256), 'ä'.repeat(128)])('refuse the name "%s"', (name) => {
    expect(nameProblem(name, 'linux')).toBeDefined();
    expect(() => pathInDirectory('/tmp', name)).toThrow(RefusedError);
  });

  it.each(['a\\b', 'C:', 'nul', 'COM1.txt', 'dot.', 'blank ', 'a|b', 'a\tb'])('refuse the name "%s" on Windows', (name) => {
    expect(nameProblem(name, 'win32')).toBeDefined();
    expect(nameProblem(name, 'linux')).toBeUndefined();
  });

  it.each(['relative/path', '', '~', 'a\0'])('refuse the path "%s"', (path) => {
    expect(() => absolutePath(path)).toThrow(RefusedError);
  });

  it('tell whether a path is inside a folder', () => {
    expect(isInside('/logs/a.log', '/logs')).toBe(true);
    expect(isInside('/logs/..a/b.log', '/logs')).toBe(true);
    expect(['/logs', '/logs2/a.log', '/', '/etc/passwd'].map((path) => isInside(path, '/logs'))).toEqual([false, false, false, false]);
  });

  it('split a path into parts that join to the same path', () => {
    expect(pathSegments('/a/b c')).toEqual(['/', 'a', 'b c']);
    expect(pathSegments('/')).toEqual(['/']);
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[^/\0]{1,10}$/)), (names) => {
        const path = absolutePath(`/${names.join('/')}`);
        expect(join(...pathSegments(path))).toBe(path);
      }),
    );
  });
});

describe('listings', () => {
  it('show files first, then directories, each by name', async () => {
    for (const name of ['b.txt', 'A.txt', 'c']) await writeFile(join(root, name), 'four');
    for (const name of ['zoo', 'abc']) await mkdir(join(root, name));
    await mkdir(join(root, 'zoo', 'inner'));
    await symlink(join(root, 'zoo'), join(root, 'link'));
    await symlink(join(root, 'nowhere'), join(root, 'broken'));
    const entries = await collect(directoryContents(root));

    expect(entries.map(({ name }) => name)).toEqual(['A.txt', 'b.txt', 'broken', 'c', 'abc', 'link', 'zoo']);
    expect(entries[0]).toMatchObject({ fullPath: join(root, 'A.txt'), isDirectory: false, size: 4, canRead: true, isHidden: false });
    // A broken link is listed, so that it can be deleted.
    expect(entries[2]).toMatchObject({ isDirectory: false, canRead: false });
    expect(entries[6]).toMatchObject({ isDirectory: true, size: 0, hasSubfolders: true });
    expect(entries[4].hasSubfolders).toBe(false);
    expect(Math.abs(entries[0].lastModified.unixMilliseconds - Date.now())).toBeLessThan(60_000);
    expect((await collect(subdirectories(root))).map(({ name }) => name)).toEqual(['abc', 'link', 'zoo']);
  });

  it('show files with times that no timestamp can hold', async () => {
    // Not every file system has them.
    const folder = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : root, 'times-'));
    onTestFinished(async () => rm(folder, { recursive: true }));
    for (const [name, seconds] of [
      ['before 1', -99_999_999_999],
      ['in 1960', -300_000_000],
      ['in 10000', 253_402_300_800],
      ['no date', 99_999_999_999_999],
    ])
      execFileSync('touch', ['-d', `@${seconds}`, join(folder, String(name))]);
    expect((await collect(directoryContents(folder))).map(({ name }) => name)).toEqual(['before 1', 'in 10000', 'in 1960', 'no date']);
    // Where there are none, these stand for them.
    for (const milliseconds of [-8.64e15, 8.64e15, 1e17]) expect(() => localTimestamp(milliseconds)).not.toThrow();
  });

  it.skipIf(process.platform !== 'linux')('show names that are no UTF-8, so that no directory seems to be empty', async () => {
    await writeFile(Buffer.concat([Buffer.from(join(root, 'caf')), Buffer.of(0xe9)]), 'four');
    await mkdir(Buffer.concat([Buffer.from(join(root, 'gar')), Buffer.of(0xe7), Buffer.from('on')]));
    const entries = await collect(directoryContents(root));
    expect(entries.map(({ name, isDirectory, canRead }) => [name, isDirectory, canRead])).toEqual([
      ['caf\u{fffd}', false, false],
      ['gar\u{fffd}on', true, false],
    ]);
  });

  it('are empty for a missing directory', async () => {
    expect(await collect(subdirectories(join(root, 'missing')))).toEqual([]);
  });

  it('fit the message limits, however long the paths are', async () => {
    const entry: FileSystemEntryDto = (await collect(directoryContents(join(root, '..')))).at(-1) ?? missing();
    const lengths = fc.array(fc.integer({ min: 1, max: 32_000 }), { maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(lengths, async (sizes) => {
        async function* entries(): AsyncIterable<FileSystemEntryDto> {
          for (const size of sizes) yield { ...entry, fullPath: '"'.repeat(size) };
        }
        const chunks = await collect(inChunks(entries()));
        expect(chunks.flat()).toHaveLength(sizes.length);
        for (const chunk of chunks) {
          expect(chunk.length).toBeLessThanOrEqual(100);
          expect(chunk.length === 1 || JSON.stringify(chunk).length < 95_000).toBe(true);
        }
      }),
      { numRuns: 20 },
    );
  });
});

describe('changes', () => {
  it('make a directory, and refuse a name that is taken', async () => {
    await createDirectory({ parentPath: root, directoryName: 'new' }, own);
    expect(await readdir(root)).toEqual(['new']);
    await expect(createDirectory({ parentPath: root, directoryName: 'new' }, own)).rejects.toThrow('already exists');
    await expect(createDirectory({ parentPath: join(root, 'none'), directoryName: 'new' }, own)).rejects.toThrow('ENOENT');
    await expect(createDirectory({ parentPath: root, directoryName: '../out' }, own)).rejects.toThrow('separator');
  });

  it('delete a tree without following links out of it', async () => {
    await mkdir(join(root, 'tree', 'deep'), { recursive: true });
    await mkdir(join(root, 'outside'));
    await writeFile(join(root, 'outside', 'kept.txt'), 'kept');
    await symlink(join(root, 'outside'), join(root, 'tree', 'deep', 'link'));
    await deletePath({ targetPath: join(root, 'tree') }, own);
    expect(await readdir(root)).toEqual(['outside']);
    expect(await readdir(join(root, 'outside'))).toEqual(['kept.txt']);
    await expect(deletePath({ targetPath: join(root, 'tree') }, own)).rejects.toThrow('ENOENT');
    await expect(deletePath({ targetPath: '/' }, own)).rejects.toThrow('root');
    await expect(deletePath({ targetPath: `/tmp/..${sep}` }, own)).rejects.toThrow('root');
  });

  it('delete a directory with many entries, also of names that are no UTF-8, one after the other', async () => {
    const many = join(root, 'many');
    await mkdir(join(many, 'inner'), { recursive: true });
    for (let number = 0; number < 1000; number += 1) await writeFile(join(many, String(number)), '');
    const odd = Buffer.concat([Buffer.from(join(many, 'inner', 'gar')), Buffer.of(0xe7), Buffer.from('on')]);
    await mkdir(odd);
    await writeFile(Buffer.concat([odd, Buffer.from('/'), Buffer.of(0xff)]), '');
    let most = 0;
    const progress = { isDone: false };
    const deleting = deletePath({ targetPath: many }, own).finally(() => (progress.isDone = true));
    while (!progress.isDone) {
      most = Math.max(most, process.getActiveResourcesInfo().filter((name) => name.startsWith('FSReq')).length);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await deleting;
    expect(await readdir(root)).toEqual([]);
    expect(most).toBeLessThan(10);
  });

  it('give a file, a tree and a link another name, with all that they have', async () => {
    await writeFile(join(root, 'file'), 'text');
    await chmod(join(root, 'file'), 0o640);
    await mkdir(join(root, 'tree'));
    await writeFile(join(root, 'tree', 'inner'), 'inner');
    await symlink(join(root, 'nowhere'), join(root, 'link'));
    const { ino } = await stat(join(root, 'file'));
    for (const name of ['file', 'tree', 'link']) await renameFile({ targetPath: join(root, name), newName: `${name} (new)` }, own);
    expect((await readdir(root)).sort()).toEqual(['file (new)', 'link (new)', 'tree (new)']);
    expect(await stat(join(root, 'file (new)'))).toMatchObject({ ino, mode: 0o100640, nlink: 1 });
    expect(await readFile(join(root, 'tree (new)', 'inner'), 'utf8')).toBe('inner');
    expect(readlinkSync(join(root, 'link (new)'))).toBe(join(root, 'nowhere'));
  });

  it('rename nothing to a name that is taken, unfit or in another directory', async () => {
    await mkdir(join(root, 'tree'));
    await mkdir(join(root, 'empty'));
    await writeFile(join(root, 'file'), 'text');
    await writeFile(join(root, 'other'), 'other');
    await symlink(join(root, 'nowhere'), join(root, 'link'));
    const rename = (name: string, newName: string): Promise<void> => renameFile({ targetPath: join(root, name), newName }, own);
    for (const name of ['tree', 'file', 'link']) {
      for (const taken of ['empty', 'other', 'link', name]) await expect(rename(name, taken)).rejects.toThrow('already exists');
      for (const unfit of ['../out', 'a/b', '..', ' ', 'a\0']) await expect(rename(name, unfit)).rejects.toThrow('must not');
    }
    await expect(rename('none', 'free')).rejects.toThrow('does not exist');
    await expect(renameFile({ targetPath: sep, newName: 'free' }, own)).rejects.toThrow('root');
    await expect(renameFile({ targetPath: 'relative', newName: 'free' }, own)).rejects.toThrow('absolute');
    await expect(renameFile({ targetPath: agentData, newName: 'free' }, own)).rejects.toThrow("agent's own");
    expect((await readdir(root)).sort()).toEqual(['empty', 'file', 'link', 'other', 'tree']);
    expect(await readFile(join(root, 'other'), 'utf8')).toBe('other');
  });

  it('rename one of many that want the same name', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `from-${index}`);
    for (const kind of ['file', 'directory']) {
      for (const name of names) await (kind === 'file' ? writeFile(join(root, name), name) : mkdir(join(root, name)));
      const done = await Promise.allSettled(names.map((name) => renameFile({ targetPath: join(root, name), newName: kind }, own)));
      expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const left = (await readdir(root)).filter((name) => name.startsWith('from-'));
      expect(left).toHaveLength(names.length - 1);
      for (const name of left) await rm(join(root, name), { recursive: true });
    }
  });

  it('describe a path', async () => {
    const described = await describePath({ targetPath: root });
    expect(described).toMatchObject({ success: true, pathExists: true, pathSeparator: sep, errorMessage: null });
    await writeFile(join(root, 'file'), '');
    expect(await describePath({ targetPath: join(root, 'file') })).toMatchObject({ success: true, pathExists: false });
    expect(await describePath({ targetPath: 'relative' })).toMatchObject({ success: false, errorMessage: 'The path must be absolute.' });
  });

  it('tell whether a file could be created', async () => {
    await writeFile(join(root, 'taken'), '');
    expect(await validateFilePath({ directoryPath: root, fileName: 'free' }, own)).toEqual({ isValid: true, errorMessage: '' });
    for (const [directoryPath, fileName, reason] of [
      [root, 'taken', 'already exists'],
      [join(root, 'none'), 'free', 'does not exist'],
      [root, '../free', 'separator'],
      ['relative', 'free', 'absolute'],
    ]) {
      const { isValid, errorMessage } = await validateFilePath({ directoryPath, fileName }, own);
      expect([isValid, errorMessage]).toEqual([false, expect.stringContaining(reason)]);
    }
  });
});

describe('reading and sending', () => {
  it('split a file into pieces that join to the same file', async () => {
    const contents = Buffer.from(Array.from({ length: 2 * FILE_CHUNK_BYTES + 5 }, (_, index) => index % 251));
    await writeFile(join(root, 'file'), contents);
    const file = await open(join(root, 'file'));
    const pieces: Buffer[] = [];
    for await (const piece of fileChunks(file, contents.length)) pieces.push(Buffer.from(piece));
    expect(pieces.map((piece) => piece.length)).toEqual([FILE_CHUNK_BYTES, FILE_CHUNK_BYTES, 5]);
    expect(Buffer.concat(pieces).equals(contents)).toBe(true);
    await expect(collect(fileChunks(file, contents.length + 1))).rejects.toThrow('became shorter');
    await file.close();
  });

  it('zip a directory without following links, and remove the archive afterwards', async () => {
    await mkdir(join(root, 'data', 'empty'), { recursive: true });
    await writeFile(join(root, 'data', 'a.txt'), 'contents of a');
    await symlink('/etc', join(root, 'data', 'etc'));
    const temporary = join(root, 'temporary');
    const outgoing = await openDownload({ streamId: ID, filePath: join(root, 'data') }, temporary, own);
    expect(outgoing.response.fileDisplayName).toBe('data.zip');
    const bytes: Buffer[] = [];
    for await (const piece of outgoing.chunks()) bytes.push(Buffer.from(piece));
    expect(Buffer.concat(bytes).length).toBe(outgoing.response.fileSize);
    await writeFile(join(root, 'check.zip'), Buffer.concat(bytes));
    expect(zipContents(join(root, 'check.zip'))).toEqual({ 'data/': '', 'data/a.txt': 'contents of a', 'data/empty/': '' });
    await outgoing.release();
    expect(await readdir(temporary)).toEqual([]);
  });

  it('zip several paths under different names, and refuse the whole when one is missing', async () => {
    await mkdir(join(root, 'one'));
    await mkdir(join(root, 'two'));
    for (const folder of ['one', 'two']) await writeFile(join(root, folder, 'same.txt'), folder);
    const paths = [join(root, 'one', 'same.txt'), join(root, 'two', 'same.txt')];
    await writeArchive(join(root, 'out.zip'), paths, own);
    expect(zipContents(join(root, 'out.zip'))).toEqual({ 'same.txt': 'one', 'same (2).txt': 'two' });
    const request = { streamId: ID, archiveFileName: 'chosen', targetPaths: [...paths, join(root, 'none')] };
    await expect(openArchiveDownload(request, join(root, 'temporary'), own)).rejects.toThrow('ENOENT');
    expect(await readdir(join(root, 'temporary'))).toEqual([]);
    await expect(openArchiveDownload({ ...request, archiveFileName: '../x' }, root, own)).rejects.toThrow('separator');
    await expect(openArchiveDownload({ ...request, targetPaths: [] }, root, own)).rejects.toThrow('Nothing');
  });

  it('zip names that other systems read as paths, and omit what is not a file', async () => {
    await mkdir(join(root, 'data'));
    for (const name of ['..\\..\\evil', 'c:drive', 'two\nlines', 'é漢😀']) await writeFile(join(root, 'data', name), name);
    await writeFile(join(root, 'c:top'), 'top');
    await symlink('/nowhere', join(root, 'data', 'broken'));
    execFileSync('mkfifo', [join(root, 'data', 'pipe')]);
    await writeArchive(join(root, 'out.zip'), [join(root, 'data'), join(root, 'c:top')], own);
    expect(zipContents(join(root, 'out.zip'))).toEqual({
      'data/': '',
      'data/.._.._evil': '..\\..\\evil',
      'data/c_drive': 'c:drive',
      'data/two\nlines': 'two\nlines',
      'data/é漢😀': 'é漢😀',
      c_top: 'top',
    });
  });

  it.skipIf(process.platform !== 'linux')('zip files whose names are no UTF-8, as Latin-1', async () => {
    const folder = Buffer.concat([Buffer.from(join(root, 'data', 'gar')), Buffer.of(0xe7), Buffer.from('on')]);
    await mkdir(folder, { recursive: true });
    await writeFile(Buffer.concat([folder, Buffer.from('/caf'), Buffer.of(0xe9)]), 'contents');
    await writeArchive(join(root, 'out.zip'), [join(root, 'data')], own);
    expect(zipContents(join(root, 'out.zip'))).toEqual({ 'data/': '', 'data/garçon/': '', 'data/garçon/café': 'contents' });
  });

  it('zip files of every time', async () => {
    await mkdir(join(root, 'data'));
    for (const [name, seconds] of [
      ['old', -300_000_000],
      ['new', 15_000_000_000],
    ] as const) {
      await writeFile(join(root, 'data', name), name);
      execFileSync('touch', ['-d', `@${seconds}`, join(root, 'data', name)]);
    }
    execFileSync('touch', ['-d', '@-1', join(root, 'data')]);
    await writeArchive(join(root, 'out.zip'), [join(root, 'data')], own);
    expect(zipContents(join(root, 'out.zip'))).toEqual({ 'data/': '', 'data/old': 'old', 'data/new': 'new' });
  });

  it('zip a directory that changes during the work', async () => {
    const data = join(root, 'data');
    await mkdir(join(data, 'folder'), { recursive: true });
    for (const name of ['growing', 'folder/a', 'folder/b']) await writeFile(join(data, name), randomBytes(500_000));
    const zipping = writeArchive(join(root, 'out.zip'), [data], own);
    const growing = await open(join(data, 'growing'), 'a');
    const progress = { isDone: false };
    const settled = zipping.finally(() => (progress.isDone = true));
    await rm(join(data, 'folder'), { recursive: true });
    while (!progress.isDone) await growing.write(Buffer.alloc(1_000_000));
    await growing.close();
    await expect(settled).resolves.toBeUndefined();
    expect(zipContents(join(root, 'out.zip'))).toHaveProperty(['data/growing']);
  });

  it('close every file when an archive cannot be written', async () => {
    for (const name of ['a', 'b']) await writeFile(join(root, name), randomBytes(2_000_000));
    // Takes no byte, as a disk that is full.
    await expect(writeArchive('/dev/full', [join(root, 'a'), join(root, 'b')], own)).rejects.toThrow('ENOSPC');
    await expect(writeArchive(join(root, 'none', 'out.zip'), [join(root, 'a')], own)).rejects.toThrow('ENOENT');
    expect(openFilesBelow(root)).toEqual([]);
    expect(openFilesBelow('/dev/full')).toEqual([]);
  });

  it('leave room on the disk for other programs, but small archives do not count', async () => {
    await writeFile(join(root, 'small'), randomBytes(1_000_000));
    await writeFile(join(root, 'large'), randomBytes(20_000_000));
    const { bavail, bsize } = await statfs(root);
    // More than is free, also when another program frees much.
    const reserved = bavail * bsize * 2 + 1024 ** 4;
    await writeArchive(join(root, 'out.zip'), [join(root, 'small')], own, reserved);
    const refused = writeArchive(join(root, 'out.zip'), [join(root, 'large')], own, reserved);
    await expect(refused).rejects.toThrow('The archive does not fit on the disk of the device.');
    await writeArchive(join(root, 'out.zip'), [join(root, 'large')], own, 0);
    expect((await stat(join(root, 'out.zip'))).size).toBeGreaterThan(20_000_000);
    expect(openFilesBelow(root)).toEqual([]);
  });

  /** Files whose size is said to be a page. Containers hide some of them. */
  const PAGES = ['/sys/kernel/mm/transparent_hugepage/enabled', '/sys/devices/system/cpu/online', '/sys/kernel/uevent_seqnum'];

  const onLinux = process.platform === 'linux' ? it : it.skip;

  onLinux('send and zip what files of the kernel hold, whose size says nothing', async () => {
    const temporary = join(root, 'temporary');
    // The first has no size, the second has none and is large, the third has a page. None of them changes.
    const large = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`LARGE_${index}`, 'x'.repeat(100_000)]));
    const bystander = spawn('sleep', ['1000'], { env: { ...process.env, ...large } });
    onTestFinished(() => void bystander.kill());
    await once(bystander, 'spawn');
    const paths = ['/proc/version', `/proc/${bystander.pid}/environ`, ...PAGES.filter((path) => existsSync(path)).slice(0, 1)];
    const contents = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
    for (const [index, filePath] of paths.entries()) {
      const outgoing = await openDownload({ streamId: ID, filePath }, temporary, own);
      const bytes: Buffer[] = [];
      for await (const piece of outgoing.chunks()) bytes.push(Buffer.from(piece));
      await outgoing.release();
      expect([filePath, Buffer.concat(bytes).toString() === contents[index]]).toEqual([filePath, true]);
      expect(outgoing.response.fileSize).toBe(Buffer.byteLength(contents[index]));
    }
    // Nothing is left of what was copied to know its size.
    expect(await readdir(temporary)).toEqual([]);
    await writeArchive(join(root, 'out.zip'), paths, own);
    expect(Object.values(zipContents(join(root, 'out.zip')))).toEqual(contents);
  });

  onLinux('leave out of an archive what of the kernel cannot be read, and refuse what never ends', async () => {
    const bystander = spawn('sleep', ['1000']);
    try {
      // Its memory is a file without a size that cannot be read from the start; its page map is one of many gigabytes.
      const folder = `/proc/${bystander.pid}`;
      await expect(openDownload({ streamId: ID, filePath: `${folder}/mem` }, join(root, 'temporary'), own)).rejects.toThrow(RefusedError);
      const endless = openDownload({ streamId: ID, filePath: `${folder}/pagemap` }, join(root, 'temporary'), own);
      await expect(endless).rejects.toThrow('does not tell its size');
      await writeArchive(join(root, 'out.zip'), [`${folder}/mem`, `${folder}/pagemap`, `${folder}/comm`], own);
      expect(zipContents(join(root, 'out.zip'))).toEqual({ comm: 'sleep\n' });
      expect(openFilesBelow(folder)).toEqual([]);
    } finally {
      bystander.kill();
    }
  });

  onLinux('zip the folders of processes that end during the work', async () => {
    const reasons = new Set<string>();
    for (let round = 0; round < 40; round += 1) {
      const bystander = spawn('sleep', ['1000']);
      await once(bystander, 'spawn');
      const ended = once(bystander, 'close');
      // At another moment of the work each time, counted in turns of the event loop.
      let turns = round * 200;
      const step = (): unknown => (turns-- > 0 ? setImmediate(step) : bystander.kill('SIGKILL'));
      step();
      await writeArchive(join(root, 'out.zip'), [`/proc/${bystander.pid}`], own).catch((error: unknown) => {
        // Of the archive itself, which had not begun.
        if (!String(error).endsWith(`'/proc/${bystander.pid}'`)) reasons.add(String(error));
      });
      await ended;
    }
    expect([...reasons]).toEqual([]);
    expect(openFilesBelow('/proc')).toEqual([]);
  });

  it('make and send eight archives at a time', async () => {
    await writeFile(join(root, 'file'), 'text');
    const request = { streamId: ID, archiveFileName: 'chosen', targetPaths: [join(root, 'file')] };
    const openOne = async () => openArchiveDownload(request, join(root, 'temporary'), own);
    const opened = await Promise.all(Array.from({ length: 8 }, openOne));
    await expect(openOne()).rejects.toThrow('makes and sends 8 archives, and takes no more');
    await opened[0].release();
    await expect(openArchiveDownload({ ...request, targetPaths: [join(root, 'none')] }, join(root, 'temporary'), own)).rejects.toThrow(
      'ENOENT',
    );
    await (await openOne()).release();
    for (const each of opened.slice(1)) await each.release();
    expect(await readdir(join(root, 'temporary'))).toEqual([]);
  });

  it('give equal names numbers', () => {
    expect(uniqueNames(['a.txt', 'A.txt', 'a (2).txt', 'b', 'b', '.env', '.env'])).toEqual([
      'a.txt',
      'A (2).txt',
      'a (2) (2).txt',
      'b',
      'b (2)',
      '.env',
      '.env (2)',
    ]);
  });

  it('open only log files, after links are resolved', async () => {
    const logs = join(root, 'logs');
    await mkdir(logs);
    await writeFile(join(logs, 'LogFile1.log'), 'line');
    await writeFile(join(logs, 'other.txt'), 'x');
    await writeFile(join(root, 'LogFile2.log'), 'outside');
    await symlink(join(root, 'LogFile2.log'), join(logs, 'LogFile3.log'));
    const outgoing = await openLogFile(join(logs, 'LogFile1.log'), [logs]);
    expect(outgoing.response.fileSize).toBe(4);
    await outgoing.release();
    for (const path of [join(logs, 'other.txt'), join(root, 'LogFile2.log'), join(logs, 'LogFile3.log'), `${logs}/../LogFile2.log`]) {
      await expect(openLogFile(path, [logs, join(root, 'none')])).rejects.toThrow('not a log file');
    }
    await expect(openLogFile(join(logs, 'LogFile9.log'), [logs])).rejects.toThrow('ENOENT');
  });

  it('refuse a pipe, which would never end', async () => {
    execFileSync('mkfifo', [join(root, 'pipe')]);
    await expect(openDownload({ streamId: ID, filePath: join(root, 'pipe') }, root, own)).rejects.toThrow('neither');
  });
});

describe('receiving', () => {
  const upload = (overwrite: boolean, fileName = 'file') => ({ streamId: ID, targetDirectoryPath: root, fileName, fileSize: 6, overwrite });
  async function* pieces(...texts: string[]): AsyncIterable<Uint8Array> {
    for (const text of texts) yield Buffer.from(text);
  }

  it('writes a new file, and replaces one only when told to', async () => {
    await receiveFile(upload(false), place, () => pieces('abc', 'def'));
    expect(await readFile(join(root, 'file'), 'utf8')).toBe('abcdef');
    await expect(receiveFile(upload(false), place, () => pieces('ghijkl'))).rejects.toThrow('File already exists.');
    expect(await readFile(join(root, 'file'), 'utf8')).toBe('abcdef');
    await receiveFile(upload(true), place, () => pieces('ghijkl'));
    expect(await readFile(join(root, 'file'), 'utf8')).toBe('ghijkl');
  });

  it('keeps the rights of a replaced file, and replaces only files', async () => {
    await writeFile(join(root, 'file'), 'old');
    await chmod(join(root, 'file'), 0o751);
    await receiveFile(upload(true), place, () => pieces('abcdef'));
    expect((await stat(join(root, 'file'))).mode & 0o777).toBe(0o751);
    execFileSync('mkfifo', [join(root, 'pipe')]);
    await expect(receiveFile(upload(true, 'pipe'), place, () => pieces('abcdef'))).rejects.toThrow('not a file');
    expect((await lstat(join(root, 'pipe'))).isFIFO()).toBe(true);
  });

  it('does not replace a file that appeared during the upload', async () => {
    async function* slow(): AsyncIterable<Uint8Array> {
      yield Buffer.from('abc');
      await writeFile(join(root, 'file'), 'first');
      yield Buffer.from('def');
    }
    await expect(receiveFile(upload(false), place, slow)).rejects.toThrow('EEXIST');
    expect(await readFile(join(root, 'file'), 'utf8')).toBe('first');
    expect(await readdir(root)).toEqual(['file']);
  });

  it('leaves nothing when the contents fail, and does not ask for them when the file is refused', async () => {
    async function* failing(): AsyncIterable<Uint8Array> {
      yield Buffer.from('abc');
      throw new Error('gone');
    }
    await expect(receiveFile(upload(false), place, failing)).rejects.toThrow('gone');
    expect(await readdir(root)).toEqual([]);
    await mkdir(join(root, 'file'));
    let asked = 0;
    const count = (): AsyncIterable<Uint8Array> => pieces(String(asked++));
    await expect(receiveFile(upload(true), place, count)).rejects.toThrow('directory of that name');
    await expect(receiveFile(upload(false, '..'), place, count)).rejects.toThrow('relative directory');
    await expect(receiveFile({ ...upload(false), targetDirectoryPath: join(root, 'none') }, place, count)).rejects.toThrow(
      'does not exist',
    );
    expect(asked).toBe(0);
  });

  it('closes its file when the contents cannot be asked for', async () => {
    const unconnected = (): never => {
      throw new Error('The connection to the server is closed.');
    };
    await expect(receiveFile(upload(false), place, unconnected)).rejects.toThrow('is closed');
    expect(openFilesBelow(root)).toEqual([]);
  });

  it('leaves what is left of it to the next start, which removes that and nothing else', async () => {
    const { uploads } = dataDirectory(agentData);
    const killed = new UnfinishedUploads(uploads);
    const other = '.upload-0123456789abcdef.partial';
    await writeFile(join(root, other), 'of another agent');
    let temporary = '';
    // Never settles, as the work of an agent that is killed.
    const written = new Promise<void>((resolve, reject) => {
      void killed.during(root, async (path) => {
        temporary = path;
        await writeFile(path, 'half').then(resolve, reject);
        await new Promise(() => undefined);
      });
    });
    await written;
    await writeFile(join(uploads, 'fedcba9876543210'), '');
    await writeFile(join(uploads, 'notes.txt'), root);
    expect((await readdir(root)).sort()).toEqual([basename(temporary), other].sort());
    await new UnfinishedUploads(uploads).clear(silent);
    expect(await readdir(root)).toEqual([other]);
    expect(await readdir(uploads)).toEqual(['notes.txt']);
    await rm(uploads, { recursive: true });
    await expect(new UnfinishedUploads(uploads).clear(silent)).resolves.toBeUndefined();
  });

  it('replaces a link itself, not what it leads to', async () => {
    await writeFile(join(root, 'real'), 'kept');
    await symlink(join(root, 'real'), join(root, 'file'));
    await receiveFile(upload(true), place, () => pieces('abcdef'));
    expect(await readFile(join(root, 'real'), 'utf8')).toBe('kept');
    expect(await readFile(join(root, 'file'), 'utf8')).toBe('abcdef');
  });
});

const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** The files below the path that this process has open. */
function openFilesBelow(path: string): string[] {
  const targets = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      // The handle that listed the folder itself is closed by now.
      return '';
    }
  });
  return targets.filter((target) => target.startsWith(path));
}

/** Names and texts in a zip, found through the directory at its end like any zip program does. */
function zipContents(path: string): Record<string, string> {
  const zip = readFileSync(path);
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const contents: Record<string, string> = {};
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [method, size, nameLength] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20), zip.readUInt16LE(at + 28)];
    const local = zip.readUInt32LE(at + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const data = zip.subarray(start, start + size);
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    contents[name] = (method === 0 ? data : inflateRawSync(data)).toString();
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return contents;
}

function missing(): never {
  throw new Error('There is nothing to list.');
}
