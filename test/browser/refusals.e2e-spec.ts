import { afterAll, beforeAll, describe, it } from 'vitest';

import type { User } from '../../src/people/users/user.entity.js';
import { busy, conflict, DomainError, ErrorCode, forbidden, notFound, unauthorized } from '../../src/platform/common/errors/errors.js';
import { Scene } from '../routes/scene.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { createPerson } from '../support/callers/browser.js';
import { createKeyedDevice, ReferenceAgent, waitOnline } from '../support/devices/agents.js';
import { publishAgent } from '../support/devices/published-agent.js';
import { addressesIn } from './support/addresses.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { fill } from './support/form.js';
import { ADMINISTRATOR, frontEnd, Windows } from './support/front-end.js';
import { Refusals } from './support/refusals.js';

/*
 * Every page when the service refuses the page's calls, or cannot be reached. The page shows what is wrong, what to do about it, and
 * the page itself as soon as the service answers again.
 */

const RETRY_AFTER = 900;
const BUSY = busy('The service has much to do.', 1);
const TOO_MANY = new DomainError(ErrorCode.TooManyRequests, 'Too many requests came from this address.', undefined, {
  'Retry-After': String(RETRY_AFTER),
});
const CONFLICT = conflict('Somebody else was faster.');
const UNAUTHORIZED = unauthorized('Nobody is signed in.');
const LOST = /Can't reach the server\./;
/** The headings of parts that failed. */
const FAILED = /Couldn't load this|No access/;
/** Calls that are refused or lost in these tests. */
const REFUSED = /^(?:401|403|404|409|429|503|lost) /;

/** Pages that ask for nothing, so that nothing can be refused while they load. */
const ASK_NOTHING: readonly string[] = [
  // Lead to other pages before they ask.
  '/',
  '/device-access',
  // Shows what the session says, which a test of its own refuses.
  '/account/data',
  // Speak with the device over the live line, once it is known: the tests of devices and of the line are about that.
  '/devices/$deviceId/screen',
  '/devices/$deviceId/terminal',
];

/** Pages for people who are not signed in or cannot go on yet: forms, which the service refuses when they are sent. */
const FORMS = [
  { at: '/signin', submit: 'Sign in', asksFirst: true },
  { at: '/register', submit: 'Register', asksFirst: true },
  { at: '/invite-confirmation/$code', submit: 'Join', asksFirst: true },
  { at: '/forgot', submit: 'Send link' },
  { at: '/reset', link: '#code=some', submit: 'Set password' },
  { at: '/confirm-email', link: '#code=some', submit: 'Confirm' },
  { at: '/password-change-required', submit: 'Set password', isSignedIn: true },
] as const;

const ID = '[0-9a-f-]{36}';
/** Calls of the page around a tab, by the patterns of the tabs that ask for more. Refused, the tab would not be there to ask. */
const AROUND_TABS: readonly (readonly [tabs: RegExp, calls: RegExp])[] = [
  [/^\/devices\/\$deviceId\/./, new RegExp(`^/(?:api/v1/devices/${ID}|account/device-permissions)$`)],
  [/^\/users\/\$userId\/./, /^\/api\/v1\/users$/],
  [/^\/user-groups\/\$userGroupId\/(?:access|activity)$/, new RegExp(`^/api/v1/user-groups/${ID}$`)],
  [/\/service-accounts\/\$serviceAccountId\/(?:access|activity)$/, new RegExp(`/service-accounts/${ID}$`)],
];

/** Pages for which an answer of 404 says something else than that they are gone. */
const NOT_GONE: readonly string[] = [
  // The operator has published nothing.
  '/about',
];

/** Pages whose failures are checked for people with disabilities: a list, one with filters, a thing, several parts, a page around tabs. */
const LOOKED_INTO: readonly string[] = ['/tags', '/change-log', '/tags/$tagId', '/account/security', '/devices/$deviceId'];

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;
const formPages: readonly string[] = FORMS.map(({ at }) => at);
const pages = built.pages.filter((pattern) => !ASK_NOTHING.includes(pattern) && !formPages.includes(pattern));

