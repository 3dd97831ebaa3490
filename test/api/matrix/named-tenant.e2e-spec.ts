import { beforeAll, describe, expect, it } from 'vitest';

import type { DeclaredRoute } from '../../../src/access/authorization/guard/access-declarations.js';
import type { TenantSource } from '../../../src/access/authorization/guard/access.js';
import { permissionCatalog } from '../../../src/access/authorization/permissions/permission.js';
import { EMPTY_GUID, newGuid } from '../../../src/platform/common/identifiers/guid.js';
import type { ProblemDetails } from '../../../src/platform/http/problems/problem-details.js';
import type { ValidCall } from '../../routes/resource.js';
import { Scene } from '../../routes/scene.js';
import type { ApiAnswer, ApiClient } from '../../support/application/api-client.js';
import { detailOf, wrongFieldsOf } from '../../support/callers/callers.js';
import { createTenant } from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';
import { broadRights, createCaller, giveRights } from './callers.js';
import { callOf, complaints, keyOf, MATRIX_SETTINGS, requestOf, routesOf } from './calling.js';
import { everythingStored } from './everything-stored.js';

/** A route that takes a tenant, and a call of it that is valid otherwise. */
interface Taking {
  readonly route: DeclaredRoute;
  readonly source: Exclude<TenantSource, { readonly carrier: 'claim' }>;
  readonly call: ValidCall;
}

const server = testServer(MATRIX_SETTINGS);
const home = testTenant(server);
const other = testTenant(server);
let taking: readonly Taking[];
let callers: readonly (readonly [string, ApiClient])[];

beforeAll(async () => {
  const found: Taking[] = [];
  for (const route of routesOf(server)) {
    if (route.tenant !== null && route.tenant.carrier !== 'claim')
      found.push({ route, source: route.tenant, call: await callOf(route, new Scene(server, home)) });
  }
  taking = found;
  const everything = await createCaller(server, home, 'user');
  await giveRights(server, broadRights(everything, permissionCatalog, home));
  callers = [
    ['user without permissions', (await createCaller(server, home, 'user')).client],
    ['server account without permissions', (await createCaller(server, home, 'restricted server account')).client],
    ['user with every permission', everything.client],
    ['Unrestricted server account', server.client()],
  ];
});

/** Calls with a value in place of the tenant; undefined omits it, and null is for bodies. */
function callWith(client: ApiClient, { route, source, call }: Taking, value: string | null | undefined): Promise<ApiAnswer> {
  if (source.carrier === 'path') {
    const { path, ...rest } = requestOf(route, { ...call, path: { ...call.path, [source.field]: value ?? '' } }, home.id);
    return client.call(route.method, path, rest);
  }
  const { path, query, body, headers } = requestOf(route, call, home.id);
  return client.call(route.method, path, {
    headers,
    query: source.carrier === 'query' ? { ...query, [source.field]: value ?? undefined } : query,
    body: source.carrier === 'body' ? { ...(body as object), [source.field]: value } : body,
  });
}

/** Calls every route that takes its tenant from one of the places, as every kind of caller. Nothing may change. */
async function expectOfAll(
  places: readonly TenantSource['carrier'][],
  value: string | null | undefined,
  problem: (answer: ApiAnswer, taking: Taking) => boolean,
  by: readonly (readonly [string, ApiClient])[] = callers,
  isMeant: (taking: Taking) => boolean = () => true,
): Promise<void> {
  const cells = by.flatMap((caller) =>
    taking.filter((one) => places.includes(one.source.carrier) && isMeant(one)).map((one) => [caller, one] as const),
  );
  expect(cells.length).toBeGreaterThan(0);
  const before = await everythingStored(server);
  const found = await complaints(cells, async ([[who, client], one]) => {
    const answer = await callWith(client, one, value);
    return problem(answer, one) ? `${keyOf(one.route)}, ${who}: ${answer.status} ${answer.text.slice(0, 200)}` : null;
  });
  expect(found).toEqual([]);
  expect(await everythingStored(server)).toEqual(before);
}

/** Returns true if the answer is a 400 with an explanation in one sentence. */
function explainsItself(answer: ApiAnswer): boolean {
  return answer.status === 400 && wrongFieldsOf(answer).length === 0 && String(detailOf(answer)).includes('tenantId');
}

/** Returns true if the answer is a 400 that names the field. */
function namesTheField(answer: ApiAnswer): boolean {
  return answer.status === 400 && wrongFieldsOf(answer).join() === 'tenantId';
}

