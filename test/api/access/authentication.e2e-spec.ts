import { beforeAll, describe, expect, it } from 'vitest';
import { Logger } from '@nestjs/common';

import { KeyVerifier } from '../../../src/access/authentication/credentials/key-verifier.js';
import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { PersonalAccessTokenPermissionMode } from '../../../src/people/personal-access-tokens/personal-access-token.entity.js';
import { ServiceAccountAccessMode } from '../../../src/people/service-accounts/service-account.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { formatKey, hashSecret, newSecret } from '../../../src/platform/common/identifiers/secret.js';
import type { ApiAnswer } from '../../support/application/api-client.js';
import { ROOT_KEY, TestApp } from '../../support/application/app.js';
import { detailOf } from '../../support/callers/callers.js';
import {
  at,
  createPersonalAccessToken,
  createServiceAccountWithKey,
  createUser,
  grant,
  holder,
  type CallingServiceAccount,
  type CallingToken,
} from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

/** A route that needs a server permission. */
const ROUTE = '/api/v1/tenants';
const MINUTE = 60_000;

const server = testServer();
const tenant = testTenant(server);

// How long to wait is told in seconds.
beforeAll(() => server.clock.stop());

function call(headers: Record<string, string>, of = server): Promise<ApiAnswer> {
  return of.client(headers).get(ROUTE);
}

/** An account that may call {@link ROUTE}. */
function account(credential: Parameters<typeof createServiceAccountWithKey>[2] = {}, of = server): Promise<CallingServiceAccount> {
  return createServiceAccountWithKey(of, { accessMode: ServiceAccountAccessMode.Unrestricted }, credential);
}

/** A token of a user that may call {@link ROUTE}. */
async function token(values: Parameters<typeof createPersonalAccessToken>[2] = {}, lockoutEnd: Date | null = null): Promise<CallingToken> {
  const user = await createUser(server, { tenantId: tenant.id, lockoutEnd });
  await grant(server, { principal: holder.user(user), permission: Permission.ServerTenantsRead, scope: at.server });
  return createPersonalAccessToken(server, user, { permissionMode: PersonalAccessTokenPermissionMode.InheritOwner, ...values });
}

const wrong = (key: string): string => `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`;
/** A separate address for each test, so that failures of one do not count in another. */
let lastAddress = 0;
const fromElsewhere = (): { readonly 'x-forwarded-for': string } => ({ 'x-forwarded-for': `198.51.100.${(lastAddress += 1)}` });

const past = (): Date => new Date(server.clock.milliseconds() - MINUTE);
const future = (): Date => new Date(server.clock.milliseconds() + MINUTE);

describe.each(['x-api-key', 'x-personal-token'])('a malformed %s', (header) => {
  const hex = '0123456789ABCDEF0123456789ABCDEF';

  it.each([
    '',
    'x',
    hex,
    `${hex}:`,
    `:${hex}`,
    `${hex.slice(1)}:secret`,
    `${newGuid()}:secret`,
    `${hex.slice(1)}G:secret`,
    `${hex}:${'x'.repeat(500)}`,
  ])('answers 400: %j', async (value) => {
    const answer = await call({ [header]: value });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(answer.body).toMatchObject({
      type: 'about:blank',
      title: 'Invalid request.',
      status: 400,
      detail: expect.stringContaining(header),
    });
  });

  it('does not count as a failed attempt', async () => {
    const address = fromElsewhere();
    for (let attempt = 0; attempt < 10; attempt += 1) await call({ [header]: 'malformed', ...address });
    expect((await call({ 'x-api-key': ROOT_KEY, ...address })).status).toBe(200);
  });
});

