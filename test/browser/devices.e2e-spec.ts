import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import type { Locator, Page, Route } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';

import type { Customer } from '../../src/devices/customers/customer.entity.js';
import { Device } from '../../src/devices/devices/device.entity.js';
import type { User } from '../../src/people/users/user.entity.js';
import type { Tenant } from '../../src/tenants/tenants/tenant.entity.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { createKeyedDevice, FakeAgent, ReferenceAgent } from '../support/devices/agents.js';
import { publishAgent, publishInstaller } from '../support/devices/published-agent.js';
import { eventually } from '../support/eventually.js';
import { createCustomer, createDevice } from '../support/fixtures/factories.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { clickAtOnce } from './support/clicks.js';
import { frontEnd, Windows, type Window } from './support/front-end.js';
import { hold, twoFrames } from './support/hold.js';

/*
 * The list of devices at work: the first run in an empty tenant, views, the customer that stays chosen, the file of a
 * list, and acts on many devices.
 */

/** Devices of the list: more than one page of it. */
const DEVICES = 240;
/** Devices that an act on all that match asks for at once. */
const PAGE_OF_ACTS = 1_000;
const SEARCH = /\/devices\/search/;
/** Width of a scroll bar that has a place of its own, in pixels. The browser of the tests shows none. */
const SCROLL_BAR = 15;
/** Text that a spreadsheet would compute. */
const FORMULA = '=1+2,"x"';

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;

