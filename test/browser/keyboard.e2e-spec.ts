import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { User } from '../../src/people/users/user.entity.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { PASSWORD } from '../support/callers/browser.js';
import { createKeyedDevice, ReferenceAgent, waitOnline } from '../support/devices/agents.js';
import { eventually } from '../support/eventually.js';
import { createDevice } from '../support/fixtures/factories.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { frontEnd, Windows, type Window } from './support/front-end.js';
import { untilPrompt, withReadableTerminals } from './support/terminal-page.js';

/*
 * The pages by the keyboard alone, with a real agent behind one of the devices.
 */

/** Names of the devices, in the order of the list: online ones come first. */
const ONLINE = 'Alpha';
const OFFLINE = ['Beta', 'Gamma'] as const;

/** Searches of devices. */
const SEARCH = /\/api\/v1\/devices\/search/;

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;

suite(`the keyboard${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built);
  let administrator: User;
  let agent: ReferenceAgent;
  let windows: Windows;

  beforeAll(async () => {
    administrator = await app.administrator();
    windows = new Windows(app, { user: administrator });
    const tenant = await app.tenantOf(administrator);
    agent = await ReferenceAgent.start(app.server, await createKeyedDevice(app.server, tenant, { alias: ONLINE }));
    for (const name of OFFLINE) await createDevice(app.server, { tenantId: tenant.id, name });
    await waitOnline(app.server, agent.device.id);
  });

  afterAll(() => agent?.stop());

  const press = async ({ page }: Window, ...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
  /** Waits until the page listens: the code of the keys comes after that of the page. */
  const untilHeard = (window: Window): Promise<void> =>
    eventually('the page listens to keys', async () => {
      await press(window, 'F6');
      return window.page.locator('header[data-region]:focus-within').isVisible();
    });
  it('acts on the list from the moment it stands, without a click', async (test) => {
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    const first = page.locator('[data-index="0"]');
    await window.goTo('/devices');
    await press(window, 'j');
    await first.and(page.locator(':focus')).waitFor();
    await press(window, 'j');
    await page.locator('[data-index="1"]:focus').waitFor();

    await window.goTo('/devices');
    await press(window, 'x');
    await page.getByText('1 selected').waitFor();
    expect(await first.getAttribute('aria-selected')).toBe('true');

    await window.goTo('/devices');
    await press(window, '.');
    await page.getByRole('menu').getByText(ONLINE).waitFor();
    await press(window, 'Escape');
    await first.and(page.locator(':focus')).waitFor();

    await window.goTo('/devices');
    await press(window, 'Enter');
    await page.waitForURL(`**/devices/${agent.device.id}`);

    await window.goTo('/devices');
    await press(window, '/');
    await page.locator('[data-page-search]:focus').waitFor();
  });

  /** Opens the list, with the focus on its first row. */
  const openList = async (window: Window): Promise<void> => {
    await window.goTo('/devices');
    await untilHeard(window);
    await rowOf(window.page, ONLINE).focus();
  };
  const isFocused = async (page: Page, selector: string): Promise<void> => {
    await page.locator(`${selector}:focus`).waitFor();
  };

  it('leads from the sign-in to a terminal and back', async (test) => {
    const window = await app.open(test, { allowedRefusals: ['401 GET /account/session'] });
    const { page } = window;
    await withReadableTerminals(page);
    page.on('dialog', (dialog) => void dialog.accept());
    await window.goTo('/devices');
    await isFocused(page, 'input[name=userName]');
    await page.keyboard.type(administrator.email ?? '');
    await press(window, 'Tab');
    await page.keyboard.type(PASSWORD);
    await press(window, 'Enter');

    await rowOf(page, 'Gamma').waitFor();
    await untilHeard(window);
    await press(window, '/');
    await isFocused(page, 'input[type=search]');
    await page.keyboard.type(ONLINE);
    await rowOf(page, 'Gamma').waitFor({ state: 'detached' });
    for (let tabs = 0; tabs < 30 && !(await page.locator('[role=row]:focus').isVisible()); tabs += 1) await press(window, 'Tab');
    await press(window, 't');
    await page.waitForURL(`**/devices/${agent.device.id}/terminal`);
    await isFocused(page, '.xterm-helper-textarea');
    await untilPrompt(page);
    await page.keyboard.type('echo $((40 + 2))-gd?\n');
    await page.locator('.xterm-rows', { hasText: '42-gd?' }).waitFor();
    expect(page.url()).toContain('/terminal');

    await page.getByText('Ctrl+Shift+↑ leaves the terminal').waitFor();
    await press(window, 'Control+Shift+ArrowUp');
    await isFocused(page, '[role=toolbar] button');
    await press(window, 'g', 'd');
    await rowOf(page, 'Gamma').waitFor();
    expect(new URL(page.url()).pathname).toBe('/devices');
  });

  it('is heard before the code that listens has come', async (test) => {
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    let release = (): void => undefined;
    let released = Promise.resolve();
    await page.route('**/assets/Later-*.js', async (route) => {
      await released;
      await route.continue();
    });
    // Keys that were pressed some seconds ago are dropped, and a busy machine may need longer to load the rest.
    await eventually('keys that came early are heard', async () => {
      released = new Promise<void>((resolve) => (release = resolve));
      await page.goto('/devices');
      await rowOf(page, ONLINE).waitFor();
      await press(window, 'g', 'u');
      release();
      return page.waitForURL('**/users', { timeout: 10_000 }).then(
        () => true,
        () => false,
      );
    });
  });

  it('moves, selects and opens in the list', async (test) => {
    const window = await windows.take(test);
    const { page } = window;
    await openList(window);
    await press(window, 'j', 'j');
    await isFocused(page, '[role=row][aria-rowindex="4"]');
    await press(window, 'k', 'x');
    await page.getByText('1 selected').waitFor();
    await press(window, 'Shift+ArrowDown');
    await page.getByText('2 selected').waitFor();
    await press(window, 'Control+a');
    await page.getByText('3 selected').waitFor();
    await press(window, 'Escape');
    await page.getByText('3 selected').waitFor({ state: 'detached' });

    await press(window, 'Home', '.');
    const menu = page.getByRole('menu');
    await menu.getByRole('menuitem', { name: /Open terminal/ }).waitFor();
    expect(await menu.getByRole('menuitem', { name: /Open files/ }).innerText()).toMatch(/F$/);
    await press(window, 'Escape');
    await menu.waitFor({ state: 'detached' });
    await isFocused(page, '[role=row][aria-rowindex="2"]');
    await press(window, 'Shift+F10');
    await menu.waitFor();
    await press(window, 'Escape');
    await menu.waitFor({ state: 'detached' });

    await press(window, 'f');
    await page.waitForURL(`**/devices/${agent.device.id}/files*`);
  });

  it('sorts by a head of the list, and leaves rows alone there', async (test) => {
    const window = await windows.take(test);
    const { page } = window;
    await openList(window);
    await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').focus();
    await press(window, 'Enter');
    await page.waitForURL('**/devices?sort=name');
  });

  it('goes to the neighbours of a device in the list that it was opened from', async (test) => {
    const window = await windows.take(test);
    const { page } = window;
    await window.goTo('/devices?sort=name&state=offline');
    await untilHeard(window);
    await rowOf(page, 'Beta').focus();
    await press(window, 'Enter');
    await page.getByText('1 of 2').waitFor();
    await press(window, '[');
    await press(window, ']');
    await page.getByText('2 of 2').waitFor();
    await page.getByRole('heading', { name: 'Gamma', level: 1 }).waitFor();
    await press(window, '[');
    await page.getByText('1 of 2').waitFor();
    await page.reload();
    await page.getByText('1 of 2').waitFor();
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Devices' }).click();
    await page.waitForURL('**/devices?state=offline&sort=name');
  });

  it('jumps to pages and through the parts of a page', async (test) => {
    const window = await windows.take(test);
    const { page } = window;
    // On a row `s` opens a screen and `k` moves up, but not after `g`.
    for (const [key, path] of Object.entries({
      u: '/users',
      s: '/service-accounts',
      l: '/change-log',
      k: '/installer-keys',
      d: '/devices',
    })) {
      await openList(window);
      await press(window, 'g', key);
      await page.waitForURL((url) => url.pathname === path);
    }
    await openList(window);
    // The phone's bar is not seen, and nothing runs in a dock: after the page comes the bar at its top.
    for (const [key, part] of [
      ['F6', 'header'],
      ['F6', 'nav'],
      ['F6', 'main'],
      ['Shift+F6', 'nav'],
    ] as const) {
      await press(window, key);
      await page.locator(`${part}[data-region]:focus-within`).waitFor();
    }
  });

  it('shows every shortcut, and does without single keys where they are switched off', async (test) => {
    const window = await windows.take(test);
    const { page } = window;
    await openList(window);
    await press(window, '?');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await sheet.getByText("Open the device's terminal").waitFor();
    await window.untilStill();
    expect(await window.check.accessibility()).toEqual([]);
    // Behind the sheet nothing happens.
    await press(window, 'g', 'u', 'Escape');
    await sheet.waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/devices');
    await isFocused(page, '[role=row][aria-rowindex="2"]');

    await window.goTo('/account/preferences');
    await page.getByRole('switch', { name: 'Single-key shortcuts' }).uncheck();
    await openList(window);
    await press(window, 'j', '?', 't', 'g', 'u');
    await press(window, 'ArrowDown');
    await isFocused(page, '[role=row][aria-rowindex="3"]');
    await press(window, 'Control+k');
    await page.getByRole('combobox', { name: 'Go to device, page or action' }).waitFor();
    expect(await sheet.count()).toBe(0);

    // The next test is of the same user.
    await window.goTo('/account/preferences');
    await page.getByRole('switch', { name: 'Single-key shortcuts' }).check();
    await window.untilStill();
  });

  it('finds devices, pages, acts, users and questions in the palette', async (test) => {
    const window = await windows.take(test);
    const { page } = window;
    await openList(window);
    const field = page.getByRole('combobox', { name: 'Go to device, page or action' });
    const choose = async (typed: string, option: string | RegExp): Promise<void> => {
      await press(window, 'Control+k');
      await field.and(page.locator(':focus')).waitFor();
      await page.keyboard.type(typed);
      // Enter takes the marked one. While the text is typed, others may stand before it.
      await page.getByRole('option', { name: option }).and(page.locator('[data-highlighted]')).waitFor();
      await press(window, 'Enter');
      await field.waitFor({ state: 'detached' });
    };
    await choose('gamma', /^Gamma/);
    await page.getByRole('heading', { name: 'Gamma', level: 1 }).waitFor();

    await press(window, 'Control+k');
    await page
      .getByRole('option', { name: /^Gamma/ })
      .first()
      .waitFor();
    await window.untilStill();
    expect(await window.check.accessibility()).toEqual([]);
    await press(window, 'Escape');
    await field.waitFor({ state: 'detached' });

    // Commands of the page, with the question that it asks first.
    await choose('>delete dev', 'Delete device');
    const question = page.getByRole('dialog', { name: 'Delete Gamma?' });
    await question.waitFor();
    await isFocused(page, '[role=dialog] input');
    await press(window, 'Escape');
    await question.waitFor({ state: 'detached' });

    await choose('why terminal', /terminal/i);
    await page.waitForURL((url) => url.pathname === '/effective-permissions' && url.searchParams.get('what') === 'device.terminal.use');
    expect(new URL(page.url()).searchParams.get('on')).toMatch(/^Device:/);

    await choose('service acc', 'Service accounts G then S');
    await page.waitForURL('**/service-accounts');
    await choose(`@${administrator.email ?? ''}`, new RegExp(administrator.email ?? ''));
    await page.waitForURL(`**/users/${administrator.id}/access`);

    // Those visited last come first while nothing is typed.
    await press(window, 'Control+k');
    await page.getByRole('option', { name: 'Gamma' }).waitFor();
  });

  it('waits for the devices that match what was typed if Enter is pressed early', async (test) => {
    const window = await windows.take(test);
    const { page } = window;
    await openList(window);
    const field = page.getByRole('combobox', { name: 'Go to device, page or action' });
    const marked = (name: RegExp) => page.getByRole('option', { name }).and(page.locator('[data-highlighted]'));
    const open = async (): Promise<void> => {
      await press(window, 'Control+k');
      await field.fill('a');
      await marked(/^Alpha/).waitFor();
    };
    await open();
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route(SEARCH, async (route) => {
      await held;
      await route.continue();
    });

    await field.fill('gamma');
    await press(window, 'Enter');
    await page.getByText('Searching…').waitFor();
    answer();
    await page.getByRole('heading', { name: 'Gamma', level: 1 }).waitFor();
    await field.waitFor({ state: 'detached' });

    // A row that the arrow keys have chosen is taken at once.
    await page.unroute(SEARCH);
    await open();
    await page.route(SEARCH, () => undefined);
    await field.fill('beta');
    await marked(/^Beta/).waitFor();
    await press(window, 'ArrowDown', 'ArrowUp', 'Enter');
    await page.getByRole('heading', { name: 'Beta', level: 1 }).waitFor();
  });

  it('waits for what questions are about, and takes nothing if a search fails', async (test) => {
    const window = await app.open(test, { user: administrator, allowedRefusals: ['503 POST /api/v1/devices/search'] });
    const { page } = window;
    await openList(window);
    const field = page.getByRole('combobox', { name: 'Go to device, page or action' });
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/api/v1/permission-assignments/catalog*', async (route) => {
      await held;
      await route.continue();
    });
    await press(window, 'Control+k');
    await field.fill('why use terminal');
    await press(window, 'Enter');
    await page.getByText('Searching…').waitFor();
    answer();
    await page.waitForURL((url) => url.searchParams.get('what') === 'device.terminal.use');
    // The address changes while the palette still fades out, and keys mean nothing over it.
    await field.waitFor({ state: 'detached' });

    await page.route(SEARCH, (route) => route.fulfill({ status: 503 }));
    await press(window, 'Control+k');
    // The name of a page, which would be taken.
    await field.fill('customers');
    await press(window, 'Enter');
    await page.getByRole('dialog').getByText('Service Unavailable').waitFor();
    expect(new URL(page.url()).pathname).toBe('/effective-permissions');
  });
});
