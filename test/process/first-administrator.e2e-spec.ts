import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import type { Service } from '../../demo/service.js';
import { formatKey } from '../../src/platform/common/identifiers/secret.js';
import { ApiClient } from '../support/application/api-client.js';
import { createTestDatabase, type TestDatabase } from '../support/brokers/postgres.js';
import { Browser, PASSWORD } from '../support/callers/browser.js';
import { statusesOf } from '../support/callers/callers.js';
import { Machine, onDatabase, type Environment } from '../support/processes/service-process.js';

const EMAIL = 'admin@example.org';
const TOKEN_ID = randomUUID();
const SECRET = 'the-configured-secret-of-32-chars-or-more';
const PREFIX = 'Service_Bootstrap__Admin';
const ADMINISTRATOR = { [`${PREFIX}Email`]: EMAIL, [`${PREFIX}Password`]: PASSWORD };
const TOKEN = { [`${PREFIX}PatTokenId`]: TOKEN_ID, [`${PREFIX}PatSecret`]: SECRET };
const MADE = `Bootstrap: made the first administrator ${EMAIL}, with a personal access token.`;
const LEFT_ALONE = 'Bootstrap: there are users already; the configured administrator was not looked at.';

describe('the administrator of the configuration', () => {
  let machine: Machine;
  let database: TestDatabase;

  beforeAll(async () => {
    [machine, database] = await Promise.all([Machine.open(), createTestDatabase()]);
  });

  afterAll(async () => {
    await machine.close();
    await database.drop();
  });

  const onNode = (name: string): Environment => ({
    ...onDatabase(database),
    Service_DataPath: join(machine.folder, name),
    DEVICE_MANAGEMENT_TESTS_SHARE_DATABASE: 'yes',
  });

  /** Returns the line about the administrator that a node prints at its start. */
  async function sentenceOf({ program }: Service): Promise<string> {
    return (await program.untilPrints(/Bootstrap: .*(?:administrator).*/))[0];
  }

  const signIn = async (node: Service, password: string): Promise<unknown> => {
    const answer = await new Browser(node).signIn({ userName: EMAIL }, password);
    return answer.status === 200 ? answer.body : answer.status;
  };

  const tenantsWith = async ({ url }: Service, tokenId: string, secret: string): Promise<number> =>
    (await new ApiClient(url, { 'x-personal-token': formatKey(tokenId, secret) }).get('/api/v1/tenants')).status;

  it('is made once, also when two nodes start at the same time', async () => {
    const nodes = await Promise.all(['first', 'second'].map((name) => machine.start({ ...onNode(name), ...ADMINISTRATOR, ...TOKEN })));

    expect((await Promise.all(nodes.map(sentenceOf))).sort()).toEqual([MADE, LEFT_ALONE]);
    for (const node of nodes) {
      expect(await signIn(node, PASSWORD)).toEqual({ outcome: 'SignedIn', mustChangePassword: false });
      expect(await tenantsWith(node, TOKEN_ID, SECRET)).toBe(200);
      for (const secret of [PASSWORD, SECRET]) expect(node.program.output).not.toContain(secret);
    }
    const visitor = { email: 'visitor@example.org', password: PASSWORD };
    const answers = await Promise.all(nodes.map((node) => new Browser(node).post('/account/register', visitor)));
    expect(statusesOf(answers)).toEqual([403, 403]);
    await Promise.all(nodes.map(({ program }) => program.stop()));
  });

  it('stays as it is at the next start, whatever the configuration says by then', async () => {
    const [otherId, otherSecret] = [randomUUID(), `another-${SECRET}`];
    const changed = {
      [`${PREFIX}Password`]: 'Other-Horse-8',
      [`${PREFIX}PatTokenId`]: otherId,
      [`${PREFIX}PatSecret`]: otherSecret,
    };
    const node = await machine.start({ ...onNode('first'), ...ADMINISTRATOR, ...changed });

    expect(await sentenceOf(node)).toBe(LEFT_ALONE);
    expect([await signIn(node, PASSWORD), await signIn(node, 'Other-Horse-8')]).toEqual([expect.anything(), 401]);
    expect([await tenantsWith(node, TOKEN_ID, SECRET), await tenantsWith(node, otherId, otherSecret)]).toEqual([200, 401]);
    await node.program.stop();
  });

  it('is not made with a password that breaks the rules, which a warning says', async () => {
    const empty = await createTestDatabase();
    const { program, url } = await machine.start({
      ...onNode('first'),
      ...onDatabase(empty),
      ...ADMINISTRATOR,
      [`${PREFIX}Password`]: 'short1A',
    });

    await program.untilPrints(
      /WARN .*the first administrator was not made\. Correct Service_Bootstrap__AdminEmail or Service_Bootstrap__AdminPassword .*at least 8 characters/,
    );
    expect((await new ApiClient(url, {}).get('/account/registration')).body).toMatchObject({ isFirstUser: true });
    expect(program.output).not.toContain('short1A');
    await program.stop();
    await empty.drop();
  });

  const wrong: [what: string, env: Environment, sentence: string][] = [
    [
      'an address without a password',
      { [`${PREFIX}Email`]: EMAIL },
      `- ${PREFIX}Password: expected a value, because ${PREFIX}Email needs it.`,
    ],
    [
      'a password without an address',
      { [`${PREFIX}Password`]: PASSWORD },
      `- ${PREFIX}Email: expected a value, because ${PREFIX}Password needs it.`,
    ],
    ['an address that is none', { ...ADMINISTRATOR, [`${PREFIX}Email`]: 'admin' }, `- ${PREFIX}Email: expected an e-mail address`],
    ['a token without a user', TOKEN, `- ${PREFIX}PatTokenId: expected together with ${PREFIX}Email.`],
    [
      'half a token',
      { ...ADMINISTRATOR, [`${PREFIX}PatTokenId`]: TOKEN_ID },
      `- ${PREFIX}PatSecret: expected a value, because ${PREFIX}PatTokenId needs it.`,
    ],
    ['a token id that is none', { ...ADMINISTRATOR, ...TOKEN, [`${PREFIX}PatTokenId`]: '1234' }, `- ${PREFIX}PatTokenId: expected a GUID`],
    ['a short secret', { ...ADMINISTRATOR, ...TOKEN, [`${PREFIX}PatSecret`]: 'a-secret' }, `- ${PREFIX}PatSecret: expected 32 to 479`],
  ];

  it('is refused at the start where options are wrong or missing, without naming secrets', async () => {
    const programs = wrong.map(([, env]) => machine.launch({ ...onNode('refused'), ...env }));
    const ends = await Promise.all(programs.map((program) => program.untilEnd()));

    for (const [index, [what, , sentence]] of wrong.entries()) {
      const { output } = programs[index];
      expect([what, ends[index]]).toEqual([what, { code: 1, signal: null }]);
      expect(output).toContain('The configuration cannot be used:');
      expect(output).toContain(sentence);
      for (const secret of [PASSWORD, SECRET, 'a-secret']) expect(output).not.toContain(secret);
    }
  });
});
