import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { loadSettings } from '../../platform/config/load-settings.js';
import { BundleBuilder } from './bundle-builder.js';

describe('the builder of agent bundles', () => {
  let dataPath: string;

  beforeAll(async () => {
    dataPath = await mkdtemp(join(tmpdir(), 'bundle-builder-'));
  });

  afterAll(() => rm(dataPath, { recursive: true, force: true }));

  it('begins no program when it is stopped while it makes room for one', async () => {
    const { settings } = loadSettings({ env: {}, cwd: dataPath });
    const builder = new BundleBuilder({ ...settings, dataPath });
    const build = builder.build('linux-x64');
    builder.stop();
    await expect(build).rejects.toThrow('The build was stopped.');
    expect(await readdir(dataPath)).toEqual([]);
  });
});