describe('a well-formed credential that does not authenticate', () => {
  const cases: readonly (readonly [string, () => Promise<Record<string, string>>])[] = [
    ['no credential', () => Promise.resolve({})],
    ['an unknown API key', () => Promise.resolve({ 'x-api-key': formatKey(newGuid(), 'secret') })],
    ['an API key with a wrong secret', async () => ({ 'x-api-key': wrong((await account()).key) })],
    ['a revoked API key', async () => ({ 'x-api-key': (await account({ revokedAt: past() })).key })],
    ['an expired API key', async () => ({ 'x-api-key': (await account({ expiresAt: past() })).key })],
    [
      'an API key of a disabled account',
      async () => ({ 'x-api-key': (await createServiceAccountWithKey(server, { isEnabled: false })).key }),
    ],
    ['an unknown personal access token', () => Promise.resolve({ 'x-personal-token': formatKey(newGuid(), 'secret') })],
    ['a personal access token with a wrong secret', async () => ({ 'x-personal-token': wrong((await token()).key) })],
    ['a revoked personal access token', async () => ({ 'x-personal-token': (await token({ revokedAt: past() })).key })],
    ['an expired personal access token', async () => ({ 'x-personal-token': (await token({ expiresAt: past() })).key })],
    ['a personal access token of a user who is locked out', async () => ({ 'x-personal-token': (await token({}, future())).key })],
    ['a personal access token as API key', async () => ({ 'x-api-key': (await token()).key })],
    ['an API key as personal access token', () => Promise.resolve({ 'x-personal-token': ROOT_KEY })],
    ['a session cookie that was never issued', () => Promise.resolve({ cookie: 'device-management-session=x' })],
  ];

  it.each(cases)('answers 401: %s', async (_name, headers) => {
    const answer = await call({ ...(await headers()), ...fromElsewhere() });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('retry-after')).toBeNull();
    expect(answer.headers.get('www-authenticate')).toBe(
      'ApiKey realm="device-management", header="x-api-key", PersonalToken realm="device-management", header="x-personal-token"',
    );
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(answer.body).toMatchObject({ type: 'about:blank', title: 'Unauthorized.', status: 401 });
  });

  it('answers the only status with WWW-Authenticate', async () => {
    const { key } = await createServiceAccountWithKey(server);
    const answers = await Promise.all([ROOT_KEY, 'malformed', key].map((value) => call({ 'x-api-key': value })));
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 403]);
    for (const { headers } of answers) expect(headers.get('www-authenticate')).toBeNull();
  });

  it('answers the same message whatever was wrong', async () => {
    const presented = [formatKey(newGuid(), 'secret'), wrong((await account()).key), (await account({ revokedAt: past() })).key];
    const answers = await Promise.all(presented.map((key) => call({ 'x-api-key': key, ...fromElsewhere() })));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  it('never accepts a credential under the header of another kind, also when it is cached', async () => {
    const { key } = await token();
    expect((await call({ 'x-personal-token': key })).status).toBe(200);
    expect((await call({ 'x-api-key': key, ...fromElsewhere() })).status).toBe(401);
    expect((await call({ 'x-api-key': ROOT_KEY })).status).toBe(200);
    expect((await call({ 'x-personal-token': ROOT_KEY, ...fromElsewhere() })).status).toBe(401);
  });

  it('checks the secret on every request, also right after a valid one', async () => {
    const { key } = await account();
    expect((await call({ 'x-api-key': key })).status).toBe(200);
    expect((await call({ 'x-api-key': wrong(key), ...fromElsewhere() })).status).toBe(401);
    expect((await call({ 'x-api-key': key })).status).toBe(200);
  });
});

