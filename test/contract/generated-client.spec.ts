import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterEach, beforeEach, expect, it } from 'vitest';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const TSCONFIG = { compilerOptions: { strict: true, noEmit: true, module: 'nodenext', target: 'es2023', types: ['node'] } };

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'generated-client-'));
  await symlink(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
});

afterEach(() => rm(folder, { recursive: true }));

/** Runs a program of the project's dependencies. If it fails, its output is the error. */
async function run(program: string, ...args: string[]): Promise<void> {
  const command = join(PROJECT, 'node_modules', program);
  await promisify(execFile)(process.execPath, [command, ...args], { cwd: folder }).catch(
    (error: Error & { readonly stdout: string; readonly stderr: string }) => {
      throw new Error(`${error.message}\n${error.stdout}${error.stderr}`);
    },
  );
}

it('compiles the typed client of docs/api.md against the types that the description generates', async () => {
  const [, example = ''] = /```ts\n([^]*?)```/.exec(await readFile(join(PROJECT, 'docs/api.md'), 'utf8')) ?? [];
  expect(example).toContain('createClient<paths>');
  await writeFile(join(folder, 'example.ts'), example);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));

  const description = join(PROJECT, 'openapi/v1.json');
  const types = join(folder, 'device-management.d.ts');
  await run('openapi-typescript/bin/cli.js', description, '--default-non-nullable=false', '--output', types);
  await run('typescript/bin/tsc', '--project', folder);
});