suite(`refusals on the pages${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built, { Service_AppOptions__EnablePublicRegistration: 'true' });
  let administrator: User;
  let agent: ReferenceAgent;
  let addressOf: (pattern: string) => string;

  beforeAll(async () => {
    administrator = await app.administrator();
    const tenant = await app.tenantOf(administrator);
    const addresses = await addressesIn(new Scene(app.server, tenant));
    // Tabs ask for something of a device only while it is online.
    agent = await ReferenceAgent.start(app.server, await createKeyedDevice(app.server, tenant));
    await waitOnline(app.server, agent.device.id);
    addressOf = (pattern) => addresses(pattern.replace('$deviceId', agent.device.id));
  });

  afterAll(() => agent?.stop());

  it('are tried on every page that there is', ({ expect }) => {
    expect([...pages, ...ASK_NOTHING, ...formPages].sort()).toEqual([...built.pages].sort());
  });

  describe('of a signed-in user', () => {
    let windows: Windows;

    beforeAll(() => {
      windows = new Windows(app, { user: administrator, allowedRefusals: [REFUSED] });
    });

    it.concurrent.for(pages)('%s', async (pattern, test) => {
      const { expect } = test;
      const window = await windows.take(test);
      const refusals = await Refusals.over(window.page, test);
      const { page } = window;
      const main = page.getByRole('main');
      const alerts = main.getByRole('alert');
      const again = main.getByRole('button', { name: 'Try again' });

      /** Waits until the page has got all its answers, and every part that failed says this. */
      const everyPartSays = async (text: RegExp): Promise<void> => expect(await window.check.otherAlerts(text)).toEqual([]);
      const retry = (): Promise<void> =>
        page.evaluate(
          `for (const button of document.querySelectorAll('main button')) if (button.innerText === 'Try again') button.click();`,
        );
      /** Has every part ask again, and waits until it says the new answer. */
      const retryUntil = async (text: RegExp): Promise<void> => {
        await retry();
        // A part that asked by itself at that moment says the former answer. A user would try again, too.
        if ((await window.check.otherAlerts(text, 10_000)).length > 0) await retry();
        await everyPartSays(text);
      };
      /** Goes to a page that asks for nothing and back: the refused calls are made again. */
      const comeBack = async (): Promise<void> => {
        await page.evaluate(`history.pushState(null, '', '/account/data')`);
        await main.getByRole('heading', { name: 'Your data', level: 1 }).waitFor();
        await page.evaluate('history.back()');
        await main.getByRole('heading', { name: 'Your data', level: 1 }).waitFor({ state: 'detached' });
      };

      refusals.letThrough(AROUND_TABS.find(([tabs]) => tabs.test(pattern))?.[1] ?? null);
      const isGone = !NOT_GONE.includes(pattern);
      refusals.refuse(isGone ? notFound('What was asked for') : forbidden());
      await window.follow(addressOf(pattern));
      if (isGone) {
        await main.getByText('Not found').first().waitFor();
        const [list, name] = addressOf(pattern).split(/\/[0-9a-f-]{36}/);
        if (name !== undefined) expect(await main.getByRole('link', { name: 'Go to the list' }).first().getAttribute('href')).toBe(list);
        expect(await alerts.allInnerTexts()).toEqual([]);
        refusals.refuse(forbidden());
        await comeBack();
      }
      await everyPartSays(/No access/);

      refusals.refuse(BUSY);
      await comeBack();
      await everyPartSays(/The service has much to do\./);
      // Parts that ask by themselves say nothing while they wait.
      await expect.poll(async () => (await again.count()) - (await alerts.count())).toBe(0);

      if (LOOKED_INTO.includes(pattern)) expect.soft(await window.check.accessibility()).toEqual([]);

      refusals.refuse(TOO_MANY);
      await retryUntil(/Try again in 1[0-5] minutes\./);
      refusals.lose();
      await retryUntil(LOST);
      refusals.refuse(CONFLICT);
      await retryUntil(/Somebody else was faster\./);

      refusals.refuse(UNAUTHORIZED);
      await retry();
      const dialog = page.getByRole('dialog', { name: 'Sign in again' });
      await dialog.getByLabel('Password', { exact: true }).fill(ADMINISTRATOR.password);
      refusals.end();
      await dialog.getByRole('button', { name: 'Sign in' }).click();
      await dialog.waitFor({ state: 'detached' });
      // A page behind its drawer has no roles.
      await page.locator('main h1').first().waitFor();
      await expect.poll(() => alerts.filter({ hasText: FAILED }).allInnerTexts()).toEqual([]);
    });
  });

  describe('without a session', () => {
    let userWithTemporaryPassword: User;

    beforeAll(async () => {
      userWithTemporaryPassword = await createPerson(app.server, { tenantId: administrator.tenantId, requirePasswordChange: true });
    });

    it.for(FORMS)('$at', async ({ at, submit, ...form }, test) => {
      const user = 'isSignedIn' in form ? userWithTemporaryPassword : undefined;
      const window = await app.open(test, { user, allowedRefusals: [REFUSED] });
      const { page } = window;
      const main = page.getByRole('main');
      const refusals = await Refusals.over(page, test);
      const says = (text: string | RegExp): Promise<void> => main.getByText(text).first().waitFor();

      if ('asksFirst' in form) refusals.refuse(BUSY);
      await page.goto(addressOf(at) + ('link' in form ? form.link : ''));
      if ('asksFirst' in form) {
        await says('The service has much to do.');
        refusals.end();
        await main.getByRole('button', { name: 'Try again' }).click();
      }

      const send = main.getByRole('button', { name: submit, exact: true });
      await send.waitFor();
      await fill(main);
      for (const [refusal, text] of [
        [UNAUTHORIZED, at === '/signin' ? 'Wrong e-mail or password.' : 'Nobody is signed in.'],
        [forbidden('This is not for you.'), 'This is not for you.'],
        [notFound('What was asked for'), /What was asked for/],
        [CONFLICT, 'Somebody else was faster.'],
        [TOO_MANY, /Try again in 1[0-5] minutes\./],
        [BUSY, 'The service has much to do.'],
      ] as const) {
        refusals.refuse(refusal);
        await send.click();
        await says(text);
      }
      refusals.lose();
      await send.click();
      await says(LOST);
    });
  });

  it('a page whose session cannot be read says so, and comes when it can', async (test) => {
    const window = await app.open(test, { user: administrator, allowedRefusals: ['lost GET /account/session'] });
    const { page } = window;
    await page.route('**/account/session', (route) => route.abort('internetdisconnected'));
    await page.goto('/tags');
    await page.getByText("Can't reach the server.").waitFor();
    await page.unroute('**/account/session');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Tags', level: 1 }).waitFor();
  });

  it('devices that are waited for are not waited for in silence', async (test) => {
    const { expect } = test;
    await publishAgent(app.server.dataPath);
    const window = await app.open(test, { user: administrator, allowedRefusals: [REFUSED] });
    const { page } = window;
    const main = page.getByRole('main');
    const refusals = await Refusals.over(page, test);
    await window.goTo('/deploy');
    await page.getByRole('button', { name: 'Create key' }).click();
    const waiting = main.getByText('Waiting for the device…');
    await waiting.waitFor();
    // The new key is in the lists that are read again.
    await window.untilStill();
    refusals.refuse(BUSY);
    await main.getByRole('alert').getByText('The service has much to do.').waitFor();
    expect(await waiting.count()).toBe(0);
    refusals.end();
    await waiting.waitFor();
    expect(await main.getByRole('alert').count()).toBe(0);
  });

  it('a page says that the permissions of groups could not be read, and shows them when they can', async (test) => {
    const { expect } = test;
    const window = await app.open(test, { user: administrator, allowedRefusals: [REFUSED] });
    const { page } = window;
    const { member } = await new Scene(app.server, await app.tenantOf(administrator)).userGroupWithMember();
    const heldByGroups = '**/account/held-permissions?*';
    const failed = page.getByRole('main').getByRole('alert').filter({ hasText: LOST });
    for (const address of [`/users/${member.id}/access`, `/effective-permissions?who=User:${member.id}&what=device.terminal.use`]) {
      await page.route(heldByGroups, (route) => route.abort('internetdisconnected'));
      await page.goto(address);
      await failed.waitFor();
      await page.unroute(heldByGroups);
      await page.getByRole('main').getByRole('button', { name: 'Try again' }).click();
      await expect.poll(() => failed.count()).toBe(0);
    }
  });

  it('a page that loses its line says so, keeps what was typed, and goes on with the line', async (test) => {
    const { expect } = test;
    const window = await app.open(test, { user: administrator, allowedRefusals: [/^lost /] });
    const { page } = window;
    await window.goTo('/tags');
    // Behind a dialog nothing has a role.
    const bar = page.locator('header').first();
    await bar.getByText('Live').waitFor();
    await page.getByRole('button', { name: 'Create tag' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Workshop');

    await app.loseLine(page);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText("Can't reach the server.").waitFor();
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Workshop');
    expect(await window.check.accessibility()).toEqual([]);

    await page.context().setOffline(false);
    await bar.getByText('Live').waitFor();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('link', { name: 'Workshop' }).waitFor();
  });
});
