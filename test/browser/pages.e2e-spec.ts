import { mkdir, rm, writeFile } from 'node:fs/promises';

import { beforeAll, describe, it, type ExpectStatic } from 'vitest';

import type { User } from '../../src/people/users/user.entity.js';
import { Scene } from '../routes/scene.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { addressesIn, NOTHING_PUBLISHED } from './support/addresses.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { frontEnd, type Window, Windows } from './support/front-end.js';
import { AROUND_PAGES } from './support/page-checks.js';
import { SCREENSHOTS, storesScreenshots } from './support/screenshots.js';
import { expectWayAround, expectWayThrough } from './support/tab-key.js';

/*
 * Every page of the front end, as an administrator of the server sees it, and its controls by the Tab key. Pictures of all pages are
 * stored in test-output/screenshots (screenshots.ts).
 */

/** The page with which the bar and the navigation are looked at. */
const FIRST = '/devices';
const TABLET = { width: 1024, height: 768 };
const PHONE = { width: 390, height: 844 };
/** Window with the elements of the middle size, in more room. */
const DESKTOP = { width: 1920, height: 1080 };
/** Time-out of six looks at a page, in milliseconds, while other pages are looked at on a busy machine. */
const PAGE_MS = 600_000;
/** Colours are the same in all sizes, and cost most of the time. */
const ALL_BUT_COLOURS = { rules: { 'color-contrast': { enabled: false } } };
/** The rules that depend on the theme. */
const COLOURS = { runOnly: ['color-contrast', 'link-in-text-block'] };
/** Themes and sizes to look at, with the rules of accessibility that are checked there, where the elements or their colours are others. */
const LOOKS = [
  { colorScheme: 'light', size: TABLET, rules: {} },
  { colorScheme: 'light', size: PHONE, rules: ALL_BUT_COLOURS },
  { colorScheme: 'light', size: DESKTOP, rules: null },
  { colorScheme: 'dark', size: TABLET, rules: COLOURS },
  { colorScheme: 'dark', size: PHONE, rules: null },
  { colorScheme: 'dark', size: DESKTOP, rules: null },
] as const;

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;

suite(`pages of the front end${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, { timeout: PAGE_MS }, () => {
  const app = frontEnd(built);
  let administrator: User;
  let windows: Windows;
  let addressOf: (pattern: string) => string;

  beforeAll(async () => {
    administrator = await app.administrator();
    addressOf = await addressesIn(new Scene(app.server, await app.tenantOf(administrator)));
    windows = new Windows(app, { user: administrator, viewport: TABLET, allowedRefusals: NOTHING_PUBLISHED });
    await rm(SCREENSHOTS, { recursive: true, force: true });
    await mkdir(SCREENSHOTS, { recursive: true });
  });

  it.concurrent.for(built.pages)('%s', async (pattern, test) => {
    const window = await windows.take(test);
    await window.follow(addressOf(pattern));
    const { pathname } = new URL(window.page.url());
    // An address that leads to another page is looked at there.
    if (pathname !== addressOf(pattern)) return test.expect(built.pages.map(addressOf)).toContain(pathname);
    // The bar and the navigation are around all pages: they are looked at once.
    const isAlone = pattern === FIRST || (await window.page.locator(AROUND_PAGES[0]).count()) === 0;
    await look(window, nameOf(pattern), test.expect, isAlone ? [] : AROUND_PAGES);
    // A drawer keeps the focus to itself.
    const hasDrawer = (await window.page.getByRole('dialog').count()) > 0;
    await (isAlone || hasDrawer ? expectWayAround : expectWayThrough)(window, test.expect);
  });

  it.concurrent('/signin, while nobody is signed in', async (test) => {
    const window = await app.open(test, { viewport: TABLET, allowedRefusals: ['401 GET /account/session'] });
    await window.goTo('/signin');
    await look(window, 'signin-signed-out', test.expect);
    await expectWayAround(window, test.expect);
  });

  it.concurrent('an address of no page', async (test) => {
    const window = await app.open(test, { user: administrator, viewport: TABLET, allowedRefusals: ['404 GET /no/such/page'] });
    await window.goTo('/no/such/page');
    await look(window, 'not-found', test.expect);
    await expectWayAround(window, test.expect);
  });
});

/** Looks at a page in windows of all sizes and in both themes. Excluded parts are not checked for people with disabilities. */
async function look(window: Window, name: string, expect: ExpectStatic, exclude: readonly string[] = []): Promise<void> {
  for (const { colorScheme, size, rules } of LOOKS) {
    await window.page.emulateMedia({ colorScheme });
    await window.page.setViewportSize(size);
    await window.untilStill();
    const where = `${size.width} px, ${colorScheme}`;
    const file = `${SCREENSHOTS}${name}-${size.width}-${colorScheme}.png`;
    if (storesScreenshots) await writeFile(file, await window.check.picture());
    expect.soft(await window.check.excessWidth(), `sideways scrolling at ${where}`).toBeNull();
    if (rules !== null) expect.soft(await window.check.accessibility(rules, exclude), `accessibility at ${where}`).toEqual([]);
  }
}

function nameOf(pattern: string): string {
  return pattern === '/' ? 'root' : pattern.slice(1).replaceAll('/', '-').replaceAll('$', '');
}
