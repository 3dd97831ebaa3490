import { beforeAll, describe, expect, it } from 'vitest';

import type { DeclaredRoute } from '../../../src/access/authorization/guard/access-declarations.js';
import { Permission, permissionCatalog, PermissionEffect } from '../../../src/access/authorization/permissions/permission.js';
import type { ValidCall } from '../../routes/resource.js';
import { Scene } from '../../routes/scene.js';
import { ROOT_KEY } from '../../support/application/app.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';
import { broadRights, createCaller, giveRights, isUser, type Caller, type Right } from './callers.js';
import { callOf, forEachOf, isInternal, keyOf, MATRIX_SETTINGS, routesOf } from './calling.js';
import {
  complaintsAbout,
  expectNothingChanged,
  isAnonymous,
  looksAtEachDevice,
  neededBy,
  needsPermission,
  refusal,
  success,
  type Cell,
  type Outcome,
} from './cells.js';

/*
 * Calls every internal route. Its guard is the one of its twin of version 1, which access-matrix.e2e-spec.ts calls as every kind of
 * caller at every scope. Here each rule is shown once: that a twin has lost none of it, and what its tenant does.
 */

const NO_TENANT =
  'The call works in the tenant of its caller, and a service account of the server has none: name the tenant in a route of /api/v1 instead.';

const server = testServer(MATRIX_SETTINGS);
const home = testTenant(server);
let routes: readonly DeclaredRoute[];
/** One call per route, for callers that are refused. */
const calls = new Map<DeclaredRoute, ValidCall>();

beforeAll(async () => {
  routes = routesOf(server).filter(isInternal);
  await forEachOf(routes, async (route) => calls.set(route, await callOf(route, new Scene(server, home))));
});

const isOfCaller = ({ tenant }: DeclaredRoute): boolean => tenant?.carrier === 'claim';

function cellsOf(
  of: readonly DeclaredRoute[],
  who: string,
  { client }: Pick<Caller, 'client'>,
  outcomeOf: (route: DeclaredRoute) => Outcome,
): Cell[] {
  return of.map((route) => {
    const call = calls.get(route);
    if (call === undefined) throw new Error(`No call was made for ${keyOf(route)}.`);
    return { route, who, client, call, outcome: outcomeOf(route) };
  });
}

it('covers the deprecated routes and the form of the archive download', () => {
  // Account routes that work in the tenant of their caller are called like them, and belong to another surface.
  expect(routes.filter((route) => !keyOf(route).includes(' /account/'))).toHaveLength(72);
});

it.each<[string, Record<string, string>]>([
  ['no credential', {}],
  ['a wrong secret', { 'x-api-key': `${ROOT_KEY}x` }],
])('answers 401 to %s, except where nobody has to sign in', async (who, headers) => {
  const cells = cellsOf(routes, who, { client: server.client(headers) }, (route) =>
    isAnonymous(route) ? (calls.get(route)?.status ?? 0) : 401,
  );
  await expectNothingChanged(server, cells, home.id);
});

describe('a caller without the permission', () => {
  it('is refused when it holds nothing', async () => {
    const cells: Cell[] = [];
    for (const kind of ['user', 'tenant account'] as const) {
      cells.push(...cellsOf(routes.filter(needsPermission), kind, await createCaller(server, home, kind), refusal));
    }
    await expectNothingChanged(server, cells, home.id);
  });

  it('is refused when it holds every other permission', async () => {
    const cells: Cell[] = [];
    const rights: Right[] = [];
    const needed = new Set(routes.flatMap(neededBy));
    await forEachOf([...needed], async (permission) => {
      const caller = await createCaller(server, home, 'restricted token');
      const others = permissionCatalog.filter((other) => other !== permission);
      rights.push(...broadRights(caller, others, home));
      cells.push(
        ...cellsOf(
          routes.filter((route) => neededBy(route).includes(permission)),
          `everything but ${permission.name}`,
          caller,
          refusal,
        ),
      );
    });
    await giveRights(server, rights);
    await expectNothingChanged(server, cells, home.id);
  });

  it('is refused when the permission is denied', async () => {
    const caller = await createCaller(server, home, 'user');
    const held = broadRights(caller, permissionCatalog, home);
    await giveRights(server, [...held, ...held.map((right) => ({ ...right, effect: PermissionEffect.Deny }))]);
    await expectNothingChanged(server, cellsOf(routes.filter(needsPermission), 'it', caller, refusal), home.id);
  });
});

describe('a caller that holds the permission', () => {
  it.each(['user', 'tenant account'] as const)('and nothing else succeeds: %s', async (kind) => {
    const rights: Right[] = [];
    const cells = await forEachOf(routes, async (route): Promise<Cell> => {
      const caller = await createCaller(server, home, kind);
      const call = await callOf(route, new Scene(server, home, caller.owner));
      rights.push(...broadRights(caller, [...neededBy(route), ...(call.also ?? [])], home));
      return { route, who: kind, client: caller.client, call, outcome: success(route, call, isUser(kind)) };
    });
    await giveRights(server, rights);
    expect(await complaintsAbout(cells, home.id)).toEqual([]);
  });
});

describe('a service account of the server', () => {
  it.each(['Restricted', 'Unrestricted'] as const)('has no tenant, so that nothing works in one for it: %s', async (mode) => {
    const caller =
      mode === 'Restricted' ? await createCaller(server, home, 'restricted server account') : { client: server.client(), holders: [] };
    await giveRights(server, broadRights(caller, permissionCatalog, home));
    await expectNothingChanged(
      server,
      cellsOf(routes.filter(isOfCaller), mode, caller, () => ({ detail: NO_TENANT })),
      home.id,
    );
  });

  it('uses the routes that take no tenant as those of version 1', async () => {
    const reading = routes.filter((route) => !isOfCaller(route) && route.method === 'GET');
    const caller = await createCaller(server, home, 'restricted server account');
    await giveRights(server, broadRights(caller, [Permission.DeviceRead, Permission.ServerTelemetryRead], home));
    const outcomeOf = (route: DeclaredRoute): Outcome => success(route, calls.get(route) ?? { status: 0 }, false);
    expect(reading.some(looksAtEachDevice)).toBe(true);
    await expectNothingChanged(server, cellsOf(reading, 'it', caller, outcomeOf), home.id);
  });
});