describe('a valid credential', () => {
  it('has its hexadecimal part read in any case', async () => {
    const { key } = await account();
    const lower = key.slice(0, 32).toLowerCase() + key.slice(32);
    expect((await call({ 'x-api-key': lower })).status).toBe(200);
  });

  it('works until it expires, and again when the lock-out of its user ends', async () => {
    const { key } = await account({ expiresAt: new Date(server.clock.milliseconds() + 5 * MINUTE) });
    const locked = await token({}, new Date(server.clock.milliseconds() + 5 * MINUTE));
    const address = fromElsewhere();
    expect((await call({ 'x-api-key': key })).status).toBe(200);
    expect((await call({ 'x-personal-token': locked.key, ...address })).status).toBe(401);
    server.clock.advance(5 * MINUTE);
    expect((await call({ 'x-api-key': key, ...fromElsewhere() })).status).toBe(401);
    expect((await call({ 'x-personal-token': locked.key, ...address })).status).toBe(200);
  });

  it('is the personal access token when both are sent, right or wrong', async () => {
    const good = await token();
    expect((await call({ 'x-personal-token': good.key, 'x-api-key': 'malformed' })).status).toBe(200);
    expect((await call({ 'x-personal-token': wrong(good.key), 'x-api-key': ROOT_KEY, ...fromElsewhere() })).status).toBe(401);
    const powerless = await createPersonalAccessToken(server, await createUser(server, { tenantId: tenant.id }));
    expect((await call({ 'x-personal-token': powerless.key, 'x-api-key': ROOT_KEY })).status).toBe(403);
  });

  it('is not read from an Authorization header or from a logonToken in an API path', async () => {
    expect((await call({ 'x-api-key': ROOT_KEY, authorization: 'Bearer nonsense' })).status).toBe(200);
    const answer = await server.client({ 'x-api-key': ROOT_KEY }).get(ROUTE, { query: { logonToken: 'x' } });
    expect(answer.status).toBe(200);
  });

  it('is not read on anonymous routes', async () => {
    const presented: readonly Record<string, string>[] = [
      { 'x-api-key': 'malformed' },
      { 'x-personal-token': formatKey(newGuid(), 'x') },
      { cookie: 'device-management-session=x' },
    ];
    for (const headers of presented) {
      for (const path of ['/alive', '/health']) expect((await server.client(headers).get(path)).status).toBe(200);
    }
  });
});

