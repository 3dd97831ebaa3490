import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { bundlePlatform } from '#libs/contracts';

import { builtProject } from '../support/processes/service-process.js';

const run = promisify(execFile);
const SOURCES = fileURLToPath(new URL('../../', import.meta.url));
const PLATFORM = bundlePlatform(process.platform, process.arch);

/** The libraries that the agent uses. */
const LIBRARIES = ['libs/contracts', 'libs/desktop-stream', 'libs/signalr/src/wire'];

/** A project that was built, with its sources. */
let project: string;

beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'built-'));
  const built = await builtProject();
  const copied = (path: string) => cp(join(SOURCES, path), join(project, path), { recursive: true });
  for (const path of ['agent', ...LIBRARIES, 'LICENSE', 'package.json', 'package-lock.json']) await copied(path);
  for (const path of ['dist/agent', ...LIBRARIES.map((library) => `dist/${library}`)])
    await cp(join(built, path), join(project, path), { recursive: true });
  await symlink(join(SOURCES, 'node_modules'), join(project, 'node_modules'));
  await writeFile(join(project, 'node'), 'stands for Node.js');
});

afterEach(() => rm(project, { recursive: true }));

const at = (path: string): string => join(project, path);
const text = (path: string): Promise<string> => readFile(at(path), 'utf8');

/** Runs `npm run agent:bundle` with a small file for Node.js, and returns its warnings. */
async function bundle(): Promise<string> {
  const options = ['--only', PLATFORM, '--node', at('node'), '--output', at('bundles')];
  return (await run(process.execPath, [at('dist/agent/bundle/main.js'), ...options])).stderr;
}

/** Sets the time of a source's change, relative to that of the file compiled from it. */
async function changed(source: string, secondsAfter: number): Promise<void> {
  const compiled = Date.now() / 1000 + secondsAfter;
  await utimes(at(source), compiled, compiled);
}

it('building the bundles of agents warns when a source is newer than dist', async () => {
  expect(await bundle()).toBe('');

  await changed('agent/src/agent.ts', 60);
  await changed('agent/src/agent.spec.ts', 60);
  const sentence = 'Warning: agent/src/agent.ts is newer than dist, so the bundles do not have it. Run npm run build first.\n';
  expect(await bundle()).toBe(sentence);

  await changed('agent/src/agent.ts', -3600 * 24);
  expect(await bundle()).toBe('');
  await writeFile(at('libs/contracts/src/added.ts'), 'export const added = true;\n');
  expect(await bundle()).toContain('Warning: libs/contracts/src/added.ts is newer than dist');
});

it('a bundle has the version of what is in it, whatever the sources say by now', async () => {
  const version = await text('dist/agent/src/version.js');
  await writeFile(at('dist/agent/src/version.js'), version.replace(/'[\d.]+'/, "'7.6.5.4'"));
  const manifest = JSON.parse(await text('package.json')) as object;
  await writeFile(at('package.json'), JSON.stringify({ ...manifest, version: '8.8.8' }));
  await bundle();

  expect([await text(`bundles/${PLATFORM}/device-agent.version`), await text('bundles/Version.txt')]).toEqual(['7.6.5.4\n', '7.6.5.4\n']);
  const { stdout } = await run('tar', ['-xzOf', at(`bundles/${PLATFORM}/device-agent.tar.gz`), 'package.json']);
  expect(JSON.parse(stdout)).toMatchObject({ name: 'device-agent', version: '7.6.5' });
});
