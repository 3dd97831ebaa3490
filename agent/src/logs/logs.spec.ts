import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataDirectory } from '../data-directory.js';
import { LogFile } from './log-file.js';
import { listLogFiles, readableLogFolders } from './log-groups.js';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'logs-'));
});

afterEach(async () => rm(root, { recursive: true }));

describe('LogFile', () => {
  it('writes lines in order, with time and level, for the owner only', async () => {
    const log = new LogFile(join(root, 'logs'), { now: () => new Date('2026-03-04T05:06:07Z') });
    log.info('first');
    log.warn('second');
    log.error('third', new Error('cause'));
    await log.flush();
    const path = join(root, 'logs', 'LogFile20260304.log');
    const lines = (await readFile(path, 'utf8')).split('\n');
    expect(lines.slice(0, 2)).toEqual(['2026-03-04T05:06:07.000Z [INF] first', '2026-03-04T05:06:07.000Z [WRN] second']);
    expect(lines[2]).toContain('[ERR] third Error: cause');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('indents what follows a line end in a message, so that it is not taken for a line of its own', async () => {
    const log = new LogFile(root, { now: () => new Date('2026-03-04T05:06:07Z') });
    log.warn('The server says: no\n2026-03-04T05:06:07.000Z [INF] forged\rand more');
    log.info('next');
    await log.flush();
    const [name] = await readdir(root);
    expect((await readFile(join(root, name), 'utf8')).split(/[\r\n]/)).toEqual([
      '2026-03-04T05:06:07.000Z [WRN] The server says: no',
      '    2026-03-04T05:06:07.000Z [INF] forged',
      '    and more',
      '2026-03-04T05:06:07.000Z [INF] next',
      '',
    ]);
  });

  it('starts a new file each day and at its size, and keeps the newest', async () => {
    let day = 1;
    const log = new LogFile(root, { maxFileBytes: 100, maxFiles: 3, now: () => new Date(`2026-03-0${day}T00:00:00Z`) });
    for (; day <= 3; day++) {
      for (let line = 0; line < 4; line++) {
        log.info('x'.repeat(60));
        await log.flush();
      }
    }
    expect((await readdir(root)).sort()).toEqual(['LogFile20260302_001.log', 'LogFile20260303.log', 'LogFile20260303_001.log']);
  });

  it('keeps the newest lines of a day with many files', async () => {
    await writeFile(join(root, 'LogFile20260304_996.log'), 'x'.repeat(100));
    const log = new LogFile(root, { maxFileBytes: 100, maxFiles: 3, now: () => new Date('2026-03-04T00:00:00Z') });
    for (let line = 0; line < 24; line++) {
      log.info(`${'x'.repeat(60)} ${line}`);
      await log.flush();
    }
    const texts = await Promise.all((await readdir(root)).map(async (name) => readFile(join(root, name), 'utf8')));
    expect(texts.join('').match(/\d+$/gm)?.sort()).toEqual(['18', '19', '20', '21', '22', '23']);
  });

  it('continues the file of an earlier run', async () => {
    for (const text of ['before', 'after']) {
      const log = new LogFile(root, { now: () => new Date('2026-03-04T00:00:00Z') });
      log.info(text);
      await log.flush();
    }
    const [only, ...others] = await readdir(root);
    expect(others).toEqual([]);
    expect(await readFile(join(root, only), 'utf8')).toMatch(/before\n.*after\n$/);
  });

  it('reports a disk that refuses writes, and recovers', async () => {
    const faults: unknown[] = [];
    await writeFile(join(root, 'blocked'), 'a file where the folder should be');
    const log = new LogFile(join(root, 'blocked'), { onFault: (error) => faults.push(error) });
    log.info('lost');
    await log.flush();
    expect(faults).toHaveLength(1);
    await rm(join(root, 'blocked'));
    log.info('written');
    await log.flush();
    expect(await readdir(join(root, 'blocked'))).toHaveLength(1);
  });
});

describe('log groups', () => {
  it('always exist, with only log files, newest first', async () => {
    const directory = dataDirectory(root);
    await mkdir(directory.logs);
    for (const [name, day] of [
      ['LogFile1.log', 2],
      ['LogFile2.log', 1],
      ['notes.txt', 3],
    ] as const) {
      await writeFile(join(directory.logs, name), name);
      await utimes(join(directory.logs, name), day * 86_400, day * 86_400);
    }
    // As a file is that was removed while the others were looked at.
    await symlink(join(root, 'gone'), join(directory.logs, 'LogFile0.log'));
    const { logFileGroups } = await listLogFiles(directory);
    expect(logFileGroups.map(({ groupName, logFiles }) => [groupName, logFiles.map(({ fileName }) => fileName)])).toEqual([
      ['Agent Logs', ['LogFile1.log', 'LogFile2.log']],
      ['Installer Logs', []],
    ]);
    expect(logFileGroups[0].logFiles[0]).toMatchObject({ fullPath: join(directory.logs, 'LogFile1.log'), size: 12 });
    expect(readableLogFolders(directory)).toEqual([directory.logs, directory.installerLogs]);
  });
});
