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

it.each(ON_FIRST_USE)('a start does not load %s', async (name) => {
  const files = (await sourcesOf('src')).filter((path) => !path.endsWith('.spec.ts') && !OF_PROVIDERS.test(path));
  const statement = new RegExp(`^import (?!type )[^;]*'${name}(/[^']*)?';`, 'mu');
  const loading = await Promise.all(files.map(async (path) => (statement.test(await readFile(path, 'utf8')) ? [path] : [])));
  expect(loading.flat()).toEqual([]);
});
