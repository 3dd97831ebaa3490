import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

import { beforeEach, describe, expect, it } from 'vitest';

import { TestClock } from '../../../test/support/application/test-clock.js';
import { OpenIdConnectProvider } from './open-id-connect-provider.js';

/*
 * Microsoft cannot be started here, and its rule about issuers holds for its own address only. So its answers are stood in for: one
 * address for everybody, which names no issuer but a pattern, and tokens of the organization of each person. All else is tested with a
 * real provider in test/api/people/external-sign-in.
 */

const ISSUER = 'https://login.microsoftonline.com/common/v2.0';
const SETTINGS = {
  name: 'microsoft',
  displayName: 'Microsoft',
  issuer: ISSUER,
  clientId: 'service',
  clientSecret: 'secret',
  clientAuthentication: 'Post',
  scopes: 'openid profile email',
  vouchesForAddresses: false,
} as const;
const SECRETS = { state: 'the-state', nonce: 'the-nonce', codeVerifier: 'v'.repeat(43) };
const CALLBACK = 'https://devices.example/account/external/microsoft/callback';
const WISH = { redirectUri: CALLBACK, isAnew: false };
const ANSWER = new URL(`${CALLBACK}?code=c&state=the-state`);
const TENANT = '11111111-2222-3333-4444-555555555555';
const OTHER_TENANT = '66666666-7777-8888-9999-aaaaaaaaaaaa';
const issuerOf = (tenant: string): string => `https://login.microsoftonline.com/${tenant}/v2.0`;

const KEY = generateKeyPairSync('rsa', { modulusLength: 2048 });
const FOREIGN_KEY = generateKeyPairSync('rsa', { modulusLength: 2048 });

function token(claims: object, key: KeyObject = KEY.privateKey): string {
  const now = Math.floor(Date.now() / 1000);
  const all = { aud: 'service', sub: 'anna', nonce: SECRETS.nonce, iat: now, exp: now + 60, name: 'Anna', ...claims };
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ alg: 'RS256', kid: 'k' })}.${part(all)}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
}

const clock = new TestClock();
let idToken = '';
let isDown = false;
const asked: string[] = [];
let microsoft: OpenIdConnectProvider;

const answers: Readonly<Record<string, () => object>> = {
  [`${ISSUER}/.well-known/openid-configuration`]: () => ({
    issuer: issuerOf('{tenantid}'),
    authorization_endpoint: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
    token_endpoint: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
    jwks_uri: 'https://login.microsoftonline.com/common/discovery/v2.0/keys',
    id_token_signing_alg_values_supported: ['RS256'],
  }),
  'https://login.microsoftonline.com/common/oauth2/v2.0/token': () => ({ access_token: 'a', token_type: 'Bearer', id_token: idToken }),
  'https://login.microsoftonline.com/common/discovery/v2.0/keys': () => ({
    keys: [{ ...KEY.publicKey.export({ format: 'jwk' }), kid: 'k', use: 'sig', alg: 'RS256' }],
  }),
};

beforeEach(() => {
  clock.stop();
  isDown = false;
  asked.length = 0;
  microsoft = new OpenIdConnectProvider(SETTINGS, clock, (url) => {
    asked.push(url);
    return isDown ? Promise.reject(new TypeError('fetch failed')) : Promise.resolve(Response.json(answers[url]?.() ?? {}));
  });
});

describe('Microsoft', () => {
  it('is asked at its address for all organizations, with the challenge of the verifier', async () => {
    const { origin, pathname, searchParams } = await microsoft.addressFor(WISH, SECRETS);
    expect(origin + pathname).toBe('https://login.microsoftonline.com/common/oauth2/v2.0/authorize');
    expect(searchParams.get('code_challenge')).toBe(createHash('sha256').update(SECRETS.codeVerifier).digest('base64url'));
  });

  it.each([TENANT, OTHER_TENANT])('vouches for people of the organization %s, under its own issuer', async (tenant) => {
    idToken = token({ iss: issuerOf(tenant), tid: tenant });
    const identity = {
      issuer: issuerOf(tenant),
      subject: 'anna',
      displayName: 'Anna',
      email: null,
      isEmailVerified: false,
      signInAge: Number.POSITIVE_INFINITY,
    };
    expect(await microsoft.identify(ANSWER, SECRETS)).toEqual(identity);
  });

  it('is not trusted about addresses: each organization could claim any', async () => {
    idToken = token({ iss: issuerOf(TENANT), tid: TENANT, email: 'ceo@victim.example', email_verified: true });
    expect(await microsoft.identify(ANSWER, SECRETS)).toMatchObject({ email: 'ceo@victim.example', isEmailVerified: false });
  });

  it('is asked to have people sign in again, and says when they did', async () => {
    const { searchParams } = await microsoft.addressFor({ ...WISH, isAnew: true }, SECRETS);
    expect([searchParams.get('prompt'), searchParams.get('max_age')]).toEqual(['login', '0']);
    const now = Math.floor(Date.now() / 1000);
    idToken = token({ iss: issuerOf(TENANT), tid: TENANT, iat: now, auth_time: now - 7 });
    expect(await microsoft.identify(ANSWER, SECRETS)).toMatchObject({ signInAge: 7 });
  });

  it.each([
    ['the issuer of another organization', () => token({ iss: issuerOf(OTHER_TENANT), tid: TENANT })],
    ['another issuer', () => token({ iss: 'https://evil.example', tid: TENANT })],
    ['the pattern itself', () => token({ iss: issuerOf('{tenantid}') })],
    ['another recipient', () => token({ iss: issuerOf(TENANT), tid: TENANT, aud: 'other' })],
    ['another nonce', () => token({ iss: issuerOf(TENANT), tid: TENANT, nonce: 'other' })],
    ['an end in the past', () => token({ iss: issuerOf(TENANT), tid: TENANT, exp: 1 })],
    ['an empty subject', () => token({ iss: issuerOf(TENANT), tid: TENANT, sub: '' })],
    ['a foreign signature', () => token({ iss: issuerOf(TENANT), tid: TENANT }, FOREIGN_KEY.privateKey)],
  ])('does not vouch for a person by a token with %s', async (_what, make) => {
    idToken = make();
    await expect(microsoft.identify(ANSWER, SECRETS)).rejects.toMatchObject({ code: 'ProviderFailed' });
  });
});

describe('the metadata of a provider', () => {
  const discovery = `${ISSUER}/.well-known/openid-configuration`;
  const discoveries = (): number => asked.filter((url) => url === discovery).length;

  it('is read at the first sign-in, and kept for an hour', async () => {
    expect(discoveries()).toBe(0);
    await Promise.all([microsoft.addressFor(WISH, SECRETS), microsoft.addressFor(WISH, SECRETS)]);
    clock.advance(59 * 60_000);
    await microsoft.addressFor(WISH, SECRETS);
    expect(discoveries()).toBe(1);
    clock.advance(60_000);
    await microsoft.addressFor(WISH, SECRETS);
    expect(discoveries()).toBe(2);
  });

  it('is read again after a failure', async () => {
    isDown = true;
    await expect(microsoft.addressFor(WISH, SECRETS)).rejects.toMatchObject({ code: 'ProviderUnavailable' });
    isDown = false;
    await expect(microsoft.addressFor(WISH, SECRETS)).resolves.toBeInstanceOf(URL);
  });
});