describe('the tenant that a request names', () => {
  it.each([
    ['missing', undefined],
    ['empty', ''],
  ])('is 400 with a sentence when it is %s, whatever the caller may do', async (_what, value) => {
    const required = ({ source }: Taking): boolean => source.isOptional !== true;
    await expectOfAll(['query', 'body'], value, (answer) => !explainsItself(answer), callers, required);
  });

  it.each([
    ['missing', undefined],
    ['empty', ''],
  ])('is that of the caller when it is %s in a route that says so, and 400 for callers without one', async (_what, value) => {
    const [, , everything, root] = callers;
    const optional = taking.filter(({ source, route }) => source.isOptional === true && route.method === 'GET');
    const found = await complaints(optional, async (one) => {
      const [own, none] = [await callWith(everything[1], one, value), await callWith(root[1], one, value)];
      return own.status === one.call.status && explainsItself(none)
        ? null
        : `${keyOf(one.route)}: ${own.status}, ${none.status} ${none.text}`;
    });
    expect(optional.length).toBeGreaterThan(0);
    expect(found).toEqual([]);
  });

  it('is 400 with a sentence when it is null in a body, whatever the caller may do', async () => {
    await expectOfAll(['body'], null, (answer) => !explainsItself(answer));
  });

  it('answers 400 with a sentence when it is all zeros, whatever the caller may do', async () => {
    await expectOfAll(['query', 'body', 'path'], EMPTY_GUID, (answer) => !explainsItself(answer));
  });

  it.each(['x', '{}', `${newGuid()}0`, newGuid().replaceAll('-', '')])(
    'answers 400 with the field under errors when it is malformed: %s',
    async (value) => {
      await expectOfAll(['query', 'body'], value, (answer) => !namesTheField(answer));
    },
  );

  it('answers 404 when it is malformed in the path', async () => {
    await expectOfAll(['path'], 'x', ({ status }) => status !== 404);
  });

  it.each([undefined, EMPTY_GUID, 'x'])('is not checked before the caller is authenticated: %s', async (value) => {
    const nobody = [['nobody', server.client({})]] as const;
    await expectOfAll(['query', 'body'], value, ({ status }) => status !== 401, nobody);
  });

  it('gives callers with a tenant the same answer for another tenant as for an unknown one', async () => {
    const [, , everything] = callers;
    const confined = taking.filter(({ source }) => !source.isObject);
    const before = await everythingStored(server);
    const found = await complaints(confined, async (one) => {
      const [theirs, none] = [await callWith(everything[1], one, other.id), await callWith(everything[1], one, newGuid())];
      // Callers who may read the server's change log may read that of any tenant.
      const isOpen = one.route.access.kind === 'Permission' && one.route.access.orServer !== null;
      const isRight = isOpen
        ? theirs.status === 200 && none.status === 404
        : theirs.status === 403 && none.status === 403 && theirs.text === none.text;
      return isRight ? null : `${keyOf(one.route)}: ${theirs.status} ${theirs.text}, ${none.status} ${none.text}`;
    });
    expect(found).toEqual([]);
    expect(await everythingStored(server)).toEqual(before);
  });

  it('answers 404 in every route when it does not exist, to callers that may name any tenant, and nothing is stored', async () => {
    const restricted = await createCaller(server, home, 'restricted server account');
    await giveRights(server, broadRights(restricted, permissionCatalog, home));
    const by: typeof callers = [
      ['Unrestricted server account', server.client()],
      ['Restricted server account', restricted.client],
    ];
    const cells = by.flatMap((caller) => taking.map((one) => [caller, one] as const));
    const before = await everythingStored(server);
    const found = await complaints(cells, async ([[who, client], one]) => {
      const { status, body, text } = await callWith(client, one, newGuid());
      const isRight = status === 404 && detailOf({ body }) === 'The tenant was not found.';
      return isRight ? null : `${keyOf(one.route)}, ${who}: ${status} ${text.slice(0, 200)}`;
    });
    expect(found).toEqual([]);
    expect(await everythingStored(server)).toEqual(before);
  });

  it('answers 404 in every route as soon as it is deleted', async () => {
    const root = server.client();
    const { id } = await createTenant(server);
    expect((await root.get('/api/v1/tags', { query: { tenantId: id } })).status).toBe(200);
    expect((await root.delete(`/api/v1/tenants/${id}`)).status).toBe(204);
    // The log of a deleted tenant stays.
    const others = taking.filter(({ route }) => route.access.kind !== 'Permission' || route.access.orServer === null);
    expect(others.length).toBe(taking.length - 6);
    const found = await complaints(others, async (one) => {
      const { status, text } = await callWith(root, one, id);
      return status === 404 ? null : `${keyOf(one.route)}: ${status} ${text.slice(0, 200)}`;
    });
    expect(found).toEqual([]);
  });

  it('answers 403 when it does not exist and the account has no assignments', async () => {
    const nobody = [
      ['server account without permissions', (await createCaller(server, home, 'restricted server account')).client],
    ] as const;
    await expectOfAll(['query', 'body', 'path'], newGuid(), ({ status }) => status !== 403, nobody);
  });

  it('answers 400 when a query gives it twice', async () => {
    const root = server.client();
    const queried = taking.filter(({ source }) => source.carrier === 'query');
    const found = await complaints(queried, async ({ route, call }) => {
      const { path, query: { tenantId: _named, ...query } = {}, ...rest } = requestOf(route, call, home.id);
      const answer = await root.call(route.method, `${path}?tenantId=${home.id}&tenantId=${home.id}`, { query, ...rest });
      const { errors } = answer.body as ProblemDetails;
      const isRight = answer.status === 400 && errors?.tenantId?.join() === 'tenantId is given more than once: give it once.';
      return isRight ? null : `${keyOf(route)}: ${answer.status} ${answer.text.slice(0, 200)}`;
    });
    expect(queried.length).toBeGreaterThan(0);
    expect(found).toEqual([]);
  });

  it('can be given in any case, once', async () => {
    const root = server.client();
    const queried = taking.filter(({ route, source }) => source.carrier === 'query' && route.method === 'GET');
    const found = await complaints(queried, async ({ route, call }) => {
      const { path, query } = requestOf(route, call, home.id);
      const { tenantId: _named, ...rest } = query ?? {};
      const wanted = call.statusWithoutUser ?? call.status;
      const inUpperCase = await root.get(path, { query: { ...rest, TENANTID: home.id.toUpperCase() } });
      const twice = await root.get(path, { query: { ...rest, tenantId: home.id, TenantId: home.id } });
      const isRight = inUpperCase.status === wanted && namesTheField(twice);
      return isRight ? null : `${keyOf(route)}: ${inUpperCase.status} instead of ${wanted}, twice: ${twice.status} ${twice.text}`;
    });
    expect(queried.length).toBeGreaterThan(0);
    expect(found).toEqual([]);
  });
});
