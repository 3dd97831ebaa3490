import { maxHeaderSize } from 'node:http';

import { beforeAll, describe, expect, it } from 'vitest';

import type { DeclaredRoute } from '../../../src/access/authorization/guard/access-declarations.js';
import { permissionCatalog } from '../../../src/access/authorization/permissions/permission.js';
import { JSON_BODY_LIMIT, MAX_JSON_DEPTH } from '../../../src/platform/http/bodies/json-body.js';
import { Scene } from '../../routes/scene.js';
import type { ApiAnswer, ApiCall } from '../../support/application/api-client.js';
import { detailOf, wrongFieldsOf } from '../../support/callers/callers.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';
import { broadRights, createCaller, giveRights, type Caller } from './callers.js';
import { callOf, complaints, keyOf, MATRIX_SETTINGS, requestOf, routesOf } from './calling.js';
import { DescribedInputs, type Description, type Operation } from './described-inputs.js';
import { everythingStored } from './everything-stored.js';

/*
 * Sends invalid values for every described field of every body and query. The caller holds every permission, so only
 * the input can be refused.
 */

/** A request with one invalid value. */
interface Probe {
  readonly route: DeclaredRoute;
  readonly what: string;
  readonly request: ApiCall & { readonly path: string };
  readonly problem: (answer: ApiAnswer) => boolean;
}

type Json = { [name: string]: unknown };
type Place = readonly (string | number)[];

/** A missing and an all-zero tenant are refused with a sentence (named-tenant.e2e-spec.ts). */
const TENANT = 'tenantId';

/** Routes that take wrong credentials for a failed sign-in have specs of their own. */
const SIGN_IN = ['/api/auth/', '/api/invites/accept'];

const SPECIAL_BODIES = ['CheckInstallerKeyRequestDto', 'CreateDeviceRequestDto', 'LenientDeviceSearchRequestDto'];

const server = testServer(MATRIX_SETTINGS);
const home = testTenant(server);
let caller: Caller;
let inputs: DescribedInputs;
let described: readonly (readonly [DeclaredRoute, Operation, ApiCall & { readonly path: string }])[];

beforeAll(async () => {
  caller = await createCaller(server, home, 'user');
  await giveRights(server, broadRights(caller, permissionCatalog, home));
  const [v1, internal] = await Promise.all(
    ['v1', 'internal'].map(async (name) => (await server.client().get(`/openapi/${name}.json`)).as<Description>()),
  );
  inputs = new DescribedInputs({
    paths: { ...v1.paths, ...internal.paths },
    components: { schemas: { ...internal.components.schemas, ...v1.components.schemas } },
  });
  const found: (typeof described)[number][] = [];
  for (const route of routesOf(server)) {
    const operation = inputs.operation(route);
    if (operation === undefined || SIGN_IN.some((path) => route.path.startsWith(path)) || (!isOfV1(route) && !hasOwnBody(operation, v1)))
      continue;
    found.push([route, operation, requestOf(route, await callOf(route, new Scene(server, home, caller.owner)), home.id)]);
  }
  described = found;
});

const isOfV1 = ({ path }: DeclaredRoute): boolean => path.startsWith('/api/v1/');

/**
 * Returns true if an internal route takes a body that no route of version 1 takes; other bodies are probed there. Agents' bodies have specs
 * of their own, and so has the search, which leaves out what it does not know.
 */
