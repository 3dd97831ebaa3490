import { describe, expect, it } from 'vitest';

import type { DeclaredRoute } from '../../../src/access/authorization/access-declarations.js';
import { permissionCatalog } from '../../../src/access/authorization/permission.js';
import { InstallerKeyCreatorKind } from '../../../src/devices/installer-keys/installer-key.entity.js';
import { isGuid, newGuid } from '../../../src/platform/common/guid.js';
import type { ValidCall } from '../../routes/resource.js';
import { Scene, type Owner } from '../../routes/scene.js';
import type { ApiClient } from '../../support/api-client.js';
import { testServer, testTenant } from '../../support/test-server.js';
import { broadRights, createCaller, giveRights } from './callers.js';
import { callOf, complaints, isInternal, keyOf, MATRIX_SETTINGS, routesOf, send } from './calling.js';
import { everythingStored } from './everything-stored.js';

/*
 * Replaces every id in a request by the id of another tenant's object of the same kind. The answer must not reveal
 * whether that object exists.
 */

/** A call with an id of another tenant in one place, and the same call with an unknown id. */
interface Swap {
  readonly route: DeclaredRoute;
  readonly place: string;
  readonly foreign: ValidCall;
  readonly foreignId: string;
  readonly unknown: ValidCall;
  readonly unknownId: string;
}

const server = testServer(MATRIX_SETTINGS);
const home = testTenant(server);
const other = testTenant(server);

/** Every id in a call, by its place. */
function idsIn(value: unknown, place = ''): (readonly [string, string])[] {
  if (isGuid(value)) return [[place, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => idsIn(member, `${place}/${name}`));
}

/** The call with every occurrence of one id replaced. */
function replaced({ path, query, body, ...rest }: ValidCall, id: string, by: string): ValidCall {
  const swap = <T>(value: T): T => (value === undefined ? value : (JSON.parse(JSON.stringify(value).replaceAll(id, by)) as T));
  return { ...rest, path: swap(path), query: swap(query), body: swap(body) };
}

async function swapsOf(route: DeclaredRoute, owner: Owner | null): Promise<Swap[]> {
  const own = await callOf(route, new Scene(server, home, owner));
  const theirs = await callOf(route, new Scene(server, other));
  const placesIn = ({ path, query, body }: ValidCall): (readonly [string, string])[] => idsIn({ path, query, body });
  const foreignIds = new Map(placesIn(theirs));
  const swaps = new Map<string, Swap>();
  for (const [place, id] of placesIn(own)) {
    const foreignId = foreignIds.get(place);
    if (foreignId === undefined) throw new Error(`${keyOf(route)}: there is nothing at ${place} of the other tenant.`);
    const unknownId = newGuid();
    const calls = { foreign: replaced(own, id, foreignId), unknown: replaced(own, id, unknownId) };
    if (!swaps.has(id)) swaps.set(id, { route, place, foreignId, unknownId, ...calls });
  }
  return [...swaps.values()];
}

/** Routes with ids of things in a tenant, for callers that are confined to one or name it. */
function sweptRoutes(isOfTenant: boolean): DeclaredRoute[] {
  return routesOf(server).filter((route) => {
    const { access, tenant } = route;
    // One kind of caller calls the internal routes, whose handlers are those of version 1.
    if (isInternal(route)) return false;
    if (access.kind === 'Anonymous' || tenant?.isObject === true) return false;
    // Routes without a tenant reach everything that a server account may reach.
    return tenant !== null || (isOfTenant && access.kind === 'Permission' && access.target.kind !== 'Server');
  });
}

/** Internal routes with ids. */
function sweptInternalRoutes(): DeclaredRoute[] {
  return routesOf(server).filter((route) => isInternal(route) && route.access.kind !== 'Anonymous');
}

async function expectNoDifference(client: ApiClient, swaps: readonly Swap[]): Promise<void> {
  expect(swaps.length).toBeGreaterThan(40);
  const before = await everythingStored(server);
  const found = await complaints(swaps, async ({ route, place, foreign, foreignId, unknown, unknownId }) => {
    const answer = await send(client, route, foreign, home.id);
    const unknownAnswer = await send(client, route, unknown, home.id);
    const text = answer.text.replaceAll(foreignId, 'id');
    const wanted = unknownAnswer.text.replaceAll(unknownId, 'id');
    const refusals = [403, 404, ...(route.failures?.[404]?.status === undefined ? [] : [route.failures[404].status])];
    const isRefusal = place.startsWith('/path/') ? refusals.includes(answer.status) : [200, 204, 400, 403, 404].includes(answer.status);
    if (isRefusal && answer.status === unknownAnswer.status && text === wanted) return null;
    return `${keyOf(route)} ${place}: ${answer.status} ${text.slice(0, 200)}; of nothing: ${unknownAnswer.status} ${wanted.slice(0, 200)}`;
  });
  expect(found).toEqual([]);
  expect(await everythingStored(server)).toEqual(before);
}

describe('an id of another tenant is answered like an unknown one', () => {
  it.each(['user', 'restricted token', 'tenant account', 'restricted server account'] as const)(
    'to a %s that holds everything in its tenant',
    async (kind) => {
      const caller = await createCaller(server, home, kind);
      await giveRights(server, broadRights(caller, permissionCatalog, home));
      const swaps: Swap[] = [];
      for (const route of sweptRoutes(kind !== 'restricted server account')) swaps.push(...(await swapsOf(route, caller.owner)));
      await expectNoDifference(caller.client, swaps);
    },
  );

  it('to a user that holds everything, in internal routes', async () => {
    const caller = await createCaller(server, home, 'user');
    await giveRights(server, broadRights(caller, permissionCatalog, home));
    const swaps: Swap[] = [];
    for (const route of sweptInternalRoutes()) swaps.push(...(await swapsOf(route, caller.owner)));
    await expectNoDifference(caller.client, swaps);
  });

  it('to an Unrestricted server account where the request names a tenant', async () => {
    const owner = { id: newGuid(), creatorKind: InstallerKeyCreatorKind.ServerServiceAccount };
    const swaps: Swap[] = [];
    for (const route of sweptRoutes(false)) swaps.push(...(await swapsOf(route, owner)));
    await expectNoDifference(server.client(), swaps);
  });
});
