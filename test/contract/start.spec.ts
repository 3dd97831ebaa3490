import { readFile } from 'node:fs/promises';

import { expect, it } from 'vitest';

import { sourcesOf } from './import-graph.js';

/** Packages that only some requests need. Each is imported where it is used, so that a start and an idle process do without it. */
const ON_FIRST_USE = [
  '@nestjs/swagger',
  '@simplewebauthn/server',
  '@zxcvbn-ts/language-common',
  'nodemailer',
  'openid-client',
  'piscina',
  'swagger-ui-dist',
  'yazl',
];

/** The files that the start loads only if a provider of sign-ins is configured. */
const OF_PROVIDERS = /^src\/people\/external-sign-in\/(git-hub-provider|open-id-connect-provider|provider-calls)\.ts$/;

/** Returns the files with an import that the pattern matches and that a start follows. */
async function loading(imported: RegExp): Promise<readonly string[]> {
  const files = (await sourcesOf('src')).filter((path) => !path.endsWith('.spec.ts') && !OF_PROVIDERS.test(path));
  const found = await Promise.all(files.map(async (path) => (imported.test(await readFile(path, 'utf8')) ? [path] : [])));
  return found.flat();
}

it.each(ON_FIRST_USE)('a start does not load %s', async (name) => {
  expect(await loading(new RegExp(`^import (?!type )[^;]*'${name}(/[^']*)?';`, 'mu'))).toEqual([]);
});

// Its index loads the telephone numbers of all countries.
it('a start loads those modules of class-validator that it uses, not its index', async () => {
  expect(await loading(/^import (?!type )[^;]*'class-validator';/mu)).toEqual([]);
  expect(await loading(/^import (?!type )[^;]*'class-validator\/cjs\/[^']*';/mu)).not.toEqual([]);
});

/** The command that makes a key for NATS, and what only several nodes load. */
const OF_NODES = /^src\/(nodes-key\.ts|live\/nodes\/)/;
const LOADS_NODES = /^import (?!type )[^;]*'(@nats-io\/|[./]+(?:[\w-]+\/)*nodes\/)/mu;

it('a start without other nodes loads nothing of the way to them, and no client of NATS', async () => {
  const files = (await sourcesOf('src')).filter((path) => !path.endsWith('.spec.ts') && !OF_NODES.test(path));
  const found = await Promise.all(files.map(async (path) => (LOADS_NODES.test(await readFile(path, 'utf8')) ? [path] : [])));
  expect(found.flat()).toEqual([]);
  expect(LOADS_NODES.test("import { NodesModule } from './nodes/nodes.module.js';")).toBe(true);
});
