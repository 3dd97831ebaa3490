import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Client } from 'pg';

import type { Service } from '../../demo/service.js';
import { TestViewer } from '../hubs/viewer-client.js';
import { ApiClient, type ApiAnswer } from '../support/application/api-client.js';
import { createTestDatabase, type TestDatabase } from '../support/brokers/postgres.js';
import { authenticatorCode } from '../support/callers/authenticator-app.js';
import { Browser, PASSWORD } from '../support/callers/browser.js';
import { detailOf, statusesOf } from '../support/callers/callers.js';
import { enrol, ReportingDevice } from '../support/devices/reporting-device.js';
import { eventually } from '../support/eventually.js';
import { Machine, onDatabase } from '../support/processes/service-process.js';
import { MailServer } from '../support/stand-ins/mail-server.js';

/*
 * The state of people at the service is in the database: a second process that uses it, and the next one after a crash, know it, and
 * what may be used once is used once on all of them.
 */

const WRONG_PASSWORD = 'Wrong-Horse-7';
const NEW_PASSWORD = 'Other-Horse-8';
const WRONG = 'The e-mail address or the password is wrong.';
const LOCKED = expect.stringContaining('Too many attempts failed.');
/** A code of an authenticator app belongs to so many milliseconds. */
const STEP_MS = 30_000;
/** A second is what is promised. The rest is for a machine that has much else to do. */
const DEADLINE_MS = 20_000;
/** Races of two nodes for one thing: enough that they meet. */
const RACES = 5;

let machine: Machine;
let database: TestDatabase;
let mails: MailServer;
let first: Service;
let second: Service;
let tenantId: string;
let deviceId: string;

beforeAll(async () => {
  [machine, database, mails] = await Promise.all([Machine.open(), createTestDatabase(), MailServer.start()]);
});

// Apart, because the first hook of a run may wait for the build.
beforeAll(async () => {
  [first, second] = await Promise.all([startNode('first'), startNode('second')]);
  const enrolment = await enrol(machine.client(first));
  tenantId = enrolment.tenantId;
  deviceId = (await ReportingDevice.register(first.url, enrolment)).id;
});

afterAll(async () => {
  await machine.close();
  await Promise.all([database.drop(), mails.stop()]);
});

/** Starts a node with a data folder of its own. */
function startNode(name: string): Promise<Service> {
  return machine.start({
    ...onDatabase(database),
    ...mails.env,
    Service_DataPath: join(machine.folder, name),
    Service_AppOptions__EnableInteractiveBearerLogin: 'true',
    DEVICE_MANAGEMENT_TESTS_SHARE_DATABASE: 'yes',
  });
}

interface Named {
  readonly userName: string;
}

interface Person extends Named {
  readonly id: string;
}

/** A new user with a password. */
async function person(): Promise<Person> {
  const email = `${randomUUID()}@example.org`;
  const body = { userName: email, email, password: PASSWORD, presetNames: [] };
  const { id } = (await machine.client(first).post('/api/v1/users', { ...inTenant(), body })).as<{ id: string }>();
  return { id, userName: email };
}

/** A name without an account. */
const nobody = (): Promise<Named> => Promise.resolve({ userName: `${randomUUID()}@example.org` });

const inTenant = () => ({ query: { tenantId } });

/** A browser in which the user has signed in at a node. */
async function signedIn(node: Service, user: Person): Promise<Browser> {
  const browser = new Browser(node);
  expect((await browser.signIn(user)).body).toMatchObject({ outcome: 'SignedIn' });
  return browser;
}

const isSignedIn = async (browser: Browser): Promise<boolean> => (await browser.get('/account/security-log')).status === 200;

/** Does the same on both nodes at once. */
const onBoth = <T>(act: (node: Service) => Promise<T>): Promise<T[]> => Promise.all([first, second].map(act));

