import { beforeAll, expect, it } from 'vitest';

import type { DeclaredRoute } from '../../../src/access/authorization/guard/access-declarations.js';
import { permissionCatalog } from '../../../src/access/authorization/permissions/permission.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import type { ProblemDetails } from '../../../src/platform/http/problems/problem-details.js';
import { Scene } from '../../routes/scene.js';
import type { ApiAnswer } from '../../support/application/api-client.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';
import { broadRights, createCaller, giveRights, type Caller } from './callers.js';
import { callOf, complaints, keyOf, MATRIX_SETTINGS, requestOf, routesOf } from './calling.js';
import { DescribedInputs, type BodyMember, type Description } from './described-inputs.js';
import { everythingStored, rowsWith } from './everything-stored.js';

/*
 * Every name that a caller can give to something, in every route: one line, at least one visible character, no spaces
 * around it.
 */

/** A name in the body of a route. */
interface Named {
  readonly route: DeclaredRoute;
  readonly member: BodyMember;
}

/** The members of bodies that are names. */
const NAMES = ['name', 'friendlyName', 'alias'];
/** Names of settings are keys with their own rule. */
const KEYED = /^\/api\/v1\/(tenant-settings|user-preferences)$/;

const ONE_LINE = 'must not contain line breaks, tabs or other control characters.';
const VISIBLE = 'must have at least one visible character.';

const server = testServer(MATRIX_SETTINGS);
const home = testTenant(server);
let caller: Caller;
let names: readonly Named[];

beforeAll(async () => {
  caller = await createCaller(server, home, 'user');
  await giveRights(server, broadRights(caller, permissionCatalog, home));
  const inputs = new DescribedInputs((await server.client().get('/openapi/v1.json')).as<Description>());
  names = routesOf(server).flatMap((route) => {
    const operation = inputs.operation(route);
    if (operation === undefined || KEYED.test(route.path)) return [];
    const found = inputs.bodyMembers(operation).filter(({ name }) => NAMES.includes(name));
    return found.map((member) => ({ route, member }));
  });
});

/** Calls each route with the name and returns the faults of the answers. */
function answersTo(
  of: readonly Named[],
  nameFor: () => string,
  problem: (answer: ApiAnswer, one: Named, name: string) => boolean | Promise<boolean>,
): Promise<string[]> {
  return complaints(of, async (one) => {
    const { route, member } = one;
    const call = await callOf(route, new Scene(server, home, caller.owner));
    const { path, body, ...rest } = requestOf(route, call, home.id);
    const name = nameFor();
    const answer = await caller.client.call(route.method, path, { ...rest, body: { ...(body as object), [member.name]: name } });
    return (await problem(answer, one, name)) ? `${keyOf(route)} ${member.name}: ${answer.status} ${answer.text}` : null;
  });
}

function isRefused(answer: ApiAnswer, { member }: Named, sentence: string): boolean {
  const { errors } = answer.body as ProblemDetails;
  return answer.status === 400 && errors?.[member.name]?.join() === `${member.name} ${sentence}`;
}

it('covers the names of every kind of object', () => {
  const resources = new Set(names.map(({ route }) => route.path.split('/')[3]));
  expect([...resources].sort()).toEqual([
    'customers',
    'device-groups',
    'devices',
    'installer-keys',
    'personal-access-tokens',
    'server-service-accounts',
    'tags',
    'tenant-service-accounts',
    'tenants',
    'user-groups',
    'users',
  ]);
});

it.each(['two\nlines', 'two\r\nlines', 'line end\n', '\ttab', 'a\0b', '\u001b[31mred', 'a\u0085b', 'a\u2028b', 'a\u2029b', '\n'])(
  'refuses the name %j, which is not one line of text',
  async (name) => {
    const found = await answersTo(
      names,
      () => name,
      (answer, one) => !isRefused(answer, one, ONE_LINE),
    );
    expect(found).toEqual([]);
  },
);

it.each(['', ' ', '\u00a0\u3000', '\u200b', ' \u200d\u2060 ', '\ufeff', '\u3164', '\u2800', '\u00ad'])(
  'refuses the name %j, which has no visible character',
  async (name) => {
    // A blank name counts as none if the name is optional.
    const of = name.trim() === '' ? names.filter(({ member }) => !member.isNullable) : names;
    const found = await answersTo(
      of,
      () => name,
      (answer, one) => !isRefused(answer, one, VISIBLE),
    );
    expect(found).toEqual([]);
  },
);

it('stores nothing of a name that it refuses', async () => {
  const calls = await Promise.all(
    names.map(async ({ route }) => requestOf(route, await callOf(route, new Scene(server, home, caller.owner)), home.id)),
  );
  const before = await everythingStored(server);
  for (const [index, { route, member }] of names.entries()) {
    const { path, body, ...rest } = calls[index];
    await caller.client.call(route.method, path, { ...rest, body: { ...(body as object), [member.name]: 'two\nlines' } });
  }
  expect(await everythingStored(server)).toEqual(before);
});

it('removes the spaces around a name, and keeps those inside', async () => {
  const found = await answersTo(
    names,
    () => `  ${newGuid()} x\u00a0\u3000`,
    async (answer, _one, name) => {
      const rows = await rowsWith(server, name.trim());
      return (
        answer.status >= 300 || rows.length === 0 || rows.some((row) => !row.includes(`"${name.trim()}`) || /x[\u00a0\u3000]/.test(row))
      );
    },
  );
  expect(found).toEqual([]);
});

it.each(['Büro & Söhne – "Nord"', '営業部', '👩‍💻 Team', 'a\u200db', 'مكتب'])('accepts the name %j unchanged', async (text) => {
  const found = await answersTo(
    names,
    () => `${text} ${newGuid().slice(-12)}`,
    async ({ status }, _one, name) => status >= 300 || (await rowsWith(server, JSON.stringify(name).slice(1, -1))).length === 0,
  );
  expect(found).toEqual([]);
});

it('treats a blank optional name as none', async () => {
  const nullable = names.filter(({ member }) => member.isNullable);
  expect(nullable.map(({ route, member }) => `${keyOf(route)} ${member.name}`).sort()).toEqual([
    'PATCH /api/v1/devices/:deviceId/alias alias',
    'POST /api/v1/installer-keys friendlyName',
  ]);
  const found = await answersTo(
    nullable,
    () => ' \u00a0',
    (answer, { member }) => {
      const value = answer.as<Record<string, unknown>>()[member.name];
      return value !== null && value !== '';
    },
  );
  expect(found).toEqual([]);
});
