import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Permission } from '../../src/access/authorization/permissions/permission.js';
import { User } from '../../src/people/users/user.entity.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { authenticatorCode } from '../support/callers/authenticator-app.js';
import { browserOf, createPerson, PASSWORD } from '../support/callers/browser.js';
import { at, grantAll, holder } from '../support/fixtures/factories.js';
import { CLIENT, IdentityProvider } from '../support/stand-ins/identity-provider.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { frontEnd } from './support/front-end.js';
import { hold } from './support/hold.js';
import { addAuthenticator } from './support/passkey-page.js';

/*
 * The ways to sign in, as people go them on the pages: passkeys, invitations, temporary passwords, another provider, a further proof, and
 * what happens to other tabs.
 */

const MINUTE = 60_000;
const OWN_PASSWORD = 'Battery-Staple-9';
/** Answer to a page that asks who is signed in while nobody is. */
const NOBODY = '401 GET /account/session';
/** Answer to the navigation when the session has just ended. */
const ENDED = '401 GET /api/v1/user-storage/device-views';
/** Answer to the live line then. */
const NO_LINE = '401 POST /hubs/viewer/negotiate';

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;
const provider = await IdentityProvider.start();
afterAll(() => provider.stop());

suite(`signing in on the pages${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built, {
    Service_AppOptions__RequireUserEmailConfirmation: 'true',
    Service_OpenIdConnect__0__Name: 'corporate',
    Service_OpenIdConnect__0__DisplayName: 'Contoso',
    Service_OpenIdConnect__0__Issuer: provider.issuer,
    Service_OpenIdConnect__0__ClientId: CLIENT.id,
    Service_OpenIdConnect__0__ClientSecret: CLIENT.secret,
  });
  let administrator: User;

  beforeAll(async () => {
    administrator = await app.administrator();
    provider.register([`${app.origin}/account/external/corporate/callback`]);
  });

  const person = (values: Partial<User> = {}): Promise<User> => createPerson(app.server, { tenantId: administrator.tenantId, ...values });

  async function signIn(page: Page, { userName }: User, password = PASSWORD): Promise<void> {
    await page.getByLabel('E-mail').fill(userName);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  const isLive = (page: Page) => page.getByRole('banner').getByText('Live', { exact: true });

  /** Replaces the temporary password. */
  async function chooseOwn(page: Page): Promise<void> {
    await page.getByLabel('Temporary password').fill(PASSWORD);
    await page.getByLabel('New password', { exact: true }).fill(OWN_PASSWORD);
    await page.getByRole('button', { name: 'Set password' }).click();
  }

  /** Gives a page an authenticator that stores passkeys and answers by itself. */
  async function withAuthenticator(page: Page): Promise<void> {
    const devTools = await page.context().newCDPSession(page);
    await devTools.send('WebAuthn.enable');
    await addAuthenticator(devTools, true);
  }

  /** Asks for another passkey on the page of the account. */
  async function beginPasskey(page: Page, name: string): Promise<void> {
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill(name);
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
  }

  it('works with a passkey that was added on the page of the account', async (test) => {
    const window = await app.open(test, { user: await person(), allowedRefusals: [NOBODY] });
    const { page } = window;
    await withAuthenticator(page);
    await window.goTo('/account/security');
    await beginPasskey(page, 'Blue laptop');
    await page.getByRole('cell', { name: 'Blue laptop', exact: true }).waitFor();

    await window.deleteCookies();
    await page.goto('/signin?next=/account/sessions');
    const isIn = page.waitForURL('**/account/sessions');
    // The authenticator may answer what the page offers in the field of the name, before anybody presses the button.
    await Promise.race([isIn, page.getByRole('button', { name: 'Sign in with a passkey' }).click()]).catch(() => undefined);
    await isIn;
    // Only one of both has signed in.
    await page.getByRole('row', { name: /This session.*Passkey/ }).waitFor();
    expect(await page.getByRole('row', { name: /Passkey/ }).count()).toBe(1);
  });

  it('leads to the list of devices where the address names another host as the next page', async (test) => {
    const window = await app.open(test, { user: await person() });
    await window.goTo('/signin?next=/.//other.example/devices');
    await window.page.waitForURL(`${app.origin}/devices`);
  });

  it('says that the e-mail or the password is wrong, and lets the user try again', async (test) => {
    const user = await person();
    const window = await app.open(test, { allowedRefusals: [NOBODY, '401 POST /account/sign-in'] });
    const { page } = window;
    await window.goTo('/signin');
    await page.getByLabel('E-mail').fill(user.userName);
    await page.getByLabel('Password', { exact: true }).fill('Wrong-Password-1');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').getByText('Wrong e-mail or password.', { exact: true }).waitFor();
    expect(await window.check.accessibility()).toEqual([]);
    await signIn(page, user);
    await page.waitForURL('**/devices');
  });

  it('with a temporary password leads to choosing another, and nowhere else before', async (test) => {
    const user = await person({ requirePasswordChange: true });
    const window = await app.open(test, { allowedRefusals: [NOBODY, '400 POST /account/password'] });
    const { page } = window;
    await window.goTo('/signin?next=/account/profile');
    await signIn(page, user);
    await page.getByRole('heading', { name: 'Choose your own password' }).waitFor();
    await window.goTo('/account/sessions?from=mail#top');
    await page.waitForURL('**/password-change-required?*');
    expect(await window.check.accessibility()).toEqual([]);

    // A password that the browser would have let pass, and the service does not.
    await page.getByLabel('Temporary password').fill(PASSWORD);
    await page.getByLabel('New password', { exact: true }).fill('all-small-letters');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.locator('[name="newPassword"][aria-invalid="true"]').waitFor();
    await chooseOwn(page);
    // Where the user was going.
    await page.waitForURL('**/account/sessions*');
    await window.goTo('/account/profile');
    await page.getByRole('heading', { name: 'Profile' }).waitFor();
  });

  it('with a temporary password goes on to the page that was asked for', async (test) => {
    const window = await app.open(test, { allowedRefusals: [NOBODY] });
    const { page } = window;
    await window.goTo('/signin?next=/account/profile');
    await signIn(page, await person({ requirePasswordChange: true }));
    await chooseOwn(page);
    await page.waitForURL('**/account/profile');
  });

  it('says why the browser cannot use passkeys when one is asked for, and not before', async (test) => {
    const window = await app.open(test, { allowedRefusals: [NOBODY] });
    const { page } = window;
    await page.addInitScript(`navigator.credentials.get = () => Promise.reject(new DOMException('Too far away.', 'NotReadableError'));`);
    const offers: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/sign-in-options')) offers.push(request.method());
    });
    await Promise.all([page.waitForResponse('**/account/passkeys/sign-in-options'), window.goTo('/signin')]);
    await window.untilStill();
    expect([offers, await page.getByRole('alert').allInnerTexts()]).toEqual([['POST'], []]);

    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('Too far away.').waitFor();
  });

  it('follows from an invitation, by its link', async (test) => {
    const inviting = await app.open(test, { user: administrator });
    await inviting.goTo('/invites');
    await inviting.page.getByRole('button', { name: 'Invite' }).first().click();
    await inviting.page.getByRole('dialog').getByLabel('E-mail address').fill('robin@example.org');
    await inviting.page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
    const link = await inviting.page.getByRole('group', { name: 'Invitation link' }).innerText();

    const invited = await app.open(test, { allowedRefusals: [NOBODY, /^404 GET \/account\/invites\//] });
    const { page } = invited;
    await invited.goTo(link.trim());
    expect(await page.getByLabel('E-mail').inputValue()).toBe('robin@example.org');
    expect(await invited.check.accessibility()).toEqual([]);
    await page.getByLabel('Password', { exact: true }).fill(OWN_PASSWORD);
    await page.getByRole('button', { name: 'Join' }).click();
    await page.waitForURL('**/devices');
    await page.getByRole('button', { name: 'robin@example.org' }).waitFor();

    await invited.deleteCookies();
    await invited.goTo(link.trim());
    await page.getByRole('heading', { name: "This invitation can't be used" }).waitFor();
  });

  it('at another provider opens the account that was connected with it', async (test) => {
    const window = await app.open(test, {
      user: await person(),
      allowedRefusals: [NOBODY],
      otherOrigins: [provider.issuer],
    });
    const { page } = window;
    const atProvider = async (account: string): Promise<void> => {
      await page.waitForURL(`${provider.issuer}/**`);
      await page.getByLabel('Account').fill(account);
      await page.getByRole('button', { name: 'Sign in' }).click();
    };
    await window.goTo('/account/security');
    await page.getByRole('button', { name: 'Connect Contoso' }).click();
    await atProvider('anna');
    await page.waitForURL(`${app.origin}/account/security`);
    await page.getByRole('table', { name: 'Connected logins' }).getByText('Contoso').waitFor();

    await window.deleteCookies();
    await window.goTo('/signin?next=/account/sessions');
    await page.getByRole('link', { name: 'Sign in with Contoso' }).click();
    await atProvider('anna');
    await page.waitForURL(`${app.origin}/account/sessions`);
    await page.getByRole('cell', { name: 'External provider' }).waitFor();

    // A person whose login is not connected is told so, on the page where it began.
    await window.deleteCookies();
    await window.goTo('/signin');
    await page.getByRole('link', { name: 'Sign in with Contoso' }).click();
    await atProvider('nobody');
    await page.getByText('No account is connected to this login.').waitFor();
  });

  it('again on the same page keeps the page and the typed text', async (test) => {
    const user = await person();
    const refused = [NOBODY, ENDED, '401 PUT /account/profile', NO_LINE, 'lost WebSocket /hubs/viewer'];
    const window = await app.open(test, { user, allowedRefusals: refused });
    const { page } = window;
    await window.goTo('/account/profile');
    await page.getByRole('textbox', { name: 'Display name' }).fill('Robin of the workshop');
    // The live line tells the page of the end at once: then nothing can be saved any more.
    const { isHeld, go } = await hold(page, '**/account/profile');
    await page.getByRole('button', { name: 'Save' }).click();
    await isHeld;
    const elsewhere = await browserOf(app.server, user);
    expect((await elsewhere.post('/account/sessions/end-others')).body).toEqual({ count: 1 });
    go();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();
    expect(await window.check.accessibility()).toEqual([]);
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Saved').waitFor();
    expect(await page.getByRole('textbox', { name: 'Display name' }).inputValue()).toBe('Robin of the workshop');
  });

  it('again on the same page works with a passkey, for a user who has no password', async (test) => {
    const user = await person();
    const refused = [NOBODY, ENDED, '401 PUT /account/profile', NO_LINE, 'lost WebSocket /hubs/viewer'];
    const window = await app.open(test, { user, allowedRefusals: refused });
    const { page } = window;
    await withAuthenticator(page);
    await window.goTo('/account/security');
    await beginPasskey(page, 'Green key');
    await page.getByRole('cell', { name: 'Green key', exact: true }).waitFor();
    await app.server.dataSource.query('UPDATE users SET password_hash = NULL WHERE id = $1', [user.id]);

    await window.goTo('/account/profile');
    await page.getByRole('textbox', { name: 'Display name' }).fill('Kim of the workshop');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog', { name: 'Sign in again' }).getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByText('Saved').waitFor();
    await page.getByRole('banner').getByRole('button', { name: 'Kim of the workshop' }).waitFor();
  });

  it('again with a temporary password leads to choosing another', async (test) => {
    const user = await person();
    // A user who has to choose another password gets no line before.
    const lines = [NO_LINE, '403 POST /hubs/viewer/negotiate', 'lost WebSocket /hubs/viewer'];
    const window = await app.open(test, { user, allowedRefusals: [NOBODY, ENDED, '401 PUT /account/profile', ...lines] });
    const { page } = window;
    await window.goTo('/account/profile');
    await app.server.dataSource.manager.update(User, { id: user.id }, { requirePasswordChange: true });
    await page.context().clearCookies();
    await page.getByRole('textbox', { name: 'Display name' }).fill('Robin of the workshop');
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/password-change-required?*');
    await page.getByRole('heading', { name: 'Choose your own password' }).waitFor();
    await chooseOwn(page);
    await page.waitForURL('**/account/profile');
  });

  it('says that the address has to be confirmed, when the user signs in again', async (test) => {
    const user = await person();
    const window = await app.open(test, {
      user,
      allowedRefusals: [NOBODY, ENDED, '401 PUT /account/profile', NO_LINE, 'lost WebSocket /hubs/viewer'],
    });
    const { page } = window;
    await window.goTo('/account/profile');
    await app.server.dataSource.manager.update(User, { id: user.id }, { emailConfirmed: false });
    await page.context().clearCookies();
    await page.getByRole('textbox', { name: 'Display name' }).fill('Kim');
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog
      .getByRole('alert')
      .getByText(/^Confirm your address first/)
      .waitFor();
  });

  it('as another user, once the session ended, leaves nothing of the first user in the page', async (test) => {
    const [first, second] = [await person(), await person()];
    await grantAll(app.server, holder.user(first), [Permission.DeviceRead], at.tenant({ id: first.tenantId }));
    const refused = [NOBODY, ENDED, '401 PUT /account/profile', NO_LINE, 'lost WebSocket /hubs/viewer'];
    const window = await app.open(test, { user: first, allowedRefusals: refused });
    const { page } = window;
    const remembered = (): Promise<unknown> => page.evaluate(`[globalThis.isOfFirst, sessionStorage.getItem('device-list') ?? '']`);
    await window.goTo('/devices?q=till');
    await page.getByRole('banner').getByRole('button', { name: first.userName }).click();
    await page.getByRole('menuitem', { name: 'Account' }).click();
    await page.getByRole('textbox', { name: 'Display name' }).fill('Robin');
    await page.evaluate('globalThis.isOfFirst = true');
    expect(await remembered()).toEqual([true, expect.stringContaining('till')]);

    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog', { name: 'Sign in again' }).getByRole('button', { name: 'Sign out' }).click();
    await signIn(page, second);
    await page.getByRole('banner').getByRole('button', { name: second.userName }).waitFor();
    expect(await remembered()).toEqual([undefined, expect.not.stringContaining(first.id)]);
  });

  it('leaves all tabs of a browser when one signs out, one with changes that are not saved as well', async (test) => {
    const user = await person();
    const window = await app.open(test, { user, allowedRefusals: [NOBODY] });
    const { page } = window;
    await window.goTo('/account/profile');
    const other = await page.context().newPage();
    await other.goto('/account/profile');
    // The service would refuse a line that is still on its way.
    for (const tab of [page, other]) await isLive(tab).waitFor();
    await other.getByRole('textbox', { name: 'Display name' }).fill('Not saved');

    await page.getByRole('banner').getByRole('button', { name: user.userName }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    for (const tab of [page, other]) await tab.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
  });

  it('ends in all tabs of a browser when the account is deleted in one, and nothing of the user stays', async (test) => {
    const user = await person();
    const window = await app.open(test, { user, allowedRefusals: [NOBODY, ENDED, NO_LINE, 'lost WebSocket /hubs/viewer'] });
    const { page } = window;
    await window.goTo('/devices?q=till');
    await window.goTo('/account/data');
    const other = await page.context().newPage();
    await other.goto('/devices?q=desk');
    await other.getByRole('searchbox').first().waitFor();
    await other.goto('/account/preferences');
    await other.getByRole('heading', { name: 'Preferences' }).waitFor();

    await page.getByRole('button', { name: 'Delete account' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill(user.userName);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete account' }).click();
    for (const tab of [page, other]) await tab.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    for (const tab of [page, other])
      expect(await tab.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).not.toContain(user.id);
  });

  // The last one: it moves the clock.
  it('is proven once more, on the same page, before a change of the ways to sign in', async (test) => {
    const window = await app.open(test, {
      user: await person(),
      allowedRefusals: ['403 POST /account/passkeys/registration-options', '401 POST /account/step-up'],
    });
    const { page } = window;
    await withAuthenticator(page);
    await window.goTo('/account/security');
    app.server.clock.advance(16 * MINUTE);
    await beginPasskey(page, 'Red phone');
    const proof = page.getByRole('dialog', { name: "Confirm it's you" });
    await proof.getByLabel('Password', { exact: true }).fill('Wrong-Password-1');
    await proof.getByRole('button', { name: 'Confirm' }).click();
    await proof.getByRole('alert').waitFor();
    await proof.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await proof.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('cell', { name: 'Red phone', exact: true }).waitFor();
  });

  it('is proven once more by a code or the password, without the failure of the other', async (test) => {
    const user = await person();
    const browser = await browserOf(app.server, user);
    const { sharedKey } = (await browser.post('/account/two-factor/setup')).as<{ readonly sharedKey: string }>();
    const codeNow = (): string => authenticatorCode(sharedKey, app.server.clock.milliseconds());
    (await browser.post('/account/two-factor/enable', { code: codeNow() })).as();
    const window = await app.open(test, {
      // Its sessions from before have ended with the change.
      user: await app.server.dataSource.manager.findOneByOrFail(User, { id: user.id }),
      allowedRefusals: ['403 POST /account/passkeys/registration-options', '401 POST /account/step-up'],
    });
    const { page } = window;
    await withAuthenticator(page);
    await window.goTo('/account/security');
    app.server.clock.advance(16 * MINUTE);
    await beginPasskey(page, 'Green key');
    const proof = page.getByRole('dialog', { name: "Confirm it's you" });
    const failure = proof.getByRole('alert');
    await proof.getByLabel('Password', { exact: true }).fill('Wrong-Password-1');
    await proof.getByRole('button', { name: 'Confirm' }).click();
    await failure.waitFor();
    await proof.getByRole('button', { name: 'Use your authenticator app' }).click();
    await proof.getByRole('textbox', { name: /Code/ }).first().waitFor();
    expect(await proof.getByLabel('Password', { exact: true }).count()).toBe(0);
    expect(await failure.count()).toBe(0);
    await page.keyboard.type(codeNow().replace(/./, (digit) => `${(Number(digit) + 1) % 10}`));
    await failure.waitFor();
    await proof.getByRole('button', { name: 'Use your password' }).click();
    await proof.getByLabel('Password', { exact: true }).waitFor();
    expect(await failure.count()).toBe(0);
    await proof.getByRole('button', { name: 'Use your authenticator app' }).click();
    await proof.getByRole('textbox', { name: /Code/ }).first().waitFor();
    await page.keyboard.type(codeNow());
    await page.getByRole('cell', { name: 'Green key', exact: true }).waitFor();
  });

  it('is proven once more at the provider, by a user who has no password, and leads back to the page', async (test) => {
    const user = await person();
    const ownTokens = [Permission.PersonalAccessTokenSelfRead, Permission.PersonalAccessTokenSelfWrite];
    await grantAll(app.server, holder.user(user), ownTokens, at.tenant({ id: user.tenantId }));
    const window = await app.open(test, {
      user,
      allowedRefusals: ['403 POST /api/v1/personal-access-tokens'],
      otherOrigins: [provider.issuer],
    });
    const { page } = window;
    await window.goTo('/account/security');
    await page.getByRole('button', { name: 'Connect Contoso' }).click();
    const atProvider = async (account: string): Promise<void> => {
      await page.waitForURL(`${provider.issuer}/**`);
      await page.getByLabel('Account').fill(account);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL(`${app.origin}/**`);
    };
    await atProvider('berta');
    await page.getByRole('table', { name: 'Connected logins' }).getByText('Contoso').waitFor();
    await app.server.dataSource.query('UPDATE users SET password_hash = NULL WHERE id = $1', [user.id]);
    app.server.clock.advance(16 * MINUTE);

    const begin = async (): Promise<void> => {
      await window.goTo('/account/tokens');
      await page.getByRole('button', { name: 'Create token' }).click();
      const token = page.getByRole('dialog', { name: 'Create token' });
      await token.getByLabel('Name').fill('From elsewhere');
      await token.getByRole('radio', { name: /^Full access/ }).click();
      await token.getByRole('button', { name: 'Create token' }).click();
      const proof = page.getByRole('dialog', { name: "Confirm it's you" });
      await proof.getByRole('button', { name: 'Continue with Contoso' }).waitFor();
      expect(await proof.getByLabel('Password', { exact: true }).count()).toBe(0);
      expect(await window.check.accessibility()).toEqual([]);
      await proof.getByRole('button', { name: 'Continue with Contoso' }).click();
    };
    await begin();
    await atProvider('somebody-else');
    await page.getByText("This login isn't connected to your account.").waitFor();
    expect(page.url()).toBe(`${app.origin}/account/tokens`);
    await begin();
    await atProvider('berta');
    await page.waitForURL(`${app.origin}/account/tokens`);
  });
});