suite(`the first run${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built);

  it('goes where the user clicks while it is not known yet if the visit is the first', async (test) => {
    const { page } = await app.open(test, { user: await app.administrator() });
    const progress = await hold(page, '**/api/v1/user-storage/first-run*');
    await page.goto('/devices');
    await progress.isHeld;
    // The list stays until the code of the next page has come.
    const code = await hold(page, '**/assets/*.js');
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Backups' }).click();
    await code.isHeld;
    progress.go();
    await page.evaluate(`(async () => {
      const { queryClient } = window.__TSR_ROUTER__.options.context;
      while (queryClient.getQueryState(['first-run'])?.status !== 'success') await new Promise((resolve) => requestAnimationFrame(resolve));
    })()`);
    await twoFrames(page);
    code.go();
    await Promise.race([page.getByRole('heading', { level: 1, name: 'Backups' }).waitFor(), page.waitForURL('**/welcome')]);
    expect(new URL(page.url()).pathname).toBe('/server/backups');
  });

  it('leads to the first steps once, and keeps what is left of them above the list', async (test) => {
    const window = await app.open(test, { user: await app.administrator() });
    const { page } = window;
    await window.goTo('/devices');
    await page.waitForURL('**/welcome');
    await page.getByRole('textbox', { name: 'Name' }).fill('Northwind IT');
    await page.getByRole('button', { name: 'Save and continue' }).click();
    await page.getByRole('button', { name: 'Add your first device', expanded: true }).waitFor();
    await page.getByRole('button', { name: 'Skip' }).click();
    await page.getByRole('button', { name: 'Secure your account', expanded: true }).waitFor();

    await window.goTo('/devices');
    const card = page.getByRole('region', { name: 'First steps' });
    await card.getByText('Add your first device').waitFor();
    expect(new URL(page.url()).pathname).toBe('/devices');
    expect(await card.getByLabel('Done').count()).toBe(1);
    expect(await card.getByLabel('To do').count()).toBe(3);

    await card.getByRole('button', { name: "Don't show again" }).click();
    await card.waitFor({ state: 'detached' });
    await window.untilStill();
    await window.goTo('/devices');
    await page.getByText('No devices yet').waitFor();
    await window.untilStill();
    expect(await card.count()).toBe(0);
  });
});

suite(`adding devices${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built);

  it('begins with the key and the platform that the address names, and keeps there what is chosen', async (test) => {
    await publishAgent(app.server.dataPath);
    const key = randomUUID();
    // Nobody made this key: the page asks in vain who has used it, and for its customer.
    const refused = [`404 GET /api/v1/installer-keys/${key}/usages`, `404 GET /api/inventory/installer-keys/${key}/customer`];
    const window = await app.open(test, { user: await app.administrator(), allowedRefusals: refused });
    const { page } = window;
    const platform = (name: string) => page.getByRole('group', { name: 'Platform' }).getByRole('button', { name, pressed: true });
    const inAddress = (name: string): string | null => new URL(page.url()).searchParams.get(name);
    await window.goTo(`/deploy?key=${key}&os=linux-arm64`);
    expect(await page.getByLabel('Key ID').inputValue()).toBe(key);
    await page.getByLabel('Secret').fill('a secret');
    await page.getByRole('button', { name: 'Use this key' }).click();
    await platform('Linux ARM64').waitFor();
    await page.getByRole('button', { name: 'Linux x64' }).click();
    await platform('Linux x64').waitFor();
    await expect.poll(() => inAddress('os')).toBe('linux-x64');
    expect(inAddress('key')).toBe(key);

    // Unknown values of the address are ignored.
    await window.goTo('/deploy?key=none&os=plan9-x64');
    await page.getByRole('button', { name: 'Create key' }).click();
    await platform('Linux x64').waitFor();
    await expect.poll(() => inAddress('key')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('offers the installer of another agent where its files are there, with the key in its command', async (test) => {
    await publishAgent(app.server.dataPath);
    const user = await app.administrator();
    const without = await app.open(test, { user });
    const key = async ({ page }: Window): Promise<void> => page.getByRole('button', { name: 'Create key' }).click();
    await without.goTo('/deploy');
    await key(without);
    await without.page.getByRole('button', { name: 'Linux x64', exact: true }).waitFor();
    await without.page.getByText('Installs a service for systemd, OpenRC, runit or launchd').waitFor();
    expect(await without.page.getByRole('button', { name: /ControlR/ }).count()).toBe(0);

    await publishInstaller(app.server.dataPath);
    // The version of published files is read once a minute.
    app.server.clock.advance(61_000);
    const window = await app.open(test, { user });
    const { page } = window;
    await window.goTo('/deploy?os=linux-x64-installer');
    await key(window);
    await page.getByRole('group', { name: 'Platform' }).getByRole('button', { name: 'Linux x64 (ControlR)', pressed: true }).waitFor();
    const command = page.getByLabel('Command', { exact: true });
    await expect
      .poll(() => command.innerText())
      .toMatch(/install --server-uri \S+ --tenant-id \S+ --installer-key-id [0-9a-f-]{36} --installer-key-secret '\S{40,}'/);
    await page.getByText('other users of the device can see the secret').waitFor();
    await page.getByRole('button', { name: 'Copy command' }).waitFor();
    test.expect(await window.check.accessibility({})).toEqual([]);
    await page.getByRole('button', { name: 'Linux x64', exact: true }).click();
    await expect.poll(() => command.innerText()).toContain('install.sh');
  });
});

suite(`the list of devices${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built);
  let administrator: User;
  let tenant: Tenant;
  let customer: Customer;
  let windows: Windows;

  beforeAll(async () => {
    administrator = await app.administrator();
    windows = new Windows(app, { user: administrator });
    tenant = await app.tenantOf(administrator);
    customer = await createCustomer(app.server, { tenantId: tenant.id, name: 'Acme Dental' });
    // Every fourth belongs to the customer, every third was seen ten days ago, and one in ten has a disk that is almost full.
    await app.server.dataSource.query(
      `INSERT INTO devices (id, tenant_id, name, customer_id, last_seen, total_storage, used_storage)
       SELECT gen_random_uuid(), $1, 'till-' || lpad(n::text, 3, '0'), CASE WHEN n % 4 = 0 THEN $2::uuid END,
              now() - (n % 3) * interval '5 days', 100, CASE WHEN n % 10 = 0 THEN 95 ELSE 40 END
       FROM generate_series(1, $3::int) n`,
      [tenant.id, customer.id, DEVICES],
    );
    await app.server.dataSource.query(`UPDATE devices SET alias = $1 WHERE name = 'till-007'`, [FORMULA]);
  });

  const view = (page: Page, name: string | RegExp) => page.getByRole('group', { name: 'Views' }).getByRole('link', { name });
  const heading = (page: Page, count: string) => page.getByRole('heading', { level: 1, name: new RegExp(`^Devices\\s*${count}$`) });
  const listMenu = async (page: Page, entry: string | RegExp): Promise<void> => {
    await page.getByRole('button', { name: 'More list actions' }).click();
    await page.getByRole('menuitem', { name: entry }).click();
  };

  it('has built-in views with how many devices they hold', async (test) => {
    const window = await windows.take(test);
    const { page } = window;
    await window.goTo('/devices');
    await view(page, /^Offline > 7 days\s*80$/).waitFor();
    await view(page, /^All\s*240$/).waitFor();
    await view(page, /^Online\s*0$/).waitFor();
    await view(page, /^Disk > 90 %\s*24$/).click();
    await heading(page, '24').waitFor();
    expect(await view(page, /^Disk/).getAttribute('aria-current')).toBe('page');
    expect(await view(page, /^All/).getAttribute('aria-current')).toBeNull();
  });

  it('keeps a search as a view of the own, over a reload, until it is deleted', async (test) => {
    const window = await windows.take(test);
    const { page } = window;
    await window.goTo('/devices?q=till-00&sort=-name&cols=seen,mac');
    await heading(page, '9').waitFor();
    await listMenu(page, 'Save as view…');
    await page.getByRole('textbox', { name: 'Name' }).fill('First tills');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await view(page, /First tills/).waitFor();

    await window.goTo('/devices');
    await view(page, /First tills\s*9$/).click();
    await heading(page, '9').waitFor();
    expect(new URL(page.url()).searchParams.get('cols')).toBe('seen,mac');
    expect(await page.getByRole('columnheader', { name: 'MAC address' }).count()).toBe(1);
    await page.locator('[data-index="0"]', { hasText: 'till-009' }).waitFor();

    await listMenu(page, 'Rename “First tills”…');
    await page.getByRole('textbox', { name: 'Name' }).fill('Tills up front');
    await page.getByRole('button', { name: 'Rename', exact: true }).click();
    await listMenu(page, 'Delete “Tills up front”');
    await view(page, /Tills up front/).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await view(page, /Tills up front/).waitFor();
    await view(page, /Tills up front/).click();
    await listMenu(page, 'Delete “Tills up front”');
    await view(page, /Tills up front/).waitFor({ state: 'detached' });
    await window.untilStill();
    await window.goTo('/devices');
    await view(page, /^Untagged\s*240$/).waitFor();
    expect(await view(page, /Tills up front/).count()).toBe(0);
  });

  it('shows its columns in an order of the own, chosen by pointer and by keyboard', async (test) => {
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    await window.goTo('/devices?q=till-00&cols=state,customer,seen');
    await heading(page, '9').waitFor();
    await page.locator('[data-index="0"]').getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Columns' }).click();
    const chooser = page.getByRole('dialog', { name: 'Columns' });
    await chooser.getByRole('button', { name: 'Move State down' }).click();
    await showsColumns(page, 'customer,state,seen');

    const seen = chooser.getByRole('checkbox', { name: 'Seen' });
    await seen.focus();
    for (const cols of ['customer,seen,state', 'seen,customer,state']) {
      await page.keyboard.press('Alt+ArrowUp');
      await showsColumns(page, cols);
    }
    // The name stays the first.
    await page.keyboard.press('Alt+ArrowUp');
    await chooser.getByText('Seen: position 2 of 4').waitFor({ state: 'attached' });
    await page.keyboard.press('Space');
    await showsColumns(page, 'customer,state');
    await page.keyboard.press('Space');
    await showsColumns(page, 'customer,state,seen');
    await seen.and(page.locator(':focus')).waitFor();
    expect(await window.check.accessibility()).toEqual([]);
    await page.keyboard.press('Escape');
    await chooser.waitFor({ state: 'detached' });
    // The selection stays.
    await page.getByText('1 selected').waitFor();

    await page.reload();
    await showsColumns(page, 'customer,state,seen');
  });

  it('keeps each of two columns that are chosen before the list has drawn the first', async (test) => {
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    const colsOf = (): string | null => new URL(page.url()).searchParams.get('cols');
    await window.goTo('/devices?q=till-00&cols=state');
    await page.getByRole('button', { name: 'Columns' }).click();
    const chooser = page.getByRole('dialog', { name: 'Columns' });
    const boxes = chooser.getByRole('checkbox', { name: /^(Customer|Seen)$/ });
    await boxes.nth(1).waitFor();
    await clickAtOnce(page, boxes);
    await expect.poll(colsOf).toBe('state,customer,seen');
    const up = chooser.getByRole('button', { name: 'Move Seen up' });
    await clickAtOnce(page, up, up);
    await expect.poll(colsOf).toBe('seen,state,customer');
    await chooser.getByText('Seen: position 2 of 4').waitFor({ state: 'attached' });
  });

  it.for([1366, 1280, 1024])('fits a window of %i px with the columns that it has by itself', async (width, test) => {
    await app.server.dataSource.query(
      `UPDATE devices SET agent_version = '10.12.34', local_ip_v4 = '192.168.200.200' WHERE name = 'till-008'`,
    );
    const window = await app.open(test, { user: administrator, viewport: { width: width - SCROLL_BAR, height: 800 } });
    const { page } = window;
    await window.goTo('/devices?q=till-008');
    const row = page.locator('[data-index="0"]');
    await row.getByText('192.168.200.200').waitFor();
    expect(await isCut(page.locator(':has(> [role=row])').first())).toBe(false);
    const heads = await page.getByRole('columnheader').allInnerTexts();
    for (const name of ['Name', 'State', 'Address', 'Agent', 'Seen']) {
      const inCell = await row.getByRole('gridcell').nth(heads.indexOf(name)).locator('xpath=descendant-or-self::*').all();
      for (const element of inCell) expect(await isCut(element), name).toBe(false);
    }
  });

  it('has columns as wide as the user makes them, over a reload, and in a view', async (test) => {
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    await window.goTo('/devices?q=till-00');
    await heading(page, '9').waitFor();
    const [name, state] = [await boxOf(page, 'Name'), await boxOf(page, 'State')];

    // By the pointer: the edge follows it, and the address is told once it lets go.
    await page.getByRole('columnheader', { name: 'State' }).hover();
    const edge = page.getByRole('separator', { name: 'Width of State' });
    const { x, y, width, height } = await boxAt(edge);
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 2 + 30, y + height / 2);
    await page.mouse.move(x + width / 2 + 60, y + height / 2);
    await hasWidth(page, 'State', state.width + 60);
    expect(new URL(page.url()).searchParams.has('cols')).toBe(false);
    await page.mouse.up();
    await page.waitForURL((url) => url.searchParams.get('cols')?.includes(`state.${state.width + 60}`) === true);
    // The name, which takes the room that is left, keeps its place and its width, and the cells stand below their heads.
    expect(await boxOf(page, 'Name')).toEqual(name);
    const cell = await boxAt(page.locator('[data-index="0"]').getByRole('gridcell').nth(2));
    expect(Math.round(cell.width)).toBe(state.width + 60);

    // By the keyboard: from head to head, then to the edge.
    await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Tab');
    for (const [key, wider] of [
      ['ArrowRight', 68],
      ['ArrowRight', 76],
      ['ArrowLeft', 68],
    ] as const) {
      await page.keyboard.press(key);
      await hasWidth(page, 'State', state.width + wider);
      expect(await edge.getAttribute('aria-valuenow')).toBe(`${state.width + wider}`);
    }
    const wide = `name.${name.width},state.${state.width + 68},customer,system,user,address,health,agent,seen`;
    await showsColumns(page, wide);
    expect(await window.check.accessibility()).toEqual([]);

    await page.reload();
    await hasWidth(page, 'State', state.width + 68);
    await listMenu(page, 'Save as view…');
    await page.getByRole('textbox', { name: 'Name' }).fill('Wide state');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await view(page, /Wide state/).waitFor();
    await window.goTo('/devices');
    await hasWidth(page, 'State', state.width);
    await view(page, /Wide state/).click();
    await hasWidth(page, 'State', state.width + 68);

    // As it was: by a double click, and by the keyboard.
    await page.getByRole('columnheader', { name: 'State' }).hover();
    await edge.dblclick();
    await showsColumns(page, wide.replace(/state\.\d+/, 'state'));
    await hasWidth(page, 'State', state.width);
    await page.getByRole('separator', { name: 'Width of Name' }).press('Enter');
    await page.waitForURL((url) => !url.searchParams.has('cols'));
    // Back leads to the page before, with its columns.
    await page.goBack();
    await heading(page, '240').waitFor();

    await view(page, /Wide state/).click();
    await listMenu(page, 'Delete “Wide state”');
    await view(page, /Wide state/).waitFor({ state: 'detached' });
  });

  it('goes where the user clicks right after typing into the search', async (test) => {
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    // The time after which typing rests ends when the test says so.
    await page.addInitScript(`
      const { setTimeout: later, clearTimeout: clear } = window;
      const resting = new Map();
      window.setTimeout = (run, delay, ...more) => {
        if (delay !== 250) return later(run, delay, ...more);
        const id = later(() => undefined, 2 ** 30);
        resting.set(id, run);
        return id;
      };
      window.clearTimeout = (id) => {
        resting.delete(id);
        clear(id);
      };
      window.rest = () => resting.forEach((run) => run());`);
    await window.goTo('/devices');
    const code = await hold(page, '**/assets/*.js');
    await page.getByRole('searchbox', { name: 'Search devices' }).fill('till-01');
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Tags' }).click();
    await code.isHeld;
    await page.evaluate('window.rest()');
    await twoFrames(page);
    expect(new URL(page.url()).pathname).toBe('/tags');
    code.go();
    await page.getByRole('heading', { level: 1, name: 'Tags' }).waitFor();
    await page.goBack();
    await heading(page, '10').waitFor();
    expect(new URL(page.url()).search).toBe('?q=till-01');
  });

  it('loses no view when two pages keep one at the same time', async (test) => {
    const window = await app.open(test, { user: administrator, allowedRefusals: ['409 POST /api/v1/user-storage'] });
    const { page } = window;
    const other = await page.context().newPage();
    let go = (): void => undefined;
    const isSaved = new Promise<void>((resolve) => (go = resolve));
    // The first page has read the list of views, and writes it after the second one has.
    await page.route('**/api/v1/user-storage?*', async (route) => {
      if (route.request().postData()?.includes('"key":"device-views"') === true) await isSaved;
      await route.continue();
    });
    const keep = async (on: Page, name: string): Promise<void> => {
      await on.goto('/devices?q=till-01');
      await heading(on, '10').waitFor();
      await listMenu(on, 'Save as view…');
      await on.getByRole('textbox', { name: 'Name' }).fill(name);
      const writes = on.waitForRequest((request) => request.postData()?.includes('"key":"device-views"') === true);
      await on.getByRole('button', { name: 'Save', exact: true }).click();
      await writes;
    };
    await keep(page, 'Kept here');
    await keep(other, 'Kept there');
    await view(other, /Kept there/).waitFor();
    go();
    await view(page, /Kept here/).waitFor();
    await view(page, /Kept there/).waitFor();
    for (const name of ['Kept here', 'Kept there']) {
      await view(page, name).click();
      await listMenu(page, `Delete “${name}”`);
      await view(page, name).waitFor({ state: 'detached' });
    }
  });

  it('stays narrowed down to a customer from page to page, until its chip is taken away', async (test) => {
    const window = await windows.take(test);
    const { page } = window;
    await window.goTo('/customers');
    await page.getByRole('link', { name: 'Acme Dental' }).click();
    await page.getByRole('link', { name: 'Show in device list' }).click();
    await heading(page, '60').waitFor();
    await view(page, /^Disk > 90 %\s*12$/).waitFor();
    await page.getByRole('link', { name: 'Users', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
    expect(new URL(page.url()).searchParams.get('customer')).toBe(customer.id);
    await page.getByRole('link', { name: 'Devices', exact: true }).click();
    await heading(page, '60').waitFor();

    await page.getByRole('button', { name: 'Remove Acme Dental' }).focus();
    await page.keyboard.press('Backspace');
    await heading(page, '240').waitFor();
    expect(new URL(page.url()).searchParams.has('customer')).toBe(false);
  });

  it('keeps the focus in an export that fails and is tried again, and gives it back when the file is there', async (test) => {
    const window = await app.open(test, { user: await app.administrator(), allowedRefusals: [/^500 POST .*devices\/search/] });
    const { page } = window;
    await window.goTo('/devices');
    const hasFocus = (element: Locator): Promise<unknown> =>
      eventually('the element has the focus', () => element.evaluate((each) => each === each.ownerDocument.activeElement));
    const cancel = page.getByRole('dialog').getByRole('button', { name: 'Cancel' });
    const search = '**/api/v1/devices/search*';
    await page.route(search, (route) => route.fulfill({ status: 500, body: '' }));
    await listMenu(page, 'Export as CSV');
    await hasFocus(cancel);
    await page.getByRole('dialog').getByRole('button', { name: 'Try again' }).focus();
    const held: Route[] = [];
    let isHeld = true;
    await page.unroute(search);
    await page.route(search, (route) => (isHeld ? void held.push(route) : route.continue()));
    await page.keyboard.press('Enter');
    await eventually('the devices are asked for again', () => held.length > 0);
    await hasFocus(cancel);
    isHeld = false;
    const download = page.waitForEvent('download');
    for (const route of held) await route.continue();
    await download;
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await hasFocus(page.getByRole('button', { name: 'More list actions' }));
  });

  it('says why there is no file when the names of tags cannot be read', async (test) => {
    const window = await app.open(test, { user: await app.administrator(), allowedRefusals: [/^500 GET .*\/tags/] });
    const { page } = window;
    await page.route('**/api/v1/tags*', (route) => route.fulfill({ status: 500, body: '' }));
    await window.goTo('/devices');
    await listMenu(page, 'Export as CSV');
    await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Close' }).waitFor();
  });

  it('is written into a file that holds what the service holds', async (test) => {
    const window = await windows.take(test);
    const { page } = window;
    await window.goTo('/devices?f=name.starts.till-0&cols=storage.90,customer');
    await heading(page, '99').waitFor();
    const download = page.waitForEvent('download');
    await listMenu(page, 'Export as CSV');
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^devices-\d{4}-\d\d-\d\d\.csv$/);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const menu = page.getByRole('button', { name: 'More list actions' });
    await eventually('the menu has the focus', () => menu.evaluate((each) => each === each.ownerDocument.activeElement));
    const [header, ...rows] = parseCsv(await readFile(await file.path(), 'utf8'));

    expect(header).toEqual(['Name', 'Alias', 'Tag', 'Storage in GiB', 'Customer', 'ID']);
    const stored = await app.server.dataSource.query<readonly Record<string, string | null>[]>(
      `SELECT d.name, d.alias, c.name AS customer, d.id FROM devices d LEFT JOIN customers c ON c.id = d.customer_id
       WHERE d.name LIKE 'till-0%' ORDER BY d.name`,
    );
    // A spreadsheet takes the alias for a text by the apostrophe before it.
    const lines = stored.map(({ name, alias, customer: of, id }) => [
      name,
      alias === FORMULA ? `'${FORMULA}` : alias,
      '',
      '100',
      of ?? '',
      id,
    ]);
    expect(rows).toEqual(lines.map((line) => line.map((cell) => cell ?? '')));
  });

  it('is narrowed down by a day of the time zone of the user', async (test) => {
    const window = await app.open(test, { user: administrator, timezoneId: 'America/Los_Angeles' });
    const { page } = window;
    await window.goTo('/devices');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Filter devices' });
    await dialog.getByLabel('Property').selectOption('Last seen');
    await dialog.getByLabel('Value').fill('2026-07-04');
    await dialog.getByRole('button', { name: 'Add filter' }).click();
    await page.getByText('Last seen before Jul 4, 2026').waitFor();
    expect(new URL(page.url()).searchParams.get('f')).toBe('lastSeen.before.2026-07-04T07:00:00.000Z');
  });

  it('is sorted again where the user sees it, below its first page', async (test) => {
    const device = await createKeyedDevice(app.server, tenant, { name: 'till-999' });
    test.onTestFinished(async () => void (await app.server.dataSource.manager.delete(Device, { id: device.id })));
    const { page } = await windows.take(test);
    await page.goto('/devices');
    const list = page.getByRole('grid', { name: 'Devices' });
    await list.getByRole('row', { name: 'till-001' }).focus();
    await page.keyboard.press('End');
    const row = list.locator(`[data-id="${device.id}"]`);
    await row.waitFor();
    const agent = await FakeAgent.online(app.server, device);
    test.onTestFinished(() => agent.stop());
    const sortAgain = page.getByRole('button', { name: 'Sort again' });
    await eventually('the page knows that the device is online', async () => {
      await agent.heartbeat();
      return sortAgain.isVisible();
    });
    await sortAgain.click();
    await row.waitFor({ state: 'detached' });
    await page.keyboard.press('Home');
    await row.and(list.locator('[aria-rowindex="2"]')).waitFor();
  });

  it('says in words which devices could not be deleted, and that there are none to act on', async (test) => {
    const [kept, lost] = [
      await createDevice(app.server, { tenantId: tenant.id, name: 'void-kept', isOnline: true }),
      await createDevice(app.server, { tenantId: tenant.id, name: 'void-lost', isOnline: true }),
    ];
    const remove = (id: string): Promise<unknown> => app.server.dataSource.manager.delete(Device, { id });
    const window = await windows.take(test);
    const { page } = window;
    const selectAll = async (): Promise<void> => {
      await page.locator('[data-index="0"]').getByRole('checkbox').check();
      await page.getByRole('button', { name: 'Select all 2 matches' }).click();
      await page.getByText('2 selected').waitFor();
    };
    await window.goTo('/devices?q=void-&sort=name');
    await heading(page, '2').waitFor();
    await selectAll();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Delete 2 devices?' });
    await question.getByRole('textbox').fill('2');
    await remove(lost.id);
    await question.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('1 refused: Already deleted, or you may not delete it.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    test.expect(await app.server.dataSource.manager.findOneBy(Device, { id: kept.id })).toBeNull();

    const others = [
      await createDevice(app.server, { tenantId: tenant.id, name: 'none-1', isOnline: true }),
      await createDevice(app.server, { tenantId: tenant.id, name: 'none-2', isOnline: true }),
    ];
    await window.goTo('/devices?q=none-&sort=name');
    await heading(page, '2').waitFor();
    await selectAll();
    // They go when the act asks for them: a list that is read again before would show that there are none.
    await page.route(SEARCH, async (route) => {
      const { pageSize } = route.request().postDataJSON() as { readonly pageSize: number };
      if (pageSize === PAGE_OF_ACTS) for (const { id } of others) await remove(id);
      await route.continue();
    });
    await page.getByRole('button', { name: 'Restart', exact: true }).click();
    await page.getByText('No devices match any longer. Nothing was changed.').waitFor();
    await page.unroute(SEARCH);
    test.expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('toolbar', { name: 'Actions for the selected devices' }).waitFor({ state: 'detached' });
  });

  it('acts on several devices, and shows the result for each', async (test) => {
    const device = await createKeyedDevice(app.server, tenant, { alias: 'bulk-online' });
    await createDevice(app.server, { tenantId: tenant.id, name: 'bulk-lost', isOnline: false });
    const agent = await ReferenceAgent.start(app.server, device);
    test.onTestFinished(() => agent.stop());
    const window = await windows.take(test);
    const { page } = window;
    await window.goTo('/devices?q=bulk-&sort=name');
    await heading(page, '2').waitFor();
    await page.locator('[data-index="0"]').getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Select all 2 matches' }).click();
    await page.getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Refresh' }).click();
    const result = page.getByRole('dialog', { name: 'Refresh results' });
    await result
      .getByRole('listitem')
      .filter({ hasText: /^bulk-online\s*Done$/ })
      .waitFor();
    await result
      .getByRole('listitem')
      .filter({ hasText: /^bulk-lost\s*Offline$/ })
      .waitFor();
    expect(await result.getByText('1 done').count()).toBe(1);
    // An offline device is not tried again.
    expect(await result.getByRole('button', { name: /^Retry/ }).count()).toBe(0);
    await result.getByRole('button', { name: 'Close' }).last().click();

    // An act that destroys asks for the number.
    await page.locator('[data-index="0"]').getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Select all 2 matches' }).click();
    await page.getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Delete 2 devices?' });
    const remove = question.getByRole('button', { name: 'Delete', exact: true });
    expect(await remove.isDisabled()).toBe(true);
    await question.getByRole('textbox').fill('2');
    await remove.click();
    await page.getByText('2 done').waitFor();
    const left = () =>
      app.server.dataSource.query<readonly unknown[]>(`SELECT 1 FROM devices WHERE name LIKE 'bulk-%' OR alias LIKE 'bulk-%'`);
    await eventually('both devices are removed', async () => (await left()).length === 0);
  });
});

