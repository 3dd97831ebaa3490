import { afterEach, beforeEach, expect, it } from 'vitest';
import { chmod, cp, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Program } from '../../demo/program.js';
import { plainEnvironment, stopOrphanedPostgres, untilListening } from '../../demo/service.js';
import { eventually } from '../support/eventually.js';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const SOURCES = ['src', 'libs', 'agent', 'package.json', 'nest-cli.json', 'tsconfig.json', 'tsconfig.build.json'];

let clone: string;
let started: Program | undefined;

// A copy, because the command rebuilds `dist`, from which other tests run programs.
beforeEach(async () => {
  clone = await realpath(await mkdtemp(join(tmpdir(), 'clone-')));
  await chmod(clone, 0o755);
  for (const name of SOURCES) await cp(join(PROJECT, name), join(clone, name), { recursive: true });
  await symlink(await realpath(join(PROJECT, 'node_modules')), join(clone, 'node_modules'));
});

afterEach(async () => {
  await started?.stop();
  await stopOrphanedPostgres(join(clone, 'data'));
  await rm(clone, { recursive: true, force: true });
});

it('`npm start` builds and runs the service from a fresh clone, and Ctrl-C ends it', async () => {
  const env = { ...plainEnvironment(), Service_Port: '0' };
  started = Program.start('npm start', ['npm', 'start'], { cwd: clone, env, inOwnGroup: true });

  const { url } = await untilListening(started, 170_000);
  await started.untilPrints(/No credential exists yet/);

  expect(started.output).toContain(`Data: ${join(clone, 'data')}\n`);
  expect((await fetch(`${url}/health`)).status).toBe(200);
  started.signal('SIGINT');
  await started.untilEnd();
  await eventually('the service is gone', () =>
    fetch(`${url}/alive`).then(
      () => false,
      () => true,
    ),
  );
});
