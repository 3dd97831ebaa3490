// Writes the generated sources of the front end: the types of the API, the permission of each operation, and the tree of routes.
import { Generator, getConfig } from '@tanstack/router-generator';
import openapiTS, { astToString } from 'openapi-typescript';

import './generate-permissions.mjs';
import { descriptions, METHODS, write } from './generated.mjs';

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

for (const [name, document] of await descriptions()) {
  await write(`${name}.ts`, astToString(await openapiTS(withoutTenant(document), { defaultNonNullable: false })));
}

const directory = new URL('../', import.meta.url).pathname;
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