/** Waits until the list has these columns, in the words of its address, behind the name. */
async function showsColumns(page: Page, cols: string): Promise<void> {
  await page.waitForURL((url) => url.searchParams.get('cols') === cols);
  const heads = page.locator('[role=columnheader][data-column]');
  const ids = new Set(['name', ...cols.replace(/\.\d+/g, '').split(',')]);
  // Each of them is called by its title.
  const titles = [...ids].map((id) => id.charAt(0).toUpperCase() + id.slice(1)).join();
  await eventually(`the heads are those of ${cols}`, async () => (await heads.allInnerTexts()).join() === titles);
}

/** Returns true if an element holds more than it shows at a time. */
const isCut = (element: Locator): Promise<boolean> => element.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);

const boxAt = async (locator: Locator) => (await locator.boundingBox()) ?? expect.unreachable('It is not seen');

/** The place and the width of a column's head, in whole pixels. */
async function boxOf(page: Page, name: string): Promise<{ readonly x: number; readonly width: number }> {
  const { x, width } = await boxAt(page.getByRole('columnheader', { name }));
  return { x: Math.round(x), width: Math.round(width) };
}

const hasWidth = (page: Page, name: string, width: number): Promise<void> =>
  eventually(`${name} is ${width} px wide`, async () => (await boxOf(page, name)).width === width);

/** The cells of a file of CSV, line by line. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  let cell = '';
  let isQuoted = false;
  const body = text.replace(/^\uFEFF/, '');
  for (let at = 0; at < body.length; at += 1) {
    const char = body[at];
    if (isQuoted) {
      if (char !== '"') cell += char;
      else if (body[at + 1] === '"') cell += body[(at += 1)];
      else isQuoted = false;
    } else if (char === '"') isQuoted = true;
    else if (char === ',' || char === '\n') {
      rows.at(-1)?.push(cell);
      cell = '';
      if (char === '\n') rows.push([]);
    } else if (char !== '\r') cell += char;
  }
  return rows.slice(0, -1);
}
