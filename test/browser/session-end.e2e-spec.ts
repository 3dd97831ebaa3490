import { EventEmitter, once } from 'node:events';

import type { Locator, Page, Route } from 'playwright-core';
import { beforeAll, describe, expect, it, type TestContext } from 'vitest';

import { Permission } from '../../src/access/authorization/permissions/permission.js';
import type { User } from '../../src/people/users/user.entity.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { browserOf, createPerson, PASSWORD } from '../support/callers/browser.js';
import { at, createDevice, grantAll, holder } from '../support/fixtures/factories.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { frontEnd, type Window } from './support/front-end.js';
import { hold as holdRequests, twoFrames } from './support/hold.js';

/*
 * A session that was ended is over in its pages, although nobody touches them: they ask to sign in again and hide what they show. The same
 * user goes on there; another one finds nothing of the first.
 */

/** Refusals of a page whose session has ended. A page that does not know its new user yet may ask for the device of the first. */
const ENDED = [/^401 /, 'lost WebSocket /hubs/viewer', /^403 GET \/api\/v1\/devices\//];
const DEVICE = 'Payroll server';
const WEEK = 7 * 24 * 3_600_000;

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;

suite(`the end of a session in its pages${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built);
  let administrator: User;
  let deviceId: string;

  beforeAll(async () => {
    administrator = await app.administrator();
    deviceId = (await createDevice(app.server, { tenantId: administrator.tenantId, name: DEVICE })).id;
  });

  /** A user who may see devices. */
  async function person(): Promise<User> {
    const user = await createPerson(app.server, { tenantId: administrator.tenantId });
    const permissions = [Permission.DeviceRead, Permission.DeviceOverviewRead, Permission.DeviceLogsRead];
    await grantAll(app.server, holder.user(user), permissions, at.tenant({ id: user.tenantId }));
    return user;
  }

  /** A window of the user with the page of the device in it, which is live. */
  async function open(test: TestContext, user: User, prepare?: (page: Page) => Promise<unknown>): Promise<Window> {
    const window = await app.open(test, { user, allowedRefusals: ENDED });
    await prepare?.(window.page);
    await window.goTo(`/devices/${deviceId}`);
    await isLive(window.page).waitFor();
    return window;
  }

  const isLive = (page: Page): Locator => page.locator('header').first().getByText('Live', { exact: true });
  const dialogOf = (page: Page): Locator => page.getByRole('dialog', { name: 'Sign in again' });
  const endElsewhere = async (user: User): Promise<unknown> => (await browserOf(app.server, user)).post('/account/sessions/end-others');

  async function signInAgain(page: Page): Promise<void> {
    await dialogOf(page).getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dialogOf(page).getByRole('button', { name: 'Sign in', exact: true }).click();
    await dialogOf(page).waitFor({ state: 'detached' });
  }

  /** Places of the window where something else than the dialog and its opaque ground is seen. */
  const uncovered = (page: Page): Promise<string[]> =>
    page.evaluate(`(() => {
      const dialog = document.querySelector('[role=dialog]');
      const isCover = (element) => {
        const { position, opacity, backgroundColor } = getComputedStyle(element);
        return position === 'fixed' && opacity === '1' && /^rgb\\(/.test(backgroundColor) && element.getBoundingClientRect().width === innerWidth;
      };
      const places = [];
      for (let x = 2; x < innerWidth; x += 40)
        for (let y = 2; y < innerHeight; y += 20) {
          const top = document.elementFromPoint(x, y);
          if (!dialog.contains(top) && !isCover(top)) places.push(x + ' ' + y + ' ' + top.outerHTML.slice(0, 80));
        }
      return places;
    })()`);

  it.for<[string, (user: User) => Promise<unknown>]>([
    ['from another browser', endElsewhere],
    [
      'by an administrator who deletes the user',
      async ({ id }) =>
        (await browserOf(app.server, administrator)).delete(`/api/v1/users/${id}`, { query: { tenantId: administrator.tenantId } }),
    ],
  ])('covers the page that nobody touches when it is ended %s', async ([, end], test) => {
    const user = await person();
    const window = await open(test, user);
    const { page } = window;
    await page.getByRole('heading', { name: DEVICE }).waitFor();
    await end(user);
    await dialogOf(page).getByText(`You were signed in as ${user.userName}.`).waitFor();
    expect(await window.check.accessibility()).toEqual([]);
    expect(await uncovered(page)).toEqual([]);
    expect(await page.title()).not.toContain(DEVICE);
  });

  it('opens no live connection any more that waited for its answer when the user signed out', async (test) => {
    const user = await person();
    const { page } = await app.open(test, { user, allowedRefusals: ENDED });
    let opened = 0;
    page.on('request', (request) => {
      if (request.url().includes('/hubs/viewer/negotiate')) opened += 1;
    });
    const { isHeld, go } = await holdRequests(page, /\/hubs\/viewer\/negotiate/);
    await page.goto(`/devices/${deviceId}`);
    await isHeld;
    await page.locator('header').first().getByRole('button', { name: user.userName, expanded: false }).click();
    const isOut = page.waitForResponse((answer) => answer.url().endsWith('/account/sign-out'));
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await isOut;
    // The page does not wait for that answer.
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    go();
    await twoFrames(page);
    expect(opened).toBe(1);
  });

  it('opens no live connection for devices that were shown before the user signed out', async (test) => {
    const user = await person();
    const { page } = await app.open(test, { user, allowedRefusals: ENDED });
    const opened: string[] = [];
    let isOut = false;
    page.on('request', (request) => {
      if (isOut && request.url().includes('/hubs/viewer/negotiate')) opened.push(request.url());
    });
    // The code that follows the devices takes its time.
    const { isHeld, go } = await holdRequests(page, /\/assets\/device-subscriptions-/);
    await page.goto(`/devices/${deviceId}`);
    await isHeld;
    await isLive(page).waitFor();
    await page.locator('header').first().getByRole('button', { name: user.userName, expanded: false }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    isOut = true;
    const isThere = page.waitForEvent('requestfinished', (request) => request.url().includes('/assets/device-subscriptions-'));
    go();
    await isThere;
    await page.evaluate(
      `Promise.all([...document.querySelectorAll('link[href*="device-subscriptions-"]')].map(({ href }) => import(href)))`,
    );
    await twoFrames(page);
    expect(opened).toEqual([]);
  });

  it('waits for the answer about changes that are not saved if the user signs out, and for nothing if it is over', async (test) => {
    const user = await person();
    await grantAll(app.server, holder.user(user), [Permission.DeviceAliasWrite], at.tenant({ id: user.tenantId }));
    const question = (page: Page): Locator => page.getByRole('dialog', { name: 'Leave without saving?' });
    const signInPage = (page: Page): Locator => page.getByRole('heading', { level: 1, name: 'Sign in' });
    /** A window of the user with a note in it that is not saved. */
    async function openChanged(): Promise<Page> {
      const { page } = await open(test, user);
      await page.getByRole('button', { name: 'Add a note' }).click();
      await page.getByLabel('Note', { exact: true }).fill('Ring twice.');
      return page;
    }
    const page = await openChanged();
    const isOut = page.waitForRequest((request) => request.url().endsWith('/account/sign-out'));
    const signOut = async (): Promise<void> => {
      await page.locator('header').first().getByRole('button', { name: user.userName, expanded: false }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
    };
    await signOut();
    await question(page)
      .getByText(/^Your changes to .* aren't saved\.$/)
      .waitFor();
    await question(page).getByRole('button', { name: 'Cancel' }).click();
    await question(page).waitFor({ state: 'detached' });
    expect(await page.getByLabel('Note', { exact: true }).inputValue()).toBe('Ring twice.');
    await signOut();
    await question(page).getByRole('button', { name: 'Leave' }).click();
    await isOut;
    await signInPage(page).waitFor();

    const ended = await openChanged();
    await endElsewhere(user);
    await dialogOf(ended).getByRole('button', { name: 'Sign out' }).click();
    await signInPage(ended).waitFor();
    expect(await question(ended).count()).toBe(0);
  });

  it('goes on in the same page, and is live at once, after the user has signed in again', async (test) => {
    const user = await person();
    // The attempt to connect after a wait of 4 s ± 30 % does not come by itself: only the sign-in brings it.
    const { page } = await open(test, user, (opened) =>
      opened.addInitScript(`
        const { setTimeout: later } = window;
        window.setTimeout = (run, delay, ...more) => later(run, delay > 2700 && delay < 6000 ? 2 ** 30 : delay, ...more);`),
    );
    await page.evaluate('window.isSamePage = true');
    let refused = 0;
    const isLate = page.waitForResponse(
      (answer) => answer.url().includes('/hubs/viewer/negotiate') && answer.status() === 401 && (refused += 1) === 3,
    );
    await endElsewhere(user);
    await dialogOf(page).waitFor();
    await isLate;
    await signInAgain(page);
    await isLive(page).waitFor();
    await page.getByRole('heading', { name: DEVICE }).waitFor();
    expect(await page.evaluate('window.isSamePage')).toBe(true);
    expect(await page.title()).toContain(DEVICE);
  });

  it('asks to sign in again before a download, which begins then', async (test) => {
    const user = await person();
    const { page } = await app.open(test, { user, allowedRefusals: ENDED });
    // A live connection would tell the page of the end.
    await holdRequests(page, /\/hubs\/viewer\/negotiate/);
    await page.goto('/account/data');
    const link = page.getByRole('link', { name: 'Download' });
    await link.waitFor();
    await endElsewhere(user);
    await link.click();
    await dialogOf(page).getByText(`You were signed in as ${user.userName}.`).waitFor();
    const begun = page.waitForEvent('download');
    await signInAgain(page);
    const download = await begun;
    expect([download.suggestedFilename(), await download.failure()]).toEqual(['personal-data.json', null]);
  });

  it('does not ask again because of a request that began before the user signed in again', async (test) => {
    const user = await person();
    const { page } = await open(test, user);
    const steps = new EventEmitter();
    const isHeld = once(steps, 'held');
    const hold = async (route: Route): Promise<void> => {
      const isSignedIn = once(steps, 'signed in');
      steps.emit('held');
      await isSignedIn;
      await route.fulfill({ status: 401, contentType: 'application/problem+json', json: { status: 401, title: 'Unauthorized' } });
    };
    // The answer of the ended session, late. The repetition of the request passes.
    await page.route(`**/account/device-activity/${deviceId}*`, hold, { times: 1 });
    await page.getByRole('link', { name: 'Activity', exact: true }).click();
    await isHeld;
    await endElsewhere(user);
    await dialogOf(page).waitFor();
    await signInAgain(page);
    await isLive(page).waitFor();
    const isRepeated = page.waitForResponse((answer) => answer.url().includes('/account/device-activity/') && answer.status() === 200);
    steps.emit('signed in');
    // The page asks again instead, if it takes the refusal for one of the new session.
    await Promise.race([isRepeated, dialogOf(page).waitFor()]);
    expect(await dialogOf(page).count()).toBe(0);
    await page.getByText('Nobody has worked on this device yet.').waitFor();
  });

  it('goes on by itself in a page when its user has signed in again in another', async (test) => {
    const user = await person();
    const { page } = await open(test, user);
    const other = await page.context().newPage();
    await other.goto('/devices');
    await isLive(other).waitFor();
    await endElsewhere(user);
    for (const each of [page, other]) await dialogOf(each).waitFor();
    await signInAgain(other);
    await dialogOf(page).waitFor({ state: 'detached' });
    await isLive(page).waitFor();
  });

  it('leaves nothing of its user in any page of the browser when another one signs in', async (test) => {
    const [first, second] = [await person(), await createPerson(app.server, { tenantId: administrator.tenantId })];
    const { page } = await open(test, first);
    // What a user has closed for good, and terminals, which this user has none of.
    await page.evaluate(`for (const [key, storage] of [['closed-alert', localStorage], ['terminals', sessionStorage]])
      storage.setItem(key, JSON.stringify({ userId: ${JSON.stringify(first.id)}, value: [] }))`);
    await page.evaluate('window.isOfFirst = true');
    const stored = (of: Page): Promise<string> => of.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
    expect(await stored(page)).toContain(first.id);

    await endElsewhere(first);
    await dialogOf(page).waitFor();
    const other = await page.context().newPage();
    await other.goto('/signin');
    await other.getByLabel('E-mail').fill(second.userName);
    await other.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await other.getByRole('button', { name: 'Sign in', exact: true }).click();
    for (const each of [other, page]) await each.getByRole('banner').getByRole('button', { name: second.userName }).waitFor();
    await isLive(page).waitFor();
    expect(page.url()).not.toContain(deviceId);
    expect(await page.evaluate('window.isOfFirst')).toBeUndefined();
    for (const each of [other, page]) expect(await stored(each)).not.toContain(first.id);
    expect(await page.getByText(DEVICE).count()).toBe(0);
  });

  // The last one: it moves the clock.
  it('covers the page that nobody touches when it expires', async (test) => {
    const user = await person();
    const { page } = await open(test, user);
    app.server.clock.advance(4 * WEEK);
    await dialogOf(page).getByText(`You were signed in as ${user.userName}.`).waitFor();
    expect(await uncovered(page)).toEqual([]);
  });
});