async function onDatabaseOf(sql: string): Promise<void> {
  const client = new Client(database.connection);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

const post = (node: Service, path: string, body: object): Promise<ApiAnswer> => new ApiClient(node.url, {}).post(path, { body });

async function tokensOf(node: Service, { userName }: Person): Promise<Tokens> {
  const answer = await post(node, '/api/auth/interactive-login', { email: userName, password: PASSWORD });
  return answer.as<{ tokens: Tokens }>().tokens;
}

const refresh = (node: Service, { refreshToken }: Tokens): Promise<ApiAnswer> => post(node, '/api/auth/refresh', { refreshToken });

const statusOf = async (node: Service, headers: Record<string, string>): Promise<number> =>
  (await new ApiClient(node.url, headers).get('/api/auth/me')).status;

const withTokens = (node: Service, { accessToken }: Tokens): Promise<number> => statusOf(node, { authorization: `Bearer ${accessToken}` });

interface PersonalToken {
  readonly id: string;
  readonly headers: Record<string, string>;
}

/** Makes a token that has all rights of the user of a browser. */
async function personalTokenOf(browser: Browser): Promise<PersonalToken> {
  const body = { name: randomUUID(), permissionMode: 'InheritOwner' };
  const made = await browser.post('/api/v1/personal-access-tokens', body, inTenant());
  const { personalAccessToken, plainTextToken } = made.as<{ personalAccessToken: { id: string }; plainTextToken: string }>();
  return { id: personalAccessToken.id, headers: { 'x-personal-token': plainTextToken } };
}

/** Switches two-factor sign-in on. Returns a function that gives a code which was not used yet. */
async function withAuthenticator(browser: Browser): Promise<() => string> {
  const { sharedKey } = (await browser.post('/account/two-factor/setup')).as<{ sharedKey: string }>();
  const used = Date.now();
  (await browser.post('/account/two-factor/enable', { code: authenticatorCode(sharedKey, used) })).as();
  // Codes of the next step count already, because clocks differ.
  return () => authenticatorCode(sharedKey, Math.max(Date.now(), used + STEP_MS));
}

/** Asks for a mail with a link that sets a new password, and returns the code in it. */
async function resetCodeOf(node: Service, { userName }: Person): Promise<string> {
  expect((await new Browser(node).post('/account/password/forgot', { email: userName })).status).toBe(204);
  return mails.codeTo(userName);
}

const reset = (node: Service, code: string): Promise<ApiAnswer> =>
  new Browser(node).post('/account/password/reset', { code, newPassword: NEW_PASSWORD });

/** A link that opens the page of the device once. */
async function linkTo(node: Service): Promise<string> {
  const body = { tenantId, deviceId, userCorrelationId: randomUUID() };
  const made = await machine.client(node).post('/api/v1/logon-tokens/external', { body });
  return made.as<{ deviceAccessUrl: string }>().deviceAccessUrl;
}

interface Invited {
  readonly email: string;
  readonly activationCode: string;
}

async function invite(node: Service): Promise<Invited> {
  const email = `${randomUUID()}@example.org`;
  const made = await machine.client(node).post('/api/v1/invites', { ...inTenant(), body: { inviteeEmail: email } });
  return { email, activationCode: made.as<{ inviteUrl: string }>().inviteUrl.split('/').at(-1) ?? '' };
}

const accept = async (browser: Browser, invited: Invited): Promise<boolean> =>
  (await browser.post('/api/invites/accept', { ...invited, password: PASSWORD })).as<{ isSuccessful: boolean }>().isSuccessful;

/** Signs in with a wrong password. */
const fail = async (node: Service, user: Named): Promise<unknown> => detailOf(await new Browser(node).signIn(user, WRONG_PASSWORD));

const passwordOutcome = async (node: Service, user: Named): Promise<unknown> => {
  const answer = await new Browser(node).signIn(user);
  return answer.status === 200 ? answer.body : detailOf(answer);
};

describe('two nodes on one database', () => {
  it('know each other’s sessions, and end them together with their hub connections', async () => {
    const user = await person();
    const [leaving, ended] = [await signedIn(first, user), await signedIn(first, user)];
    const staying = await signedIn(second, await person());
    const viewers: TestViewer[] = [];
    for (const browser of [leaving, ended, staying]) {
      expect(await isSignedIn(browser.at(second))).toBe(true);
      const headers = { cookie: browser.cookieHeader, origin: second.url };
      viewers.push(machine.alsoStop(await TestViewer.connect(second, headers)));
    }
    const [ofLeaving, ofEnded, ofStaying] = viewers;
    const { items } = (await ended.get('/account/sessions')).as<{ items: { id: string; isCurrent: boolean }[] }>();
    const session = items.find(({ isCurrent }) => isCurrent)?.id ?? '';

    expect((await leaving.at(first).delete(`/account/sessions/${session}`)).status).toBe(204);
    await eventually('the ended session holds no connection', () => ofEnded.isClosed, DEADLINE_MS);
    expect([await isSignedIn(ended.at(second)), ofLeaving.isClosed]).toEqual([false, false]);

    const { cookies } = leaving;
    const copy = new Browser(second, {}, new Map(cookies));
    expect((await leaving.post('/account/sign-out')).status).toBe(204);
    await eventually('the session that signed out holds no connection', () => ofLeaving.isClosed, DEADLINE_MS);
    expect([await isSignedIn(copy), await isSignedIn(staying), ofStaying.isClosed]).toEqual([false, true, false]);
  });

  it('take each other’s bearer tokens, refresh a session alike, and end it when a former refresh token comes too late', async () => {
    const user = await person();
    const tokens = await tokensOf(first, user);
    expect(await withTokens(second, tokens)).toBe(200);
    const answers = await onBoth((node) => refresh(node, tokens));
    const [next, other] = answers.map((answer) => answer.as<Tokens>());
    expect(next.refreshToken).toBe(other.refreshToken);
    for (const each of [tokens, next, other]) expect(await onBoth((node) => withTokens(node, each))).toEqual([200, 200]);

    // As if half a minute had passed.
    await onDatabaseOf(`UPDATE former_tokens SET counts_until = now() WHERE kind = 'Refresh'`);
    expect((await refresh(second, tokens)).status).toBe(401);
    await eventually('the session has ended', async () => (await withTokens(first, next)) === 401, DEADLINE_MS);
    expect(statusesOf(await onBoth((node) => refresh(node, next)))).toEqual([401, 401]);
  });

  it.each([
    ['an account', person],
    ['a name that nobody has', nobody],
  ])('count failed sign-ins of %s together, also those at the same time', async (_whose, somebody) => {
    const [user, raced] = [await somebody(), await somebody()];
    const details = [];
    for (const node of [first, second, first, second, first]) details.push(await fail(node, user));
    expect(details).toEqual([WRONG, WRONG, WRONG, WRONG, LOCKED]);
    expect(await onBoth((node) => passwordOutcome(node, user))).toEqual([LOCKED, LOCKED]);

    const tried = await Promise.all(Array.from({ length: 12 }, (_, index) => fail(index % 2 === 0 ? first : second, raced)));
    expect(tried.filter((detail) => detail === WRONG).length).toBeLessThanOrEqual(5);
    expect(await onBoth((node) => passwordOutcome(node, raced))).toEqual([LOCKED, LOCKED]);
  });

  it('let a sign-in that one of them asked for a code be completed on either, with each code once', async () => {
    const user = await person();
    const code = await withAuthenticator(await signedIn(first, user));
    expect(await passwordOutcome(first, user)).toMatchObject({ outcome: 'TwoFactorRequired' });
    const twoFactorCode = code();
    const answers = await onBoth((node) => new Browser(node).signIn(user, PASSWORD, { twoFactorCode }));
    expect(statusesOf(answers)).toEqual([200, 401]);
  });

  it('take a mailed code once', async () => {
    for (let race = 0; race < RACES; race += 1) {
      const code = await resetCodeOf(first, await person());
      expect(statusesOf(await onBoth((node) => reset(node, code)))).toEqual([204, 400]);
    }
  });

  it('take an invite once', async () => {
    for (let race = 0; race < RACES; race += 1) {
      const invited = await invite(first);
      const accepted = await onBoth((node) => accept(new Browser(node), invited));
      expect(accepted.filter(Boolean)).toHaveLength(1);
    }
  });

  it('open the link of a logon token once, for a session on both', async () => {
    for (let race = 0; race < RACES; race += 1) {
      const link = await linkTo(first);
      const browsers = [new Browser(first), new Browser(second)];
      const answers = await Promise.all(browsers.map((browser) => browser.get(link)));
      expect(statusesOf(answers)).toEqual([303, 401]);
      const winner = browsers[answers.findIndex(({ status }) => status === 303)];
      for (const node of [first, second]) {
        expect((await winner.at(node).post('/api/v1/devices/search', { tenantId })).as<{ items: { id: string }[] }>().items).toMatchObject([
          { id: deviceId },
        ]);
      }
    }
  });

  it('take each other’s personal access tokens, until one of them deletes the token', async () => {
    const browser = await signedIn(first, await person());
    const token = await personalTokenOf(browser);
    expect(await statusOf(second, token.headers)).toBe(200);
    expect((await browser.delete(`/api/v1/personal-access-tokens/${token.id}`, inTenant())).status).toBe(204);
    await eventually('the token is refused', async () => (await statusOf(second, token.headers)) === 401, DEADLINE_MS);
  });

  it('refuse everything of a user whom one of them has suspended, and take the token again once the suspension is lifted', async () => {
    const user = await person();
    const browser = await signedIn(first, user);
    const [token, tokens] = [await personalTokenOf(browser), await tokensOf(second, user)];
    const headers = { cookie: browser.cookieHeader, origin: second.url };
    const viewer = machine.alsoStop(await TestViewer.connect(second, headers));
    const agentless = machine.alsoStop(await TestViewer.connect(second, token.headers));
    expect([await isSignedIn(browser.at(second)), await statusOf(second, token.headers), await withTokens(second, tokens)]).toEqual([
      true,
      200,
      200,
    ]);

    const suspension = `/account/users/${user.id}/suspension`;
    expect((await machine.client(first).put(suspension, inTenant())).status).toBe(204);
    await eventually('the connections have ended', () => viewer.isClosed && agentless.isClosed, DEADLINE_MS);
    expect([await isSignedIn(browser.at(second)), await statusOf(second, token.headers), await withTokens(second, tokens)]).toEqual([
      false,
      401,
      401,
    ]);
    expect(statusesOf([await refresh(second, tokens), await new Browser(second).signIn(user)])).toEqual([401, 403]);

    expect((await machine.client(first).delete(suspension, inTenant())).status).toBe(204);
    await eventually('the token is taken again', async () => (await statusOf(second, token.headers)) === 200, DEADLINE_MS);
    expect((await new Browser(second).signIn(user)).status).toBe(200);
  });

  it('refuse what a permission allowed, once one of them has revoked it', async () => {
    const user = await person();
    const principal = { principalKind: 'User', principalId: user.id, effect: 'Allow', scopeKind: 'Tenant' };
    const body = { ...principal, permissionName: 'tenant.users.read' };
    const made = await machine.client(first).post('/api/v1/permission-assignments', { ...inTenant(), body });
    const browser = await signedIn(second, user);
    const list = async (): Promise<number> => (await browser.get('/api/v1/users', inTenant())).status;
    expect(await list()).toBe(200);
    const { id } = made.as<{ id: string }>();
    expect((await machine.client(first).delete(`/api/v1/permission-assignments/${id}`, inTenant())).status).toBe(204);
    await eventually('the permission has ended', async () => (await list()) === 403, DEADLINE_MS);
  });

  it('limit requests to the routes that give tokens together', async () => {
    const path = '/api/auth/complete-password-reset';
    const answers = await Promise.all(Array.from({ length: 30 }, (_, request) => post(request % 2 === 0 ? first : second, path, {})));
    const limited = answers.filter(({ status }) => status === 429);
    expect([answers.filter(({ status }) => status === 400).length, limited.length]).toEqual([20, 10]);
    for (const { headers } of limited) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

/** States and acts of people before all nodes end. Each returns the check of the next start. */
const CARRIED: readonly [what: string, begin: () => Promise<() => Promise<void>>][] = [
  [
    'a session goes on',
    async () => {
      const browser = await signedIn(first, await person());
      return async () => expect(await isSignedIn(browser.at(first))).toBe(true);
    },
  ],
  [
    'a session that was signed out stays ended',
    async () => {
      const browser = await signedIn(second, await person());
      const cookies = new Map(browser.cookies);
      expect((await browser.post('/account/sign-out')).status).toBe(204);
      return async () => expect(await isSignedIn(new Browser(first, {}, cookies))).toBe(false);
    },
  ],
  [
    'bearer tokens act as their user and are refreshed',
    async () => {
      const tokens = await tokensOf(first, await person());
      return async () => {
        expect(await withTokens(first, tokens)).toBe(200);
        expect(await withTokens(first, (await refresh(first, tokens)).as<Tokens>())).toBe(200);
      };
    },
  ],
  [
    'personal access tokens work, and deleted ones do not',
    async () => {
      const browser = await signedIn(first, await person());
      const [kept, deleted] = [await personalTokenOf(browser), await personalTokenOf(browser)];
      expect((await browser.delete(`/api/v1/personal-access-tokens/${deleted.id}`, inTenant())).status).toBe(204);
      return async () => expect([await statusOf(first, kept.headers), await statusOf(first, deleted.headers)]).toEqual([200, 401]);
    },
  ],
  [
    'a locked account stays locked',
    async () => {
      const user = await person();
      for (const node of [first, second, first, second, first]) await fail(node, user);
      return async () => expect(await passwordOutcome(first, user)).toEqual(LOCKED);
    },
  ],
  [
    'a name that nobody has stays locked',
    async () => {
      const name = await nobody();
      for (const node of [first, second, first, second, first]) await fail(node, name);
      return async () => expect(await passwordOutcome(first, name)).toEqual(LOCKED);
    },
  ],
  [
    'a sign-in that was asked for a code is completed',
    async () => {
      const user = await person();
      const code = await withAuthenticator(await signedIn(first, user));
      expect(await passwordOutcome(first, user)).toMatchObject({ outcome: 'TwoFactorRequired' });
      return async () => expect((await new Browser(first).signIn(user, PASSWORD, { twoFactorCode: code() })).status).toBe(200);
    },
  ],
  [
    'a mailed code works',
    async () => {
      const user = await person();
      const code = await resetCodeOf(second, user);
      return async () => {
        expect((await reset(first, code)).status).toBe(204);
        expect((await new Browser(first).signIn(user, NEW_PASSWORD)).status).toBe(200);
      };
    },
  ],
  [
    'the link of a logon token works if it was not used, and its session goes on if it was',
    async () => {
      const [used, unused] = [await linkTo(second), await linkTo(first)];
      const browser = new Browser(second);
      expect((await browser.get(used)).status).toBe(303);
      return async () => {
        expect((await browser.at(first).post('/api/v1/devices/search', { tenantId })).status).toBe(200);
        expect((await new Browser(first).get(used)).status).toBe(401);
        expect((await new Browser(first).get(unused)).status).toBe(303);
      };
    },
  ],
  [
    'an invite is accepted',
    async () => {
      const invited = await invite(second);
      return async () => expect(await accept(new Browser(first), invited)).toBe(true);
    },
  ],
];

describe('at the next start after all nodes have ended, one of them by a crash', () => {
  const checks = new Map<string, () => Promise<void>>();

  beforeAll(async () => {
    for (const [what, begin] of CARRIED) checks.set(what, await begin());
    await Promise.all([first.program.kill(), second.program.stop()]);
    first = await startNode('first');
  });

  it.each(CARRIED)('%s', async (what) => {
    await checks.get(what)?.();
    expect(checks.delete(what)).toBe(true);
  });
});
