import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chmod, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Program } from '../../demo/program.js';
import { plainEnvironment } from '../../demo/service.js';
import { builtProject } from '../support/processes/service-process.js';

describe('the demonstration', () => {
  let folder: string;
  let demo: Program;

  beforeEach(async () => {
    const project = await builtProject();
    folder = await realpath(await mkdtemp(join(tmpdir(), 'stage-')));
    await chmod(folder, 0o755);
    const env = { ...plainEnvironment(), TMPDIR: folder };
    demo = Program.start('The demonstration', [process.execPath, join(project, 'dist/demo/main.js')], { cwd: folder, env });
  });

  afterEach(async () => {
    await demo.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('shows every step with its time, and leaves nothing behind', async () => {
    const end = await demo.untilEnd(170_000);

    expect({ ...end, output: demo.output }).toMatchObject({ code: 0, output: expect.stringMatching(/\d\.\d\d s {2}all of it/) });
    expect(demo.output).toMatch(/both have SHA-256 [0-9a-f]{16}/);
    expect(await readdir(folder)).toEqual([]);
  });

  it('cleans up and fails when it is interrupted', async () => {
    const [, device = ''] = await demo.untilPrints(/registered device (\S+)/);

    demo.signal('SIGINT');

    expect(await demo.untilEnd()).toEqual({ code: 1, signal: null });
    expect(device).not.toBe('');
    expect(demo.output).toContain('The demonstration failed: interrupted');
    expect(await readdir(folder)).toEqual([]);
  });
});
