import { beforeAll, expect, it } from 'vitest';

import type { DeclaredRoute } from '../../../src/access/authorization/guard/access-declarations.js';
import { Scene } from '../../routes/scene.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';
import { callOf, complaints, keyOf, MATRIX_SETTINGS, requestOf, routesOf } from './calling.js';
import { DescribedInputs, type BodyMember, type Description, type Schema } from './described-inputs.js';

/*
 * Every optional member of a body that changes something: omitted, it keeps the stored value; null clears it.
 */

/** A route that changes something, and the optional members of its body. */
interface Changing {
  readonly route: DeclaredRoute;
  readonly optional: readonly BodyMember[];
}

/** The values after null, for members that then neither are null nor have their default. */
const AFTER_NULL: Readonly<Record<string, unknown>> = {
  // A device always has an alias, which may be empty.
  'PATCH /api/v1/devices/:deviceId/alias alias': '',
};

/** Members that cannot be null: null is refused or changes nothing. */
const NEVER_NULL: readonly string[] = [
  'PUT /api/v1/permission-assignments/:assignmentId scopeId',
  'PUT /api/v1/server-service-accounts/:serviceAccountId isEnabled',
  'PUT /api/v1/tenant-service-accounts/:tenantId/:serviceAccountId isEnabled',
];

const server = testServer(MATRIX_SETTINGS);
const home = testTenant(server);
let changing: readonly Changing[];

beforeAll(async () => {
  const inputs = new DescribedInputs((await server.client().get('/openapi/v1.json')).as<Description>());
  const routes = routesOf(server).filter(({ method, path }) => ['PUT', 'PATCH'].includes(method) && path.startsWith('/api/v1/'));
  changing = routes.map((route) => {
    const operation = inputs.operation(route);
    if (operation === undefined) throw new Error(`${keyOf(route)} is not described.`);
    return { route, optional: inputs.bodyMembers(operation).filter(({ isRequired }) => !isRequired) };
  });
});

const keyOfMember = (route: DeclaredRoute, { name }: BodyMember): string => `${keyOf(route)} ${name}`;

/** A value other than the default. */
function sampleOf({ schema }: BodyMember): unknown {
  if (schema.enum !== undefined) return schema.enum.findLast((value) => value !== schema.default);
  const type = [schema.type].flat().find((name) => name !== 'null');
  if (type === 'boolean') return schema.default === false;
  if (type === 'integer' || type === 'number') return numberOf(schema);
  return 'Stored';
}

function numberOf({ minimum = 0, default: usual }: Schema): number {
  return minimum + 1 === usual ? minimum + 2 : minimum + 1;
}

it('covers every route that changes something', () => {
  expect(changing.length).toBeGreaterThanOrEqual(14);
  expect(changing.flatMap(({ route, optional }) => optional.map((member) => keyOfMember(route, member)))).toEqual(
    expect.arrayContaining(['PUT /api/v1/customers/:customerId notes', ...NEVER_NULL, ...Object.keys(AFTER_NULL)]),
  );
});

/** Describes a route's wrong treatment of a member; null if there is none. */
async function complaintOf({ route, optional }: Changing, member: BodyMember): Promise<string | null> {
  const { name, schema } = member;
  const { path, body, ...rest } = requestOf(route, await callOf(route, new Scene(server, home)), home.id);
  const whole = body as Readonly<Record<string, unknown>>;
  const required = Object.fromEntries(Object.entries(whole).filter(([key]) => optional.every((other) => other.name !== key)));
  const send = async (values: object): Promise<unknown> => {
    const answer = await server.client().call(route.method, path, { ...rest, body: { ...required, ...values } });
    return answer.as<Record<string, unknown>>()[name];
  };
  const sample = schema.format === 'uuid' ? whole[name] : sampleOf(member);
  const values = [await send({ ...whole, [name]: sample }), await send({})];
  const expected = [sample, sample];
  const key = keyOfMember(route, member);
  if (!NEVER_NULL.includes(key)) {
    values.push(await send({ [name]: null }));
    expected.push(AFTER_NULL[key] ?? schema.default ?? null);
  }
  const [found, wanted] = [JSON.stringify(values), JSON.stringify(expected)];
  return found === wanted ? null : `${key}: ${found} instead of ${wanted}`;
}

it('an omitted member keeps its stored value, and null clears it', async () => {
  const found = await complaints(changing, async (one) => {
    const sentences: string[] = [];
    // One after another, because all calls for settings write the same rows.
    for (const member of one.optional) sentences.push((await complaintOf(one, member)) ?? '');
    return sentences.join('') === '' ? null : sentences.join('\n');
  });
  expect(found).toEqual([]);
});
