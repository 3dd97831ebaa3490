// Writes the generated sources of the front end: the types of the API, the permission of each operation, and the tree of routes.
import { mkdir, readFile, writeFile } from 'node:fs/promises';

import { Generator, getConfig } from '@tanstack/router-generator';
import openapiTS, { astToString } from 'openapi-typescript';

const root = new URL('../', import.meta.url);
const generated = new URL('src/api/generated/', root);

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

async function description(name) {
  return JSON.parse(await readFile(new URL(`../openapi/${name}.json`, root), 'utf8'));
}

/** The client adds the tenant to every request itself, so pages do not name it. */
function withoutTenant(document) {
  for (const operations of Object.values(document.paths)) {
    for (const method of METHODS) {
      const operation = operations[method];
      if (operation?.parameters === undefined) continue;
      operation.parameters = operation.parameters.filter(({ name, in: place }) => !(name === 'tenantId' && place === 'query'));
    }
  }
  return document;
}

function permissionsOf(document) {
  const rows = [];
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const permission = operations[method]?.['x-permission']?.name;
      if (permission !== undefined) rows.push([`${method.toUpperCase()} ${path}`, permission]);
    }
  }
  return rows;
}

/** Leaves a file alone whose content would stay the same, so that builds and watchers see no change. */
async function write(url, text) {
  if ((await readFile(url, 'utf8').catch(() => undefined)) !== text) await writeFile(url, text);
}

await mkdir(generated, { recursive: true });
const permissions = [];
for (const name of ['v1', 'account', 'inventory', 'events']) {
  const document = await description(name);
  permissions.push(...permissionsOf(document));
  const types = astToString(await openapiTS(withoutTenant(document), { defaultNonNullable: false }));
  await write(new URL(`${name}.ts`, generated), types);
}
const names = [...new Set(permissions.map(([, permission]) => permission))].sort();
const table = permissions.map(([operation, permission]) => `  '${operation}': '${permission}',\n`).join('');
await write(
  new URL('permissions.ts', generated),
  `/** The permission that each operation asks for. */\nexport const permissionOf: Readonly<Record<string, OperationPermission | undefined>> = {\n${table}};\n\n` +
    `export type OperationPermission =\n${names.map((name) => `  | '${name}'`).join('\n')};\n`,
);

const directory = new URL('.', root).pathname;
const config = getConfig(
  {
    target: 'react',
    autoCodeSplitting: true,
    routesDirectory: './src/routes',
    generatedRouteTree: './src/routes.gen.ts',
    quoteStyle: 'single',
    semicolons: true,
  },
  directory,
);
await new Generator({ config, root: directory }).run();
