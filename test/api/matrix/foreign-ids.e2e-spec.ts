import { describe, expect, it } from 'vitest';

import type { DeclaredRoute } from '../../../src/access/authorization/guard/access-declarations.js';
import { permissionCatalog } from '../../../src/access/authorization/permissions/permission.js';
import { InstallerKeyCreatorKind } from '../../../src/devices/installer-keys/installer-key.entity.js';
import { EMPTY_GUID, isGuid, newGuid } from '../../../src/platform/common/identifiers/guid.js';
import type { ValidCall } from '../../routes/resource.js';
import { Scene, type Owner } from '../../routes/scene.js';
import type { ApiAnswer, ApiClient } from '../../support/application/api-client.js';
import { detailOf } from '../../support/callers/callers.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';
import { broadRights, createCaller, giveRights, isUser } from './callers.js';
import { callOf, complaints, isInternal, keyOf, MATRIX_SETTINGS, routesOf, send } from './calling.js';
import { everythingStored } from './everything-stored.js';

/*
 * Replaces every id in a request, each alone and all together, by the ids of another tenant's objects of the same kind. The answer must
 * not reveal whether those objects exist. An id in the path is answered 404 with the name of what is missing.
 */

/** A call with ids of another tenant, and the same call with unknown ids. */
interface Swap {
  readonly route: DeclaredRoute;
  readonly place: string;
  readonly foreign: ValidCall;
  readonly foreignIds: readonly string[];
  readonly unknown: ValidCall;
  readonly unknownIds: readonly string[];
}

/** The place of swaps that replace every id of a call. */
const EVERYWHERE = 'everywhere';

/** The names of things whose segment of the path is not named after them. */
const THINGS: Readonly<Record<string, string>> = {
  assignmentId: 'permission assignment',
  id: 'personal access token',
  keyId: 'installer key',
  tokenId: 'personal access token',
};

const server = testServer(MATRIX_SETTINGS);
const home = testTenant(server);
const other = testTenant(server);