describe('throttling', () => {
  const LIMIT = 5;
  const from = (address: string, key: string, of = server): Promise<ApiAnswer> =>
    call({ 'x-api-key': key, 'x-forwarded-for': address }, of);

  async function failTimes(times: number, address: string, key: string, of = server): Promise<void> {
    for (let attempt = 0; attempt < times; attempt += 1) expect((await from(address, wrong(key), of)).status).toBe(401);
  }

  it('refuses an address after five failures, with any credential, but no other address', async () => {
    const keys = await Promise.all(Array.from({ length: LIMIT }, () => account()));
    for (const { key } of keys) await failTimes(1, '203.0.113.1', key);
    const refused = await from('203.0.113.1', ROOT_KEY);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([401, null]);
    expect(refused.headers.get('www-authenticate')).not.toBeNull();
    expect((await from('203.0.113.2', ROOT_KEY)).status).toBe(200);
    expect((await from('203.0.113.2', keys[0].key)).status).toBe(200);
  });

  it('refuses a credential after five failures, from any address, but no other credential', async () => {
    const { key } = await account();
    for (let n = 10; n < 10 + LIMIT; n += 1) await failTimes(1, `203.0.113.${n}`, key);
    expect((await from('203.0.113.20', key)).status).toBe(401);
    expect((await from('203.0.113.10', ROOT_KEY)).status).toBe(200);
  });

  it('answers how long to wait, and logs this once per address and credential', async () => {
    const { key, credential } = await account();
    const lines: unknown[] = [];
    const note = (message: unknown): void => void lines.push(message);
    Logger.overrideLogger({ log: note, warn: note, error: note });
    try {
      await failTimes(LIMIT, '203.0.113.90', key);
      server.clock.advance(2 * MINUTE + 1);
      const details = [];
      for (const address of ['203.0.113.90', '203.0.113.90', '203.0.113.91']) details.push(detailOf(await from(address, key)));
      const wait = 'Authentication failed too often: the credential in x-api-key was not checked. Try again in 180 seconds.';
      expect(details).toEqual([wait, wait, wait]);
    } finally {
      Logger.overrideLogger(false);
    }
    const refused = (source: string): object => ({
      message: 'An authentication failed.',
      reason: expect.any(String),
      source,
      method: 'GET',
      path: expect.any(String),
      requestId: expect.any(String),
    });
    expect(lines).toEqual([
      refused('203.0.113.90'),
      'Authentication failed 5 times for the address 203.0.113.90, which is refused for 300 seconds.',
      `Authentication failed 5 times for the credential ${credential.id}, which is refused for 300 seconds.`,
      refused('203.0.113.91'),
    ]);
    server.clock.advance(3 * MINUTE);
    expect((await from('203.0.113.90', key)).status).toBe(200);
  });

  it('counts personal access tokens in the same way', async () => {
    const { key } = await token();
    const headers = { 'x-forwarded-for': '203.0.113.30' };
    for (let attempt = 0; attempt < LIMIT; attempt += 1) await call({ 'x-personal-token': wrong(key), ...headers });
    expect((await call({ 'x-personal-token': key, ...headers })).status).toBe(401);
    expect((await call({ 'x-personal-token': key, 'x-forwarded-for': '203.0.113.31' })).status).toBe(401);
  });

  it('clears both counters with a success', async () => {
    const { key } = await account();
    await failTimes(LIMIT - 1, '203.0.113.40', key);
    expect((await from('203.0.113.40', key)).status).toBe(200);
    await failTimes(LIMIT - 1, '203.0.113.40', key);
    expect((await from('203.0.113.40', key)).status).toBe(200);
  });

  it('ends with its window, which further attempts do not prolong', async () => {
    const { key } = await account();
    await failTimes(LIMIT, '203.0.113.50', key);
    server.clock.advance(4 * MINUTE);
    await failTimes(LIMIT, '203.0.113.50', key);
    server.clock.advance(MINUTE);
    expect((await from('203.0.113.50', key)).status).toBe(200);
  });

  it('counts parallel attempts before any of them was answered', async () => {
    const verifier = server.app.get(KeyVerifier);
    const [id, secret] = [newGuid(), newSecret()];
    let endReading = (): void => undefined;
    const read = new Promise<void>((resolve) => (endReading = resolve));
    const attempts = [...Array.from({ length: LIMIT }, () => 'guessed'), secret].map((presented, n) =>
      verifier.verify(formatKey(id, presented), 'x-api-key', `203.0.113.${80 + n}`, async () => {
        await read;
        const principal = { id: newGuid() };
        return { hashedSecret: hashSecret(secret), expiresAt: null, isRevoked: false, isOwnerActive: true, lockedUntil: null, principal };
      }),
    );
    endReading();
    const outcomes = await Promise.allSettled(attempts);
    expect(outcomes.map(({ status }) => status)).toEqual(attempts.map(() => 'rejected'));
  });

  it('counts the address that a trusted proxy reports, not one that the client claims', async () => {
    const { key } = await account();
    for (let n = 0; n < LIMIT; n += 1) await failTimes(1, `10.9.9.${n}, 203.0.113.60`, key);
    const other = await account();
    expect((await from('203.0.113.60', other.key)).status).toBe(401);
    expect((await from('10.9.9.1', other.key)).status).toBe(200);
  });

  it('follows its settings, and is switched off by 0', async () => {
    for (const [limit, throttledAfter] of [
      ['2', 2],
      ['0', null],
    ] as const) {
      const other = await TestApp.start({ Service_AppOptions__ServiceAccountAuthFailureLimit: limit });
      try {
        await failTimes(throttledAfter ?? 20, '203.0.113.70', ROOT_KEY, other);
        expect((await from('203.0.113.70', ROOT_KEY, other)).status).toBe(throttledAfter === null ? 200 : 401);
      } finally {
        await other.stop();
      }
    }
  });
});
