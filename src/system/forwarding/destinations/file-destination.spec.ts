import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { FileDestination } from './file-destination.js';

const LINE = { log: 'ChangeLog', number: '1', writtenAt: new Date(), text: '{}' } as const;

describe.skipIf(process.platform === 'win32')('FileDestination', () => {
  let folder: string;
  let file: string;
  let umask: number;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'file-destination-'));
    file = join(folder, 'lines.jsonl');
    // That of the unit.
    umask = process.umask(0o077);
  });
  afterEach(async () => {
    process.umask(umask);
    await rm(folder, { recursive: true });
  });

  const modeOf = async (): Promise<number> => (await stat(file)).mode & 0o777;

  it('creates a file that programs of the group can read, even under a strict umask', async () => {
    await new FileDestination(file).send([LINE]);
    expect(await modeOf()).toBe(0o640);
  });

  it('leaves the mode of a file as it is', async () => {
    await new FileDestination(file).send([LINE]);
    await chmod(file, 0o600);
    await new FileDestination(file).send([LINE]);
    expect(await modeOf()).toBe(0o600);
  });
});