/** Every id in a call, by its place. */
function idsIn(value: unknown, place = ''): (readonly [string, string])[] {
  if (isGuid(value)) return [[place, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => idsIn(member, `${place}/${name}`));
}

/** The call with every occurrence of the ids replaced. */
function replaced({ path, query, body, ...rest }: ValidCall, ids: ReadonlyMap<string, string>): ValidCall {
  const inText = (text: string): string => [...ids].reduce((changed, [id, by]) => changed.replaceAll(id, by), text);
  const swap = <T>(value: T): T => (value === undefined ? value : (JSON.parse(inText(JSON.stringify(value))) as T));
  return { ...rest, path: swap(path), query: swap(query), body: swap(body) };
}

/** The sentence about a thing that a segment of the path names and that is not there. */
function notFound(segment: string): string {
  const thing = THINGS[segment] ?? segment.replace(/Id$/, '').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `The ${thing} was not found.`;
}

async function swapsOf(route: DeclaredRoute, owner: Owner | null): Promise<Swap[]> {
  const own = await callOf(route, new Scene(server, home, owner));
  const theirs = await callOf(route, new Scene(server, other));
  const placesIn = ({ path, query, body }: ValidCall): (readonly [string, string])[] => idsIn({ path, query, body });
  const foreignIds = new Map(placesIn(theirs));
  const places = new Map<string, readonly [place: string, foreignId: string, unknownId: string]>();
  for (const [place, id] of placesIn(own)) {
    const foreignId = foreignIds.get(place);
    if (foreignId === undefined) throw new Error(`${keyOf(route)}: there is nothing at ${place} of the other tenant.`);
    if (!places.has(id)) places.set(id, [place, foreignId, newGuid()]);
  }
  const swapOf = (place: string, ids: readonly string[]): Swap => {
    const found = ids.map((id) => [id, places.get(id) ?? ['', id, id]] as const);
    const foreign = new Map(found.map(([id, [, foreignId]]) => [id, foreignId]));
    const unknown = new Map(found.map(([id, [, , unknownId]]) => [id, unknownId]));
    const calls = { foreign: replaced(own, foreign), unknown: replaced(own, unknown) };
    return { route, place, ...calls, foreignIds: [...foreign.values()], unknownIds: [...unknown.values()] };
  };
  const each = [...places].map(([id, [place]]) => swapOf(place, [id]));
  return each.length > 1 ? [...each, swapOf(EVERYWHERE, [...places.keys()])] : each;
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

/** Returns true if the answer is right for a call with an id at the place that the caller's tenant does not have. */
function isRefusal({ route, place, foreign }: Swap, actsAsUser: boolean, answer: ApiAnswer): boolean {
  const [, where, segment] = place.split('/');
  if (where !== 'path') return [200, 204, 400, 403, 404].includes(answer.status);
  if (isInternal(route)) return answer.status === (route.failures?.[404]?.status ?? 404);
  // Routes for users say that to service accounts, whatever the path names.
  if (!actsAsUser && foreign.statusWithoutUser !== undefined) return answer.status === foreign.statusWithoutUser;
  return answer.status === 404 && detailOf(answer) === notFound(segment);
}

async function expectNoDifference(client: ApiClient, swaps: readonly Swap[], actsAsUser: boolean): Promise<void> {
  expect(swaps.length).toBeGreaterThan(40);
  const before = await everythingStored(server);
  const found = await complaints(swaps, async (swap) => {
    const { route, place, foreign, foreignIds, unknown, unknownIds } = swap;
    const answer = await send(client, route, foreign, home.id);
    const unknownAnswer = await send(client, route, unknown, home.id);
    const without = (text: string, ids: readonly string[]): string => ids.reduce((rest, id) => rest.replaceAll(id, 'id'), text);
    const [text, wanted] = [without(answer.text, foreignIds), without(unknownAnswer.text, unknownIds)];
    if (isRefusal(swap, actsAsUser, answer) && answer.status === unknownAnswer.status && text === wanted) return null;
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
      await expectNoDifference(caller.client, swaps, isUser(kind));
    },
  );

  it('to a user that holds everything, in internal routes', async () => {
    const caller = await createCaller(server, home, 'user');
    await giveRights(server, broadRights(caller, permissionCatalog, home));
    const swaps: Swap[] = [];
    for (const route of sweptInternalRoutes()) swaps.push(...(await swapsOf(route, caller.owner)));
    await expectNoDifference(caller.client, swaps, true);
  });

  it('to an Unrestricted server account where the request names a tenant', async () => {
    const owner = { id: newGuid(), creatorKind: InstallerKeyCreatorKind.ServerServiceAccount };
    const swaps: Swap[] = [];
    for (const route of sweptRoutes(false)) swaps.push(...(await swapsOf(route, owner)));
    await expectNoDifference(server.client(), swaps, false);
  });
});

it('an id of zeros in the path is answered like an unknown one', async () => {
  const caller = await createCaller(server, home, 'user');
  await giveRights(server, broadRights(caller, permissionCatalog, home));
  const swaps: Swap[] = [];
  for (const route of sweptRoutes(true)) swaps.push(...(await swapsOf(route, caller.owner)));
  const inPath = swaps.filter(({ place }) => place.startsWith('/path/'));
  expect(inPath.length).toBeGreaterThan(40);
  const found = await complaints(inPath, async ({ route, place, unknown, unknownIds }) => {
    const zeros = replaced(unknown, new Map(unknownIds.map((id) => [id, EMPTY_GUID])));
    const answer = await send(caller.client, route, zeros, home.id);
    const wanted = await send(caller.client, route, unknown, home.id);
    if (answer.status === wanted.status && answer.text === wanted.text) return null;
    return `${keyOf(route)} ${place}: ${answer.status} ${answer.text}`;
  });
  expect(found).toEqual([]);
});
