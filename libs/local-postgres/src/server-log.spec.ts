import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServerLog } from './server-log.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'server-log-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

describe('ServerLog', () => {
  it('rotates a file that has reached the limit, and drops the older one', async () => {
    const log = new ServerLog(join(folder, 'postgres.log'), 100);
    await writeFile(`${log.path}.1`, 'older');
    await writeFile(log.path, 'x'.repeat(100));
    await log.keepWithinLimit();
    expect((await stat(log.path)).size).toBe(0);
    expect(await readFile(`${log.path}.1`, 'utf8')).toBe('x'.repeat(100));
  });

  it('leaves a smaller file as it is', async () => {
    const log = new ServerLog(join(folder, 'postgres.log'), 100);
    await writeFile(log.path, 'x'.repeat(99));
    await log.keepWithinLimit();
    expect((await stat(log.path)).size).toBe(99);
  });

  it('returns the last lines after a position', async () => {
    const log = new ServerLog(join(folder, 'postgres.log'));
    const earlier = 'of an earlier run\n';
    await writeFile(log.path, earlier + Array.from({ length: 30 }, (_, line) => `line ${line}`).join('\n'));
    const lines = (await log.lastLines(earlier.length)).split('\n');
    expect(lines).toHaveLength(20);
    expect(lines.at(-1)).toBe('line 29');
    await writeFile(log.path, `${earlier}now`);
    expect(await log.lastLines(earlier.length)).toBe('now');
  });

  it('returns nothing when there is no file', async () => {
    expect(await new ServerLog(join(folder, 'absent.log')).lastLines()).toBe('');
  });
});
