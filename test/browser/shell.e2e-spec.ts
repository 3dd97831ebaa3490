import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';

import type { User } from '../../src/people/users/user.entity.js';
import { Tenant } from '../../src/tenants/tenants/tenant.entity.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { createKeyedDevice, ReferenceAgent } from '../support/devices/agents.js';
import { createDevice, createUser } from '../support/fixtures/factories.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { frontEnd, type Window } from './support/front-end.js';
import { hold } from './support/hold.js';
import { storeScreenshot } from './support/screenshots.js';
import { untilPrompt, withReadableTerminals } from './support/terminal-page.js';

/*
 * Frame of every page: the menu of the tenant, the notices of a page that is not live or not the newest, and on a phone what runs.
 */

const PHONE = { width: 390, height: 844 };
const NEW_VERSION = 'Reload for the new version';
/** The code of the page of tags, which is loaded when the page is opened. */
const CODE_OF_TAGS = /\/assets\/_app\.tags\.index-[^/]*\.js$/;
/** Requests that fail while there is no line. */
const LOST_LINE = [/^lost /];
const CODE_IS_GONE = [/^404 GET \/assets\/_app\.tags\.index-/];

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;

suite(`the frame of every page${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built);
  let administrator: User;
  let tenant: Tenant;
  let agent: ReferenceAgent;

  beforeAll(async () => {
    administrator = await app.administrator();
    tenant = await app.tenantOf(administrator);
    await app.server.dataSource.manager.update(Tenant, { id: tenant.id }, { name: 'Northwind IT' });
    agent = await ReferenceAgent.start(app.server, await createKeyedDevice(app.server, tenant));
  });

  afterAll(() => agent?.stop());

  const tenantMenu = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Northwind IT' });
  const newVersion = (page: Page) => page.getByRole('button', { name: NEW_VERSION });
  const isLive = (page: Page) => page.getByRole('banner').getByText('Live', { exact: true }).waitFor();
  /** Makes the service answer with another version of the pages. */
  const publishAnother = (page: Page) =>
    page.route(`${app.origin}/`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><script type="module" src="/assets/other.js"></script>' }),
    );
  /** From now on, the code of the page of tags is no longer there; `isGone` may end that. */
  const removeCode = (page: Page, isGone: () => boolean = () => true) =>
    page.route(CODE_OF_TAGS, (route) => (isGone() ? route.fulfill({ status: 404 }) : route.continue()));
  /** Follows the link to the tags as from the keyboard: nothing is loaded ahead by a pointer that comes near. */
  const goToTags = (page: Page): Promise<void> =>
    page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Tags', exact: true }).dispatchEvent('click');

  async function open(test: TestContext, options: Parameters<typeof app.open>[1] = {}): Promise<Window> {
    const window = await app.open(test, { user: administrator, ...options });
    await window.goTo('/devices');
    return window;
  }

  it('has the entries of the tenant in a menu under its name', async (test) => {
    const { page } = await open(test, {
      // The pointer may rest on a link, whose page is then loaded ahead.
      allowedRefusals: [/^401 GET /],
    });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await tenantMenu(page).click();
    await page.getByRole('menuitem', { name: 'Copy tenant ID' }).click();
    await page.getByText('Tenant ID copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(tenant.id);

    await tenantMenu(page).click();
    await page.getByRole('menuitem', { name: 'Tenant settings' }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();

    await tenantMenu(page).click();
    await page.getByRole('menuitem', { name: 'Server administration' }).click();
    await page.getByRole('heading', { level: 1, name: 'Tenants' }).waitFor();

    await tenantMenu(page).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  });

  it('shows in that menu only what the user may open', async (test) => {
    const user = await createUser(app.server, { tenantId: tenant.id });
    const { page } = await open(test, { user });
    await tenantMenu(page).click();
    await page.getByRole('menuitem', { name: 'Copy tenant ID' }).waitFor();
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Copy tenant ID', 'Sign out']);
  });

  it('shows the time of its data while the service cannot be reached', async (test) => {
    const { page } = await open(test, { allowedRefusals: LOST_LINE });
    await isLive(page);
    await app.loseLine(page);
    await page
      .getByRole('status')
      .filter({ hasText: /as of \d+:\d\d/ })
      .waitFor();
  });

  it('has a gap in the figures of the server for the time without the service', async (test) => {
    const window = await open(test, { allowedRefusals: LOST_LINE });
    const { page } = window;
    await window.goTo('/server/statistics');
    await isLive(page);
    const line = page
      .getByRole('img', { name: /^Devices and users online/ })
      .locator('svg path')
      .last();
    const runs = async (): Promise<number> => ((await line.getAttribute('d')) ?? '').split('M').length - 1;
    expect(await runs()).toBe(1);
    await app.loseLine(page);
    await page.context().setOffline(false);
    await isLive(page);
    await expect.poll(runs).toBe(2);
    await storeScreenshot(page, 'statistics-gap');
  });

  it('offers to reload the pages after the service was updated', async (test) => {
    const { page } = await open(test, { allowedRefusals: LOST_LINE });
    await isLive(page);
    await publishAnother(page);
    expect(await newVersion(page).count()).toBe(0);
    await app.loseLine(page);
    await page.context().setOffline(false);
    await newVersion(page).waitFor();
    await page.unrouteAll();
    await Promise.all([page.waitForEvent('load'), newVersion(page).click()]);
    await isLive(page);
    expect(await newVersion(page).count()).toBe(0);
  });

  it('offers nothing when the line comes back to the same pages', async (test) => {
    const { page } = await open(test, { allowedRefusals: LOST_LINE });
    await isLive(page);
    const asked = page.waitForResponse(`${app.origin}/`);
    await app.loseLine(page);
    await page.context().setOffline(false);
    await (await asked).finished();
    await isLive(page);
    expect(await newVersion(page).count()).toBe(0);
  });

  it('reloads the pages by itself when the code of the next one is gone and nothing runs', async (test) => {
    const { page } = await open(test, { allowedRefusals: CODE_IS_GONE });
    await isLive(page);
    let isGone = true;
    await removeCode(page, () => isGone);
    page.on('load', () => (isGone = false));
    page.on('framenavigated', () => (isGone = page.url().endsWith('/devices')));
    await goToTags(page);
    await page.getByRole('heading', { level: 1, name: 'Tags' }).waitFor();
  });

  it('ends nothing that runs when the code of the next page is gone', async (test) => {
    const window = await app.open(test, { user: administrator, allowedRefusals: CODE_IS_GONE });
    const { page } = window;
    await withReadableTerminals(page);
    await window.goTo(`/devices/${agent.device.id}/terminal`);
    await untilPrompt(page);
    await page.evaluate(`window.isSamePage = true`);
    await publishAnother(page);
    await removeCode(page);
    await goToTags(page);
    await page.getByRole('alert').filter({ hasText: 'There may be a new version' }).waitFor();
    await newVersion(page).waitFor();
    expect(await page.evaluate(`window.isSamePage`)).toBe(true);
    await page.getByRole('complementary', { name: 'Sessions' }).getByRole('link').click();
    await page.locator('.xterm-rows').waitFor();
    page.on('dialog', (dialog) => void dialog.accept());
  });

  it('keeps what runs behind an entry of the bar on a phone', async (test) => {
    const window = await app.open(test, { user: administrator, viewport: PHONE });
    const { page } = window;
    page.on('dialog', (dialog) => void dialog.accept());
    await withReadableTerminals(page);
    await window.goTo('/devices');
    const bar = page.getByRole('navigation', { name: 'Most used' });
    await bar.getByRole('button', { name: 'Sessions' }).click();
    await page.getByText('No open sessions').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await window.goTo(`/devices/${agent.device.id}/terminal`);
    await untilPrompt(page);
    // A finger reaches it: it is in the window, and nothing lies over it.
    const isInReach = await page.getByRole('button', { name: 'New terminal' }).evaluate((button) => {
      const { left, top, width, height } = button.getBoundingClientRect();
      return button.contains(button.ownerDocument.elementFromPoint(left + width / 2, top + height / 2));
    });
    expect(isInReach).toBe(true);
    await bar.getByRole('link', { name: 'Devices' }).click();
    await page.getByRole('heading', { level: 1, name: 'Devices' }).waitFor();
    expect(await page.getByRole('complementary', { name: 'Sessions' }).count()).toBe(0);
    await bar.getByRole('button', { name: 'Sessions 1' }).click();
    await page.getByRole('dialog').getByRole('link').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator('.xterm-rows').waitFor();

    await bar.getByRole('button', { name: 'Sessions 1' }).click();
    expect(await window.check.accessibility()).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: /^End / }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click();
    await page.getByText('No open sessions').waitFor();
  });

  it('leaves a phone to the page below a short head, and scrolls in one way only in windows of any width', async (test) => {
    const { page } = await open(test, { viewport: PHONE });
    const device = await createDevice(app.server, { tenantId: tenant.id, name: 'reception-pc-01' });
    const addresses = ['/devices', '/users', '/customers', '/change-log', '/deploy', '/settings', '/server/settings', '/installer-keys'];
    for (const address of [...addresses, `/devices/${device.id}`, `/users/${administrator.id}/access`]) {
      await page.setViewportSize(PHONE);
      await page.goto(address);
      await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
      expect(await page.evaluate<number>(HEAD_HEIGHT), address).toBeLessThanOrEqual(address.startsWith('/users/') ? 176 : 164);
      for (const width of [390, 768, 1024, 1440]) {
        await page.setViewportSize({ width, height: 844 });
        const { isSideways, scrolling } = await page.evaluate<Scrollers>(SCROLLERS);
        expect(isSideways, `${address} at ${width}`).toBe(false);
        // One at most.
        expect(scrolling.length < 2 ? [] : scrolling, `${address} at ${width}`).toEqual([]);
      }
    }
  });

  it('shows its first text in its typeface, and keeps the one it began with where that comes too late', async (test) => {
    const inTime = await app.open(test, { user: administrator });
    // The page shows its first text after the session is read. Held back, it lets the typeface come first on any machine.
    const session = await hold(inTime.page, '**/account/session');
    const typeface = inTime.page.waitForResponse(/\.woff2$/);
    await inTime.page.goto('/devices', { waitUntil: 'commit' });
    await (await typeface).finished();
    session.go();
    await inTime.untilThere();
    expect(await typefaceOf(inTime.page)).toBe('Inter');

    const { page } = await app.open(test, { user: administrator });
    let go = (): void => undefined;
    const mayCome = new Promise<void>((resolve) => (go = resolve));
    await page.route('**/*.woff2', async (route) => {
      await mayCome;
      await route.continue();
    });
    await page.goto('/devices', { waitUntil: 'commit' });
    await page.getByRole('button', { name: 'Columns' }).waitFor();
    const before = await typefaceOf(page);
    expect(before).not.toBe('Inter');
    const hasCome = page.waitForResponse(/\.woff2$/);
    go();
    await (await hasCome).finished();
    await page.evaluate('document.fonts.ready');
    // Text that is drawn later, too.
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('dialog', { name: 'Columns' }).waitFor();
    expect(await typefaceOf(page)).toBe(before);
  });
});

/** The typeface in which the browser draws the heading of the page. */
async function typefaceOf(page: Page): Promise<string | undefined> {
  // Behind a dialog it has no role.
  await page.locator('h1').waitFor({ state: 'attached' });
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('DOM.enable');
  await devTools.send('CSS.enable');
  const { root } = await devTools.send('DOM.getDocument');
  const { nodeId } = await devTools.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'h1' });
  const { fonts } = await devTools.send('CSS.getPlatformFontsForNode', { nodeId });
  await devTools.detach();
  return fonts[0]?.familyName;
}

/** Pixels from the top of the window to the end of the title, and of the tabs below it on the page of a device. */
const HEAD_HEIGHT = `Math.max(...[...document.querySelectorAll('main h1, main nav[aria-label="Device"]')]
  .map((each) => each.getBoundingClientRect().bottom))`;

/** Tells if the document scrolls sideways, and names what scrolls up and down over most of its width. Tables of their own scroll in their frame. */
const SCROLLERS = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  const scrolls = [...document.querySelectorAll('*')].filter((each) => {
    const isOpen = each === document.documentElement || ['auto', 'scroll'].includes(getComputedStyle(each).overflowY);
    const isTable = each.querySelector(':scope > [role=grid], :scope > table') !== null;
    return isOpen && !isTable && each.scrollHeight > each.clientHeight + 1 && each.clientWidth > clientWidth * 0.7;
  });
  return { isSideways: scrollWidth > clientWidth, scrolling: scrolls.map((each) => each.tagName + ' ' + each.className) };
})()`;

interface Scrollers {
  readonly isSideways: boolean;
  readonly scrolling: readonly string[];
}
