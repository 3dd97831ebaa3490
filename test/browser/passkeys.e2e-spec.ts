import { randomBytes } from 'node:crypto';

import type { Browser as Chromium } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { SESSION_COOKIE } from '../../src/access/authentication/sessions/session-cookie.js';
import { Session } from '../../src/access/authentication/sessions/session.entity.js';
import { AuthorizationChangeLog } from '../../src/access/authorization/change-log/change-log.entity.js';
import { SecurityEvent } from '../../src/access/security-log/security-event.entity.js';
import type { PasskeyDto, PasskeysResponseDto } from '../../src/people/passkeys/passkey.dto.js';
import { Passkey, PasskeyDeviceType } from '../../src/people/passkeys/passkey.entity.js';
import type { PasskeyAnswerDto, PasskeyCreationOptionsDto, PasskeyRequestOptionsDto } from '../../src/people/passkeys/webauthn.dto.js';
import { User } from '../../src/people/users/user.entity.js';
import { newGuid } from '../../src/platform/common/identifiers/guid.js';
import type { TestApp } from '../support/application/app.js';
import { Browser, createPerson, openSession } from '../support/callers/browser.js';
import { testServer, testTenant } from '../support/setup/test-server.js';
import { smallFrontEnd } from '../support/stand-ins/small-front-end.js';
import { hasChromium, startChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { PasskeyPage, type PageAnswer } from './support/passkey-page.js';

/*
 * Passkeys as a browser makes and uses them, with the virtual authenticator of Chromium. Names below localhost are secure contexts, and
 * the browser takes each of them for the service.
 */

const MINUTE = 60_000;
const URL = 'http://service.localhost';
const OPTIONS = { Service_AppOptions__PublicUrl: URL, Service_WebPath: smallFrontEnd() };
const STALE = { detail: 'The challenge has expired, was already answered, or was created for another browser. Request new options.' };
const REFUSED = { detail: 'The passkey was not accepted.' };

const server = testServer(OPTIONS);
const tenant = testTenant(server);
let browser: Chromium;
const opened: PasskeyPage[] = [];

const suite = hasChromium ? describe : describe.skip;

suite(`passkeys${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  beforeAll(async () => {
    server.clock.stop();
    browser = await startChromium(server.url);
  });
  afterEach(async () => {
    for (const page of opened.splice(0)) await page.context.close();
  });
  afterAll(() => browser?.close());

  async function open(cookie?: string): Promise<PasskeyPage> {
    const page = await PasskeyPage.open(browser, URL, cookie);
    opened.push(page);
    return page;
  }

  /** A new user, and a page in which the user is signed in. */
  async function person(values: Partial<User> = {}): Promise<{ user: User; page: PasskeyPage }> {
    const user = await createPerson(server, { tenantId: tenant.id, ...values });
    return { user, page: await open(await openSession(server, user)) };
  }

  /** A new user with a passkey, and the page in which the user added it. */
  async function owner(): Promise<{ user: User; page: PasskeyPage; passkey: PasskeyDto }> {
    const { user, page } = await person();
    const added = await add(page);
    expect(added.status).toBe(201);
    return { user, page, passkey: added.body };
  }

  async function registration(page: PasskeyPage): Promise<PasskeyCreationOptionsDto> {
    const { status, body } = await page.post<PasskeyCreationOptionsDto>('/account/passkeys/registration-options');
    expect(status).toBe(200);
    return body;
  }

  async function add(page: PasskeyPage, name = 'Laptop'): Promise<PageAnswer<PasskeyDto>> {
    return page.post('/account/passkeys', { name, credential: await page.create(await registration(page)) });
  }

  async function signInOptions(page: PasskeyPage): Promise<PasskeyRequestOptionsDto> {
    const { status, body } = await page.post<PasskeyRequestOptionsDto>('/account/passkeys/sign-in-options');
    expect(status).toBe(200);
    return body;
  }

  /** Returns the answer of the page's passkey to a new challenge for a sign-in. */
  const signedAnswer = async (page: PasskeyPage): Promise<PasskeyAnswerDto> => page.answer(await signInOptions(page));
  const signIn = (page: PasskeyPage, answer: PasskeyAnswerDto): Promise<PageAnswer> => page.post('/account/passkeys/sign-in', answer);
  const isSignedIn = async (page: PasskeyPage): Promise<boolean> => (await page.call('GET', '/account/passkeys')).status === 200;

  async function namesIn(page: PasskeyPage): Promise<string[]> {
    const { body } = await page.call<PasskeysResponseDto>('GET', '/account/passkeys');
    return body.items.map(({ name }) => name);
  }

  async function eventsOf({ id }: User, app: TestApp = server): Promise<string[]> {
    const events = await app.dataSource.manager.find(SecurityEvent, { where: { userId: id }, order: { id: 'ASC' } });
    return events.map(({ kind, detail }) => (detail === null ? kind : `${kind}: ${detail}`));
  }

  /** Rows as passkeys of the user have them, which no authenticator knows. */
  async function fill({ id: userId }: User, count: number): Promise<void> {
    const row = { name: 'Filler', counter: '0', transports: [], deviceType: PasskeyDeviceType.SingleDevice, isBackedUp: false };
    const own = () => ({ id: newGuid(), userId, credentialId: randomBytes(16), publicKey: randomBytes(32), ...row });
    await server.dataSource.manager.insert(Passkey, Array.from({ length: count }, own));
  }

  describe('of a user', () => {
    it('are added, listed, renamed and removed, and the session goes on', async () => {
      const { user, page, passkey } = await owner();
      expect(passkey).toMatchObject({ name: 'Laptop', lastUsedAt: null, deviceType: 'SingleDevice', isBackedUp: false });
      expect((await page.call('GET', '/account/passkeys')).body).toEqual({ items: [passkey], maximum: 100 });
      const renamed = await page.call('PUT', `/account/passkeys/${passkey.id}`, { name: ' Old laptop ' });
      expect(renamed).toMatchObject({ status: 200, body: { id: passkey.id, name: 'Old laptop' } });
      expect(await namesIn(page)).toEqual(['Old laptop']);
      expect((await page.call('DELETE', `/account/passkeys/${passkey.id}`)).status).toBe(204);
      expect(await namesIn(page)).toEqual([]);
      expect(await eventsOf(user)).toEqual(['PasskeyAdded: Laptop', 'PasskeyRenamed: Old laptop', 'PasskeyRemoved: Old laptop']);
      const changes = await server.dataSource.manager.find(AuthorizationChangeLog, { where: { targetId: user.id }, order: { id: 'ASC' } });
      expect(changes.map(({ actionType }) => actionType)).toEqual(['user-passkey-added', 'user-passkey-renamed', 'user-passkey-removed']);
    });

    it('are made for the service, for one user, and to be found without a name', async () => {
      const { user, page } = await person();
      const options = await registration(page);
      expect(options).toMatchObject({
        rp: { id: 'service.localhost', name: 'Device Management' },
        user: { name: user.userName },
        excludeCredentials: [],
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        attestation: 'none',
      });
      expect(Buffer.from(options.user.id, 'base64url').toString('hex')).toBe(user.id.replaceAll('-', ''));
      await page.post('/account/passkeys', { name: 'Laptop', credential: await page.create(options) });
      expect((await registration(page)).excludeCredentials).toMatchObject([{ type: 'public-key', transports: ['internal'] }]);
      await expect(registration(page).then((again) => page.create(again))).rejects.toThrow('InvalidStateError');
    });

    it('are at most 100', async () => {
      const { user, page } = await person();
      await fill(user, 99);
      const { body: stepUp } = await page.post<PasskeyRequestOptionsDto>('/account/step-up/passkey-options');
      expect(stepUp.allowCredentials).toEqual([]);
      const credential = await page.create(await registration(page));
      await fill(user, 1);
      const full = { detail: 'A user may have at most 100 passkeys. Delete one first.' };
      expect(await page.post('/account/passkeys', { name: 'One more', credential })).toMatchObject({ status: 409, body: full });
      expect(await page.post('/account/passkeys/registration-options')).toMatchObject({ status: 409, body: full });
      expect((await namesIn(page)).length).toBe(100);
    });

    it('are nothing to another user', async () => {
      const { passkey } = await owner();
      const { page: foreign } = await person();
      expect((await foreign.call('PUT', `/account/passkeys/${passkey.id}`, { name: 'Mine' })).status).toBe(404);
      expect((await foreign.call('DELETE', `/account/passkeys/${passkey.id}`)).status).toBe(404);
      expect(await namesIn(foreign)).toEqual([]);
    });
  });

  describe('a sign-in', () => {
    it('needs no name, opens a session and takes note of the use', async () => {
      const { user, page } = await owner();
      await page.forgetCookies();
      expect(await isSignedIn(page)).toBe(false);
      const options = await signInOptions(page);
      expect(options).toMatchObject({ rpId: 'service.localhost', allowCredentials: [], userVerification: 'required' });
      const answer = await signIn(page, await page.answer(options));
      expect(answer).toMatchObject({ status: 200, body: { outcome: 'SignedIn', mustChangePassword: false } });
      expect(await isSignedIn(page)).toBe(true);
      const cookies = await page.context.cookies(URL);
      expect(cookies.find(({ name }) => name === SESSION_COOKIE)).toMatchObject({ httpOnly: true, sameSite: 'Lax', expires: -1 });
      const { body } = await page.call<PasskeysResponseDto>('GET', '/account/passkeys');
      expect(body.items).toMatchObject([{ lastUsedAt: server.clock.now().toISOString() }]);
      expect(await eventsOf(user)).toEqual(['PasskeyAdded: Laptop', 'SignedIn: Passkey']);
    });

    it('asks for no second factor', async () => {
      const { user, page } = await owner();
      await server.dataSource.manager.update(User, { id: user.id }, { twoFactorEnabled: true });
      expect(await signIn(page, await signedAnswer(page))).toMatchObject({ status: 200, body: { outcome: 'SignedIn' } });
    });

    it('ends the session that the browser had', async () => {
      const { user, page } = await owner();
      const sessions = (): Promise<Session[]> => server.dataSource.manager.findBy(Session, { userId: user.id });
      const [{ id: former }] = await sessions();
      await signIn(page, await signedAnswer(page));
      const [present, ...others] = await sessions();
      expect(present.id).not.toBe(former);
      expect(others).toEqual([]);
    });

    it('is refused when the answer was used before, and opens one session when it comes twice at once', async () => {
      const { user, page } = await owner();
      const answer = await signedAnswer(page);
      expect((await signIn(page, answer)).status).toBe(200);
      expect(await signIn(page, answer)).toMatchObject({ status: 401, body: REFUSED });
      const other = await signedAnswer(page);
      const statuses = (await Promise.all([signIn(page, other), signIn(page, other), signIn(page, other)])).map(({ status }) => status);
      expect(statuses.sort((a, b) => a - b)).toEqual([200, 401, 401]);
      expect((await eventsOf(user)).filter((event) => event === 'SignInFailed: passkey answer that was used before')).toHaveLength(3);
    });

    it('is refused when the challenge was answered before, with another answer', async () => {
      const { page } = await owner();
      const options = await signInOptions(page);
      const [first, second] = [await page.answer(options), await page.answer(options)];
      expect(second.response.signature).not.toBe(first.response.signature);
      expect((await signIn(page, first)).status).toBe(200);
      expect((await signIn(page, second)).status).toBe(401);
    });

    it('is refused after 5 minutes', async () => {
      const { page } = await owner();
      const answer = await signedAnswer(page);
      server.clock.advance(5 * MINUTE);
      expect(await signIn(page, answer)).toMatchObject({ status: 401, body: STALE });
    });

    it('is refused in another browser than the one that asked for the challenge', async () => {
      const { page } = await owner();
      const other = await open();
      const answer = await signedAnswer(page);
      expect(await signIn(other, answer)).toMatchObject({ status: 401, body: STALE });
      await signInOptions(other);
      expect(await signIn(other, answer)).toMatchObject({ status: 401, body: STALE });
    });

    it('is refused when the challenge was made for something else', async () => {
      const { page } = await owner();
      const { challenge } = await registration(page);
      const { body: stepUp } = await page.post<PasskeyRequestOptionsDto>('/account/step-up/passkey-options');
      const options = await signInOptions(page);
      for (const foreign of [challenge, stepUp.challenge, randomBytes(54).toString('base64url')]) {
        expect(await signIn(page, await page.answer({ ...options, challenge: foreign }))).toMatchObject({ status: 401, body: STALE });
      }
    });

    it('is refused when a page of another origin asked for the answer', async () => {
      const { user, page } = await owner();
      const options = await signInOptions(page);
      // The browser lets a page below the domain use its passkeys; the service does not.
      await page.goTo('http://evil.service.localhost');
      const answer = await page.answer(options);
      await page.goTo(URL);
      expect(await signIn(page, answer)).toMatchObject({ status: 401, body: REFUSED });
      expect(await eventsOf(user)).toContain('SignInFailed: passkey with a wrong answer');
    });

    it('is refused without a verified user', async () => {
      const { page } = await owner();
      const options = await signInOptions(page);
      await page.verifyUser(false);
      const answer = await page.answer({ ...options, userVerification: 'discouraged' });
      expect(await signIn(page, answer)).toMatchObject({ status: 401, body: REFUSED });
    });

    it('is refused when anything of the answer was changed', async () => {
      const { page, user } = await owner();
      const other = await owner();
      const answer = await signedAnswer(page);
      const change = (response: Partial<PasskeyAnswerDto['response']>): PasskeyAnswerDto => ({
        ...answer,
        response: { ...answer.response, ...response },
      });
      const foreign = (await signedAnswer(other.page)).response;
      const changed = [
        change({ signature: foreign.signature }),
        change({ authenticatorData: `${answer.response.authenticatorData}AAAA` }),
        change({ userHandle: foreign.userHandle }),
        change({ userHandle: null }),
        { ...answer, id: 'AAAA', rawId: 'AAAA' },
      ];
      for (const one of changed) expect(await signIn(page, one)).toMatchObject({ status: 401, body: REFUSED });
      expect((await eventsOf(user)).filter((event) => event.startsWith('SignInFailed'))).toHaveLength(2);
      expect((await signIn(page, answer)).status).toBe(200);
    });

    it('is refused after the passkey was removed', async () => {
      const { page, passkey } = await owner();
      await page.call('DELETE', `/account/passkeys/${passkey.id}`);
      expect(await signIn(page, await signedAnswer(page))).toMatchObject({ status: 401, body: REFUSED });
    });

    it('is refused when the authenticator was copied, which the security log says', async () => {
      const { user, page } = await owner();
      const copy = await page.copyAuthenticator();
      expect((await signIn(page, await signedAnswer(page))).status).toBe(200);
      await page.restoreAuthenticator(copy);
      expect(await signIn(page, await signedAnswer(page))).toMatchObject({ status: 401, body: REFUSED });
      expect(await eventsOf(user)).toContain('SignInFailed: passkey whose counter went back: it may have been copied');
      // The copy has counted on by its failure. The next time, nothing tells it apart, which is why the log does.
      expect((await signIn(page, await signedAnswer(page))).status).toBe(200);
    });

    it('is never locked, neither by wrong answers nor by guesses at the password', async () => {
      const { user, page } = await owner();
      await page.verifyUser(false);
      const refused = async (): Promise<PageAnswer> =>
        signIn(page, await page.answer({ ...(await signInOptions(page)), userVerification: 'discouraged' }));
      for (let attempt = 1; attempt <= 6; attempt += 1) expect(await refused()).toMatchObject({ status: 401, body: REFUSED });
      for (let attempt = 1; attempt <= 6; attempt += 1) await new Browser(server).signIn(user, 'Wrong-Horse-7');
      await page.verifyUser(true);
      expect(await eventsOf(user)).toContain('LockedOut');
      expect((await signIn(page, await signedAnswer(page))).status).toBe(200);
    });
  });

  describe('a new passkey', () => {
    it('is refused when its challenge was answered before', async () => {
      const { page } = await person();
      const credential = await page.create(await registration(page));
      expect((await page.post('/account/passkeys', { name: 'Laptop', credential })).status).toBe(201);
      expect((await page.post('/account/passkeys', { name: 'Again', credential })).status).toBe(401);
      expect(await namesIn(page)).toEqual(['Laptop']);
    });

    it('is refused with the challenge of another user, or of another session of the same', async () => {
      const { user, page } = await person();
      const { page: foreign } = await person();
      const elsewhere = await open(await openSession(server, user));
      const credential = await page.create(await registration(page));
      for (const other of [foreign, elsewhere]) {
        expect(await other.post('/account/passkeys', { name: 'Stolen', credential })).toMatchObject({ status: 401, body: STALE });
      }
      expect((await page.post('/account/passkeys', { name: 'Mine', credential })).status).toBe(201);
    });

    it('is refused when it was made for another service', async () => {
      const { page } = await person();
      const options = await registration(page);
      await page.goTo('http://other.localhost');
      const credential = await page.create({ ...options, rp: { id: 'other.localhost', name: 'Other' } });
      await page.goTo('http://evil.service.localhost');
      const below = await page.create(options);
      await page.goTo(URL);
      for (const one of [credential, below]) {
        expect((await page.post('/account/passkeys', { name: 'Foreign', credential: one })).status).toBe(400);
      }
      expect(await namesIn(page)).toEqual([]);
    });

    it('is refused without a verified user', async () => {
      const { page } = await person();
      const options = await registration(page);
      await page.takeSimpleAuthenticator();
      const authenticatorSelection = { ...options.authenticatorSelection, userVerification: 'discouraged' };
      const credential = await page.create({ ...options, authenticatorSelection });
      expect((await page.post('/account/passkeys', { name: 'Unverified', credential })).status).toBe(400);
    });
  });

  describe('a proof of identity', () => {
    it('opens what asks for one', async () => {
      const { user, page, passkey } = await owner();
      server.clock.advance(16 * MINUTE);
      const remove = (): Promise<PageAnswer> => page.call('DELETE', `/account/passkeys/${passkey.id}`);
      expect(await remove()).toMatchObject({ status: 403, body: { reason: 'StepUpRequired' } });
      expect((await page.post('/account/passkeys/registration-options')).status).toBe(403);
      const { body: options } = await page.post<PasskeyRequestOptionsDto>('/account/step-up/passkey-options');
      expect(options.allowCredentials).toHaveLength(1);
      const answer = await page.answer(options);
      const provenUntil = new Date(server.clock.milliseconds() + 15 * MINUTE).toISOString();
      expect(await page.post('/account/step-up/passkey', answer)).toMatchObject({ status: 200, body: { provenUntil } });
      expect((await page.post('/account/step-up/passkey', answer)).status).toBe(401);
      expect((await remove()).status).toBe(204);
      expect(await eventsOf(user)).toEqual([
        'PasskeyAdded: Laptop',
        'IdentityProven',
        'ProofFailed: passkey answer that was used before',
        'PasskeyRemoved: Laptop',
      ]);
    });

    it('is refused with the passkey of another user', async () => {
      const { page } = await owner();
      const { page: foreign } = await owner();
      await foreign.restoreAuthenticator(await page.copyAuthenticator());
      const { body: options } = await foreign.post<PasskeyRequestOptionsDto>('/account/step-up/passkey-options');
      const answer = await foreign.answer({ ...options, allowCredentials: [] });
      expect(await foreign.post('/account/step-up/passkey', answer)).toMatchObject({ status: 401, body: REFUSED });
    });
  });

  describe('where addresses have to be confirmed and browsers stay signed in', () => {
    const strict = testServer({
      ...OPTIONS,
      Service_AppOptions__RequireUserEmailConfirmation: 'true',
      Service_AppOptions__PersistPasskeyLogin: 'true',
    });
    const home = testTenant(strict);
    let elsewhere: Chromium;
    beforeAll(async () => (elsewhere = await startChromium(strict.url)));
    afterAll(() => elsewhere?.close());

    it('a sign-in waits for the confirmation, and then outlives the browser', async () => {
      const user = await createPerson(strict, { tenantId: home.id, emailConfirmed: false });
      const page = await PasskeyPage.open(elsewhere, URL, await openSession(strict, user));
      expect((await add(page)).status).toBe(201);
      await page.forgetCookies();
      expect((await signIn(page, await signedAnswer(page))).body).toEqual({
        outcome: 'EmailConfirmationRequired',
        mustChangePassword: false,
      });
      expect(await isSignedIn(page)).toBe(false);
      await strict.dataSource.manager.update(User, { id: user.id }, { emailConfirmed: true });
      expect((await signIn(page, await signedAnswer(page))).body).toEqual({ outcome: 'SignedIn', mustChangePassword: false });
      const cookies = await page.context.cookies(URL);
      expect(cookies.find(({ name }) => name === SESSION_COOKIE)?.expires).toBeGreaterThan(Date.now() / 1000);
      await page.context.close();
    });
  });
});
