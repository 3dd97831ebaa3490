import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { dataDirectory, type DataDirectory } from '../data-directory.js';

const MAIN = ['--import', './test/support/processes/run-typescript.mjs', 'agent/src/main.ts'];
const SETTINGS = { serverUri: 'http://127.0.0.1:1', tenantId: randomUUID(), deviceId: randomUUID() };

describe('an agent that cannot start', () => {
  let folder: string;
  let directory: DataDirectory;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agent-'));
    directory = dataDirectory(folder);
  });

  afterEach(() => rm(folder, { recursive: true }));

  /** Returns the exit code, and the lines that the agent prints. */
  async function run(): Promise<{ code: number | null; lines: string[] }> {
    const agent = spawn(process.execPath, [...MAIN, 'run', '--data-dir', folder], { stdio: ['ignore', 'ignore', 'pipe'] });
    const [printed, [code]] = await Promise.all([text(agent.stderr), once(agent, 'exit') as Promise<[number | null]>]);
    return { code, lines: printed.trim().split('\n') };
  }

  it.each<[string, (settingsFile: string) => Promise<unknown>]>([
    ['no settings', async () => undefined],
    ['settings that are no JSON', (file) => writeFile(file, '{')],
    ['a folder in their place', (file) => mkdir(file)],
    ['a key that is no base64', (file) => writeFile(file, JSON.stringify({ ...SETTINGS, privateKey: `${'a'.repeat(43)} =` }))],
  ])('ends with 2, after which service managers do not start it again, where there are wrong settings: %s', async (_, prepare) => {
    await prepare(directory.settingsFile);
    const { code, lines } = await run();
    expect(lines).toEqual([expect.stringContaining(folder)]);
    expect(code).toBe(2);
  });

  // The memory of a process cannot be read from its beginning: EIO, as on a disk that fails.
  it.skipIf(process.platform !== 'linux')('ends with 1, and is started again, where its settings cannot be read this time', async () => {
    await symlink('/proc/self/mem', directory.settingsFile);
    const { code, lines } = await run();
    expect(lines).toEqual([`The settings in ${directory.settingsFile} cannot be read: EIO: i/o error, read`]);
    expect(code).toBe(1);
  });
});