function hasOwnBody({ requestBody }: Operation, v1: Description): boolean {
  const name = requestBody?.content['application/json']?.schema.$ref?.replace(/^.*\//, '');
  return name !== undefined && !SPECIAL_BODIES.includes(name) && !(name in v1.components.schemas);
}

/** Sends the probes. They must be refused and must not store anything. */
async function expectRefused(probes: readonly Probe[]): Promise<void> {
  expect(probes.length).toBeGreaterThan(10);
  const before = await everythingStored(server);
  const found = await complaints(probes, async ({ route, what, request: { path, ...call }, problem }) => {
    const answer = await caller.client.call(route.method, path, call);
    return problem(answer) ? `${keyOf(route)} ${what}: ${answer.status} ${answer.text.slice(0, 200)}` : null;
  });
  expect(found).toEqual([]);
  expect(await everythingStored(server)).toEqual(before);
}

/** Returns true if `errors` names the field, or what is in it. */
const isIn =
  (field: string) =>
  (name: string): boolean =>
    name === field || name.startsWith(`${field}[`) || name.startsWith(`${field}.`);

/** Returns true if an answer is not a 400 that names the field under `errors`, and nothing outside of the member that holds it. */
const doesNotName =
  (field: string) =>
  (answer: ApiAnswer): boolean => {
    const names = wrongFieldsOf(answer);
    const [member] = field.split(/[.[]/);
    return answer.status !== 400 || !names.some(isIn(field)) || !names.every(isIn(member));
  };

/** The path of a place as `errors` writes it. */
function nameOf(place: Place): string {
  return place.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('');
}

/** A copy of a body with one value set. Missing parents are created. */
function withValue(body: unknown, place: Place, value: unknown): Json {
  const copy: Json = structuredClone((body ?? {}) as Json);
  let holder: Json = copy;
  place.forEach((step, index) => {
    if (index === place.length - 1) holder[step] = value;
    else {
      const next = holder[step];
      const isHolder = typeof next === 'object' && next !== null && Object.keys(next).length > 0;
      holder[step] = isHolder ? next : typeof place[index + 1] === 'number' ? [{}] : {};
      holder = holder[step] as Json;
    }
  });
  return copy;
}

const takesJson = ({ requestBody }: Operation): boolean => requestBody?.content['application/json'] !== undefined;

it('covers every route of version 1, and the internal ones with bodies of their own', () => {
  const [ofV1, internal] = [described.filter(([route]) => isOfV1(route)), described.filter(([route]) => !isOfV1(route))];
  expect(ofV1).toHaveLength(routesOf(server).filter(isOfV1).length);
  expect(internal.map(([route]) => keyOf(route)).sort()).toEqual([
    'POST /api/installer-keys',
    'POST /api/logon-tokens',
    'PUT /api/installer-keys/rename',
    'PUT /api/tags',
  ]);
});

describe('a field of a body', () => {
  it('with an invalid value answers 400 with its name under errors, and nothing is stored', async () => {
    const probes = described.flatMap(([route, operation, request]) =>
      inputs
        .bodyFields(operation)
        .filter(({ place }) => place[0] !== TENANT)
        .flatMap(({ place, wrong }) =>
          wrong.map(({ what, value }) => ({
            route,
            what: `${nameOf(place)}: ${what}`,
            request: { ...request, body: withValue(request.body, place, value) },
            problem: doesNotName(nameOf(place)),
          })),
        ),
    );
    await expectRefused(probes);
  });

  it('has a maximum length, as a text or as a list', () => {
    const boundless = described.flatMap(([route, operation]) =>
      inputs.bodyFields(operation).flatMap(({ place, isBoundless }) => (isBoundless ? [`${keyOf(route)} ${nameOf(place)}`] : [])),
    );
    expect(boundless).toEqual([]);
  });
});

describe('a query value', () => {
  it('with an invalid value answers 400 with its name under errors, and nothing is stored', async () => {
    const probes = described.flatMap(([route, operation, request]) =>
      inputs
        .wrongQueries(operation)
        .filter(({ name }) => name !== TENANT)
        .map(({ name, what, values }): Probe => {
          const { [name]: _right, ...query } = request.query ?? {};
          const wrong = new URLSearchParams(values.map((value): [string, string] => [name, value])).toString();
          return {
            route,
            what: `${name}: ${what}`,
            request: { ...request, path: `${request.path}?${wrong}`, query },
            // Node.js itself refuses longer addresses.
            problem: (answer) =>
              !(wrong.length > maxHeaderSize && answer.status === 431) &&
              (doesNotName(name)(answer) || (values.length > 1 && !answer.text.includes('given more than once'))),
          };
        }),
    );
    await expectRefused(probes);
  });
});

describe('a body as a whole', () => {
  const deep = `${'['.repeat(MAX_JSON_DEPTH + 1)}${']'.repeat(MAX_JSON_DEPTH + 1)}`;
  const JSON_TYPE = { 'content-type': 'application/json' };

  it.each([
    ['null', 'null', 400],
    ['a list', '[]', 400],
    ['a text', '"x"', 400],
    ['a number', '5', 400],
    ['no JSON', '{"a":', 400],
    ['too deep', deep, 400],
    ['too large', `{"a":"${'x'.repeat(JSON_BODY_LIMIT)}"}`, 413],
  ])('is refused when it is %s', async (_what, body, status) => {
    const probes = described.flatMap(([route, operation, request]) => {
      if (!takesJson(operation)) return [];
      return [
        { route, what: '', request: { ...request, body, headers: JSON_TYPE }, problem: (answer: ApiAnswer) => answer.status !== status },
      ];
    });
    await expectRefused(probes);
  });

  it('is refused when it is missing, or when its content type is not JSON', async () => {
    const probes = described
      .filter(([, operation]) => takesJson(operation))
      .flatMap(([route, , request]) => [
        { route, what: 'none', request: { ...request, body: undefined }, problem: ({ status }: ApiAnswer) => status !== 400 },
        {
          route,
          what: 'text/plain',
          request: { ...request, body: JSON.stringify(request.body), headers: { 'content-type': 'text/plain' } },
          problem: ({ status }: ApiAnswer) => status !== 415,
        },
      ]);
    await expectRefused(probes);
  });
});

describe('a path segment', () => {
  it('with an invalid value answers 404, and no text causes harm', async () => {
    const WRONG = [
      'x',
      '0',
      '-1',
      '99999999999',
      '%00',
      '..%2F..',
      'a'.repeat(3000),
      '%27%3B--',
      '{}',
      '0197f0c5-3c11-7c3a-8d0e-6d7f8a9b0c1d0',
    ];
    const probes = described.flatMap(([route, operation, request]) => {
      const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
      return names.flatMap((name) => {
        const schema = operation.parameters?.find((parameter) => parameter.in === 'path' && parameter.name === name)?.schema;
        if (schema === undefined) throw new Error(`${keyOf(route)} does not describe ${name}.`);
        const at = route.path.split('/').indexOf(`:${name}`);
        const isInteger = schema.type === 'integer';
        const isText = schema.format === undefined && !isInteger;
        return WRONG.filter((value) => !(isInteger && /^-?\d$/.test(value))).map((value) => ({
          route,
          what: `${name}: ${value.slice(0, 50)}`,
          request: { ...request, path: request.path.split('/').with(at, value).join('/') },
          problem: (answer: ApiAnswer) => {
            const { status } = answer;
            if (isText) return status >= 500 || (route.method !== 'GET' && status === 200);
            return status !== 404 || !String(detailOf(answer)).includes(`${name} in the path must be`);
          },
        }));
      });
    });
    await expectRefused(probes);
  });
});

describe('a value at the limit of a field', () => {
  it('is accepted or refused, and never breaks the service', async () => {
    const probes = described.flatMap(([route, operation, request]) =>
      inputs.bodyFields(operation).flatMap(({ place, extremes }) =>
        extremes.map(({ what, value }) => ({
          route,
          what: `${nameOf(place)}: ${what}`,
          body: withValue(request.body, place, value),
          request,
        })),
      ),
    );
    expect(probes.length).toBeGreaterThan(100);
    const found = await complaints(probes, async ({ route, what, body, request: { path, ...call } }) => {
      const { status, text } = await caller.client.call(route.method, path, { ...call, body });
      return status < 500 ? null : `${keyOf(route)} ${what}: ${status} ${text.slice(0, 200)}`;
    });
    expect(found).toEqual([]);
  });
});
