import { beforeAll, describe, expect, it } from 'vitest';

import type { DeclaredRoute } from '../../../src/access/authorization/guard/access-declarations.js';
import { permissionCatalog } from '../../../src/access/authorization/permissions/permission.js';
import { isGuid, newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { routes as knownRoutes } from '../../routes/index.js';
import type { ValidCall } from '../../routes/resource.js';
import { Scene } from '../../routes/scene.js';
import type { ApiAnswer, ApiClient } from '../../support/application/api-client.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';
import { broadRights, createCaller, giveRights, type Caller } from './callers.js';
import { callOf, isInternal, keyOf, MATRIX_SETTINGS, routesOf, send } from './calling.js';
import { everythingStored } from './everything-stored.js';

/*
 * Calls every route that takes the tag of what it changes with older, present and malformed tags. test/routes says which routes these
 * are, and which ones answer a tag.
 */

const OLDER = '"an-older-state"';
const MALFORMED = ['no-quotes', '', '""x', '"a" "b"', '"a",', 'w/"a"', '*, "a"'];
const ENTITY_TAG = /^"[\w-]{22}"$/;

const server = testServer(MATRIX_SETTINGS);
const home = testTenant(server);
const other = testTenant(server);
let caller: Caller;

beforeAll(async () => {
  caller = await createCaller(server, home, 'user');
  await giveRights(server, broadRights(caller, permissionCatalog, home));
});

const guarded = (): DeclaredRoute[] => routesOf(server).filter((route) => knownRoutes[keyOf(route)].ifMatch !== undefined);

function routeOf(key: string): DeclaredRoute {
  const route = routesOf(server).find((one) => keyOf(one) === key);
  if (route === undefined) throw new Error(`There is no route ${key}.`);
  return route;
}

/** Sends a call with an `If-Match` header. */
function sendIf(ifMatch: string, route: DeclaredRoute, call: ValidCall, client: ApiClient = caller.client): Promise<ApiAnswer> {
  return send(client, route, { ...call, headers: { ...call.headers, 'if-match': ifMatch } }, home.id);
}

/** A call of the route about something that is there. */
async function callOnPresent(route: DeclaredRoute): Promise<ValidCall> {
  const call = await callOf(route, new Scene(server, home, caller.owner));
  if (route.method !== 'DELETE')
    expect([keyOf(route), (await send(caller.client, route, call, home.id)).status]).toEqual([keyOf(route), call.status]);
  return call;
}

/** The answer of the route that reads what the call changes. */
function read(route: DeclaredRoute, call: ValidCall): Promise<ApiAnswer> {
  const reading = routeOf(knownRoutes[keyOf(route)].ifMatch ?? '');
  const body = (call.body ?? {}) as Readonly<Record<string, string>>;
  const named = [...reading.path.matchAll(/:(\w+)/g)].map(([, name]) => [name, call.path?.[name] ?? body[name] ?? body.name] as const);
  const path = Object.fromEntries(named.filter(([name]) => name !== 'tenantId' || reading.tenant?.isObject === true));
  return send(caller.client, reading, { status: 200, path }, home.id);
}

async function tagRead(route: DeclaredRoute, call: ValidCall): Promise<string> {
  const tag = (await read(route, call)).headers.get('etag') ?? 'no tag';
  expect([keyOf(route), tag]).toEqual([keyOf(route), expect.stringMatching(ENTITY_TAG)]);
  return tag;
}

/** Returns true if test/routes says that the answer carries a tag. */
function isTagged(route: DeclaredRoute, { status }: ApiAnswer): boolean {
  return knownRoutes[keyOf(route)].tagged?.includes(status) === true;
}

/** The answer without the id of its request. */
function outcomeOf({ status, text }: ApiAnswer): readonly [number, string] {
  return [status, text];
}

describe('a change with If-Match', () => {
  it('is made when the tag is the present one, also among others, made weak by a proxy, or *', async () => {
    for (const route of guarded()) {
      for (const form of [(tag: string) => tag, (tag: string) => `W/${tag}`, (tag: string) => `${OLDER} , W/${tag}`, () => '*']) {
        const call = await callOnPresent(route);
        const answer = await sendIf(form(await tagRead(route, call)), route, call);
        expect([keyOf(route), answer.status, answer.text]).toEqual([keyOf(route), call.status, expect.any(String)]);
        const wanted = isTagged(route, answer) ? await tagRead(route, call) : null;
        expect([keyOf(route), answer.headers.get('etag')]).toEqual([keyOf(route), wanted]);
      }
    }
  });

  it('of an older state is refused with 412, changes nothing and is not logged', async () => {
    const older: string[] = [];
    for (const route of guarded()) {
      const call = await callOf(route, new Scene(server, home, caller.owner));
      const former = (await read(route, call)).headers.get('etag');
      if (route.method !== 'DELETE') await send(caller.client, route, call, home.id);
      const present = await tagRead(route, call);
      if (former !== null && former !== present) older.push(keyOf(route));
      const before = await everythingStored(server);
      for (const tag of former === null || former === present ? [OLDER] : [former, OLDER]) {
        const answer = await sendIf(tag, route, call);
        expect([keyOf(route), answer.status, answer.body]).toEqual([
          keyOf(route),
          412,
          expect.objectContaining({ title: 'Precondition failed.', status: 412 }),
        ]);
        expect([keyOf(route), answer.headers.get('etag')]).toEqual([keyOf(route), null]);
      }
      expect([keyOf(route), await everythingStored(server)]).toEqual([keyOf(route), before]);
      expect([keyOf(route), await tagRead(route, call)]).toEqual([keyOf(route), present]);
    }
    // These calls change something each time, so that the former tag was that of an older state.
    const changing = guarded().filter(({ method, path }) => method !== 'DELETE' && path.includes('Id'));
    expect(older).toEqual(expect.arrayContaining(changing.map(keyOf)));
    expect(changing.length).toBeGreaterThan(6);
  });

  it('is refused with 400 when the header is malformed', async () => {
    for (const route of guarded()) {
      const call = await callOnPresent(route);
      const before = await everythingStored(server);
      for (const header of MALFORMED) {
        const answer = await sendIf(header, route, call);
        const errors: unknown = expect.objectContaining({ errors: { 'If-Match': [expect.stringContaining('If-Match must be')] } });
        expect([keyOf(route), header, answer.status, answer.body]).toEqual([keyOf(route), header, 400, errors]);
      }
      expect([keyOf(route), await everythingStored(server)]).toEqual([keyOf(route), before]);
    }
  });

  it('is refused as without it when the caller may not make it', async () => {
    const powerless = await createCaller(server, home, 'user');
    for (const route of guarded().filter(({ access }) => access.kind === 'Permission')) {
      const call = await callOnPresent(route);
      const without = await send(powerless.client, route, call, home.id);
      expect([keyOf(route), without.status]).toEqual([keyOf(route), 403]);
      for (const header of [await tagRead(route, call), OLDER, '*', 'no-quotes']) {
        expect([keyOf(route), outcomeOf(await sendIf(header, route, call, powerless.client))]).toEqual([keyOf(route), outcomeOf(without)]);
      }
    }
  });

  it('about a thing of another tenant is answered as without it, and as about an unknown one', async () => {
    const ofTenants = guarded().filter(({ access, tenant, path }) =>
      tenant === null ? access.kind === 'Permission' && access.target.kind === 'Device' : !tenant.isObject && path.includes('Id'),
    );
    expect(ofTenants.length).toBeGreaterThan(10);
    for (const route of ofTenants) {
      const foreign = await callOf(route, new Scene(server, other));
      const without = outcomeOf(await send(caller.client, route, foreign, home.id));
      expect([keyOf(route), without[0]]).toEqual([keyOf(route), 404]);
      const ids = Object.values(foreign.path ?? {}).filter(isGuid);
      const unknown = JSON.parse(ids.reduce((text, id) => text.replaceAll(id, newGuid()), JSON.stringify(foreign))) as ValidCall;
      for (const header of [OLDER, '*']) {
        expect([keyOf(route), outcomeOf(await sendIf(header, route, foreign))]).toEqual([keyOf(route), without]);
        expect([keyOf(route), outcomeOf(await sendIf(header, route, unknown))]).toEqual([keyOf(route), without]);
      }
    }
  });
});

describe('a tag', () => {
  it('is answered by the routes that test/routes lists, and by no other; those without If-Match ignore it', async () => {
    for (const route of routesOf(server).filter((one) => isInternal(one) || one.path.startsWith('/api/v1/'))) {
      // The caller has a token, so that it cannot call routes for users who signed in.
      if (knownRoutes[keyOf(route)].ifMatch !== undefined || route.access.kind === 'SignedIn') continue;
      const call = await callOf(route, new Scene(server, home, caller.owner));
      const answer = await sendIf('no-quotes', route, call);
      // Calls of both surfaces are about the same things, so that a text may be there by now.
      expect([keyOf(route), answer.status < 300 ? 'success' : answer.status]).toEqual([
        keyOf(route),
        call.status < 300 ? 'success' : call.status,
      ]);
      const wanted: unknown = isTagged(route, answer) ? expect.stringMatching(ENTITY_TAG) : null;
      expect([keyOf(route), answer.headers.get('etag')]).toEqual([keyOf(route), wanted]);
    }
  });
});
