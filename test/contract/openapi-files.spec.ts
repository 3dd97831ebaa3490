import { readFile } from 'node:fs/promises';

import { beforeAll, describe, expect, it } from 'vitest';
import type { OpenAPIObject } from '@nestjs/swagger';

import { describeOffline, previewApplication } from '../../src/describe-offline.js';
import { describeSurface } from '../../src/system/openapi/describe.js';
import { SURFACE_NAMES, type SurfaceName } from '../../src/system/openapi/surfaces.js';

const FOLDER = new URL('../../openapi/', import.meta.url);
const METHODS = ['get', 'put', 'post', 'patch', 'delete'] as const;

let documents: Record<SurfaceName, OpenAPIObject>;
/** The operations whose failures have other forms; `internal-surface.spec.ts` compares them with the contract. */
let otherForms: ReadonlySet<string>;

beforeAll(async () => {
  documents = await describeOffline();
  const { routes } = await previewApplication();
  const others = routes.filter(({ failures }) => failures !== null);
  otherForms = new Set(others.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`));
  expect(others.filter(({ path }) => path.startsWith('/api/v1/'))).toEqual([]);
});

function operations(name: SurfaceName) {
  return Object.entries(documents[name].paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ path, method, operation }];
    }),
  );
}

describe.each(SURFACE_NAMES)('the committed description %s', (name) => {
  it('matches the code; `npm run openapi:write` updates it', async () => {
    const committed: unknown = JSON.parse(await readFile(new URL(`${name}.json`, FOLDER), 'utf8'));
    expect(documents[name]).toEqual(committed);
  });

  it('gives every operation a unique id', () => {
    const ids = operations(name).map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('refers to exactly the schemas that it contains', () => {
    const text = JSON.stringify(documents[name]);
    const used = new Set([...text.matchAll(/"#\/components\/schemas\/([^"]*)"/g)].map(([, schema]) => schema));
    const present = Object.keys(documents[name].components?.schemas ?? {});
    // The schema of errors is included even when a surface has no routes.
    expect([...new Set([...used, 'ProblemDetails'])].sort()).toEqual(present.sort());
  });

  it('writes null as a type, as version 3.1 does', () => {
    expect(documents[name].openapi).toBe('3.1.0');
    expect(JSON.stringify(documents[name])).not.toContain('"nullable"');
  });

  it('describes every error as Problem Details unless its form is declared, and a 500 for every operation', () => {
    for (const { operation, path, method } of operations(name)) {
      expect(Object.keys(operation.responses)).toContain('500');
      if (otherForms.has(`${method.toUpperCase()} ${path}`)) continue;
      for (const [status, response] of Object.entries(operation.responses)) {
        if (Number(status) < 400) continue;
        expect(response).toHaveProperty(['content', 'application/problem+json', 'schema', '$ref'], '#/components/schemas/ProblemDetails');
      }
    }
  });

  it('advertises the cookie, the personal token and the API key', () => {
    const schemes = documents[name].components?.securitySchemes ?? {};
    expect(Object.keys(schemes).sort()).toEqual(['cookie', 'x-api-key', 'x-personal-token']);
  });
});

it('names the configured address as the first server', async () => {
  const { app, routes } = await previewApplication();
  const { servers } = await describeSurface(app, routes, 'v1', 'https://devices.example.com');
  expect(servers?.map(({ url }) => url)).toEqual(['https://devices.example.com', '/']);
  expect(documents.v1.servers?.map(({ url }) => url)).toEqual(['/']);
});

describe('the two surfaces', () => {
  it('share no path', () => {
    expect(Object.keys(documents.v1.paths).filter((path) => !path.startsWith('/api/v1/'))).toEqual([]);
    expect(Object.keys(documents.internal.paths).filter((path) => path.startsWith('/api/v1/') || !path.startsWith('/api/'))).toEqual([]);
  });

  it('use the API key in operations of v1 only', () => {
    const namesKey = (name: SurfaceName) =>
      operations(name).filter(({ operation }) => (operation.security ?? []).some((requirement) => 'x-api-key' in requirement));
    expect(namesKey('internal')).toEqual([]);
    expect(namesKey('v1').length).toBe(operations('v1').filter(({ operation }) => (operation.security ?? []).length > 0).length);
  });
});
