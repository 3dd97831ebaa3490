import { readFile } from 'node:fs/promises';

import { beforeAll, describe, expect, it } from '@jest/globals';

import type { DeclaredRoute } from '../../src/authorization/access-declarations.js';
import type { AccessTarget, TenantSource } from '../../src/authorization/access.js';
import { previewApplication } from '../../src/openapi/describe-offline.js';

/** A row of the specification's route tables, as the fixture spells it. */
interface TableRow {
  readonly method: string;
  readonly path: string;
  readonly access: 'anonymous' | 'authenticated' | 'permission';
  readonly permission?: string;
  readonly on?: string;
  readonly orServer?: string;
  readonly tenant: string | null;
  readonly cacheSeconds: number | null;
}

interface TableGroup {
  readonly group: string;
  readonly routes: readonly TableRow[];
}

/** What is not there yet: whole groups, or single routes as `METHOD path`. Shrinks with every room that opens. */
const PENDING: readonly string[] = [
  'GET /api/agent/updates/get-bundle-metadata/:runtime',
  'GET /api/agent-update/get-bundle-metadata/:runtime',
];

/** The methods and paths of `/api/v1` and of agents; the internal surface has a table of its own. */
const COVERED = /^\/api\/(v1|agent|agent-update)(\/|$)/;

const keyOf = ({ method, path }: { readonly method: string; readonly path: string }): string => `${method} ${path}`;

let table: readonly TableGroup[];
let declared: ReadonlyMap<string, DeclaredRoute>;

beforeAll(async () => {
  table = JSON.parse(await readFile(new URL('fixtures/routes.json', import.meta.url), 'utf8'));
  const { routes } = await previewApplication();
  declared = new Map(routes.map((route) => [keyOf(route), route]));
});

function targetText(target: AccessTarget): string {
  switch (target.kind) {
    case 'Server':
      return 'server';
    case 'Tenant':
      return 'tenant';
    case 'DeviceScope':
      return 'device scope';
    case 'Device':
      return `device: ${target.carrier} ${target.field}`;
    case 'DeviceGroup':
      return `device group: ${target.carrier} ${target.field}`;
    case 'UserGroup':
      return `user group: ${target.carrier} ${target.field}`;
    default:
      throw new Error('The table does not know this kind of target.');
  }
}

function tenantText(source: TenantSource | null): string | null {
  if (source === null) return null;
  expect(source.field).toBe('tenantId');
  return source.isObject ? `${source.carrier}, as the object` : source.carrier;
}

/** What a route declares, spelled as the table does. */
function rowOf({ method, path, access, tenant, cache }: DeclaredRoute): TableRow {
  const rest = { tenant: tenantText(tenant), cacheSeconds: cache?.seconds ?? null };
  if (access.kind === 'Anonymous') return { method, path, access: 'anonymous', ...rest };
  if (access.kind === 'Authenticated') return { method, path, access: 'authenticated', ...rest };
  return {
    method,
    path,
    access: 'permission',
    permission: access.permission.name,
    on: targetText(access.target),
    ...(access.orServer === null ? {} : { orServer: access.orServer.name }),
    ...rest,
  };
}

/** A row as one line, so that a difference reads at a glance. */
function sentenceOf({ method, path, access, permission, on, orServer, tenant, cacheSeconds }: TableRow): string {
  const permitted = permission === undefined ? '' : ` ${permission} on ${on}${orServer === undefined ? '' : ` or ${orServer}`}`;
  return `${method} ${path}: ${access}${permitted}; tenant: ${tenant ?? 'none'}; cached: ${cacheSeconds ?? 0} s`;
}

const rows = (): readonly TableRow[] => table.flatMap(({ routes }) => routes);
const isPending = (group: string, row: TableRow): boolean => PENDING.includes(group) || PENDING.includes(keyOf(row));

describe('the route table', () => {
  it('holds 31 groups with 130 routes of version 1, and 4 routes of agents', () => {
    const v1 = rows().filter(({ path }) => path.startsWith('/api/v1/'));
    expect([v1.length, rows().length, table.length]).toEqual([130, 134, 32]);
    expect(new Set(rows().map(keyOf)).size).toBe(134);
  });

  it('is what the controllers declare', () => {
    const expected = table.flatMap(({ group, routes }) => routes.filter((row) => !isPending(group, row)).map(sentenceOf));
    const actual = new Set([...declared.values()].map((route) => sentenceOf(rowOf(route))));
    expect(expected.filter((sentence) => !actual.has(sentence))).toEqual([]);
  });

  it('holds every route that exists', () => {
    const known = new Set(rows().map(keyOf));
    const covered = [...declared.values()].filter(({ path }) => COVERED.test(path)).map(keyOf);
    expect(covered.filter((key) => !known.has(key))).toEqual([]);
  });

  it('calls nothing pending that exists, and nothing that it does not know', () => {
    const pending = table.flatMap(({ group, routes }) => routes.filter((row) => isPending(group, row)));
    expect(pending.map(keyOf).filter((key) => declared.has(key))).toEqual([]);
    const names = new Set([...table.map(({ group }) => group), ...rows().map(keyOf)]);
    expect(PENDING.filter((name) => !names.has(name))).toEqual([]);
  });

  it('keeps the answers of authenticated routes private', () => {
    for (const { access, cache } of declared.values()) {
      if (cache !== null) expect(cache.private).toBe(access.kind !== 'Anonymous');
    }
  });

  it('caches nothing but GET, and nothing that depends on a query', () => {
    for (const { method, cache, tenant } of declared.values()) {
      if (cache !== null) expect({ method, tenant }).toEqual({ method: 'GET', tenant: null });
    }
  });
});
