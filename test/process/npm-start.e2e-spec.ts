import { afterEach, beforeEach, expect, it } from 'vitest';
import { chmod, cp, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Program } from '../../demo/program.js';
import { plainEnvironment, stopOrphanedPostgres, untilListening } from '../../demo/service.js';
import { eventually } from '../support/eventually.js';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const SOURCES = [
  'src',
  'libs',
  'agent',
  'openapi',
  'web',
  'package.json',
  'package-lock.json',
  'nest-cli.json',
  'ormconfig.ts',
  'tsconfig.json',
  'tsconfig.build.json',
];
/** Paths that a clone does not have: they were built and derived here. */
const BUILT = ['web/dist', 'web/dist-types', 'web/src/api/generated', 'web/src/routes.gen.ts'].map((name) => join(PROJECT, name));

/** Time-out of both builds and the first start on a busy machine, in milliseconds. */
const BUILDS_MS = 600_000;

let clone: string;
let started: Program | undefined;

// A copy, because the command rebuilds `dist`, from which other tests run programs.
beforeEach(async () => {
  clone = await realpath(await mkdtemp(join(tmpdir(), 'clone-')));
  await chmod(clone, 0o755);
  const filter = (path: string): boolean => !BUILT.includes(path);
  for (const name of SOURCES) await cp(join(PROJECT, name), join(clone, name), { recursive: true, filter });
  await symlink(await realpath(join(PROJECT, 'node_modules')), join(clone, 'node_modules'));
});

afterEach(async () => {
  await started?.stop();
  await stopOrphanedPostgres(join(clone, 'data'));
  await rm(clone, { recursive: true, force: true });
});

it(
  '`npm start` builds and runs service and front end from a fresh clone, and Ctrl-C ends it',
  async () => {
    const env = { ...plainEnvironment(), Service_Port: '0', Service_AgentBundle__BuildAtStart: 'false' };
    started = Program.start('npm start', ['npm', 'start'], { cwd: clone, env, inOwnGroup: true });

    const { url } = await untilListening(started, BUILDS_MS);
    await started.untilPrints(/No credential exists yet/);

    expect(started.output).toContain(`Data: ${join(clone, 'data')}\n`);
    expect(started.output).toMatch(/Building the front end\.[^]*The front end was built in \d+ s\.[^]*Listening on /);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    const page = await fetch(url, { headers: { accept: 'text/html' } });
    const [, script = ''] = /<script type="module"[^>]* src="([^"]+)"/.exec(await page.text()) ?? [];
    expect([page.status, (await fetch(`${url}${script}`)).status]).toEqual([200, 200]);
    started.signal('SIGINT');
    await started.untilEnd();
    await eventually('the service is gone', () =>
      fetch(`${url}/alive`).then(
        () => false,
        () => true,
      ),
    );
  },
  2 * BUILDS_MS,
);
