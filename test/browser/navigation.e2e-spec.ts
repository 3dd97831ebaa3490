import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, type TestContext } from 'vitest';

import type { User } from '../../src/people/users/user.entity.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { eventually } from '../support/eventually.js';
import { createDevice } from '../support/fixtures/factories.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { frontEnd } from './support/front-end.js';
import { storeScreenshot } from './support/screenshots.js';

/*
 * The navigation beside the page: names where there is room for them, icons where the page needs the room. Screenshots are stored in
 * test-output/screenshots.
 */

const TABLET = { width: 1024, height: 768 };
const WIDE = { width: 1280, height: 800 };
/** Widths of the navigation in pixels. */
const ICONS = 56;
const NAMES = 232;

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;

suite(`the navigation${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built);
  let administrator: User;

  beforeAll(async () => {
    administrator = await app.administrator();
    const { id } = await app.tenantOf(administrator);
    await createDevice(app.server, { tenantId: id, name: 'Alpha', agentVersion: '1.20.300', localIpV4: '192.168.100.200' });
  });

  async function open(test: TestContext, viewport: { readonly width: number; readonly height: number }): Promise<Page> {
    const window = await app.open(test, { user: administrator, viewport });
    await window.goTo('/devices');
    return window.page;
  }

  /** Waits until the page begins this far from the edge of the window. */
  const untilBeside = (page: Page, navigation: number) =>
    eventually(`the navigation is ${navigation} px wide`, async () => (await page.getByRole('main').boundingBox())?.x === navigation);
  /** Waits until the names beside the icons can be read, or cannot. */
  const untilNamesAre = (page: Page, opacity: '0' | '1') =>
    eventually(
      `the opacity of the names is ${opacity}`,
      async () => (await page.evaluate(`getComputedStyle(document.querySelector('nav a[href="/tags"] span')).opacity`)) === opacity,
    );
  const iconOfTags = (page: Page) => page.getByRole('link', { name: 'Tags', exact: true });
  const toggle = (page: Page, name: 'Expand navigation' | 'Collapse navigation') => page.getByRole('button', { name });

  it('shows icons in a window 1,024 pixels wide, in which the columns of the list have room', async (test) => {
    const page = await open(test, TABLET);
    await untilBeside(page, ICONS);
    await untilNamesAre(page, '0');
    expect(await page.getByRole('grid').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    await storeScreenshot(page, 'navigation-icons');
  });

  it('brings its names out over the page for the pointer, without moving an icon or the page', async (test) => {
    const page = await open(test, TABLET);
    await untilNamesAre(page, '0');
    const before = await iconOfTags(page).boundingBox();
    await iconOfTags(page).hover();
    await untilNamesAre(page, '1');
    await untilBeside(page, ICONS);
    expect((await iconOfTags(page).boundingBox())?.y).toBe(before?.y);
    await storeScreenshot(page, 'navigation-hovered');
    await page.getByRole('heading', { name: 'Devices' }).hover();
    await untilNamesAre(page, '0');
  });

  it('brings its names out for the keyboard', async (test) => {
    const page = await open(test, TABLET);
    await untilNamesAre(page, '0');
    await page.getByRole('link', { name: 'Device management' }).focus();
    await iconOfTags(page).focus();
    await page.keyboard.press('Shift+Tab');
    await untilNamesAre(page, '1');
  });

  it('keeps its names open where the user wants them, also after a reload', async (test) => {
    const page = await open(test, TABLET);
    await toggle(page, 'Expand navigation').click();
    await untilBeside(page, NAMES);
    await page.reload();
    await untilBeside(page, NAMES);
    await untilNamesAre(page, '1');
    await toggle(page, 'Collapse navigation').click();
    await untilBeside(page, ICONS);
  });

  it('shows names in a wide window, unless the user wants icons', async (test) => {
    const page = await open(test, WIDE);
    await untilBeside(page, NAMES);
    await page.getByRole('group', { name: 'Views' }).getByRole('link', { name: 'Online' }).waitFor();
    await toggle(page, 'Collapse navigation').click();
    await untilBeside(page, ICONS);
    await page.reload();
    await untilBeside(page, ICONS);
    expect(await page.getByRole('group', { name: 'Views' }).isVisible()).toBe(false);
  });

  it('keeps the current entry in sight when the views of the user come late', async (test) => {
    const ids = ['one', 'two', 'three', 'four', 'five', 'six'];
    const texts = new Map([
      ['device-views', JSON.stringify(ids)],
      ...ids.map((id): [string, string] => [`device-view-${id}`, JSON.stringify({ name: `View ${id}`, search: '?q=x' })]),
    ]);
    const window = await app.open(test, { user: administrator, viewport: { width: 1280, height: 720 } });
    const { page } = window;
    let show = (): void => undefined;
    const pageIsThere = new Promise<void>((resolve) => (show = resolve));
    await page.route('**/api/v1/user-storage/device-view*', async (route) => {
      await pageIsThere;
      const key = decodeURIComponent(new URL(route.request().url()).pathname.split('/').at(-1) ?? '');
      await route.fulfill({ json: { key, value: texts.get(key) ?? null } });
    });
    const opened = window.goTo('/key-approvals');
    const current = page.getByRole('navigation', { name: 'Pages' }).locator('[aria-current]');
    await current.waitFor();
    show();
    await opened;
    await page.getByRole('link', { name: 'View six' }).waitFor();
    await eventually('the current entry stands above the button', async () => {
      const [entry, button] = await Promise.all([current.boundingBox(), toggle(page, 'Collapse navigation').boundingBox()]);
      return entry !== null && button !== null && entry.y + entry.height <= button.y;
    });
  });
});
