import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Permission } from '../../src/access/authorization/permissions/permission.js';
import type { LogonTokenResponseDto } from '../../src/people/logon-tokens/logon-token.dto.js';
import type { User } from '../../src/people/users/user.entity.js';
import type { Tenant } from '../../src/tenants/tenants/tenant.entity.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { createPerson, openSession } from '../support/callers/browser.js';
import { createKeyedDevice, ReferenceAgent } from '../support/devices/agents.js';
import { eventually } from '../support/eventually.js';
import { at, createDevice, createDeviceGroup, grantAll, holder } from '../support/fixtures/factories.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { frontEnd, type Window } from './support/front-end.js';
import { Picture } from './support/picture.js';
import { runInTerminal, untilPrompt, withReadableTerminals } from './support/terminal-page.js';

/*
 * Preferences of users, from browser to browser, and their effects.
 */

const WIDE = { width: 1280, height: 800 };
const WRITE = /\/api\/v1\/user-storage\?/;
const READ = /\/api\/v1\/user-storage\/preferences\?/;
const DARK_GROUND = 0x0b0e13;
const LIGHT_GROUND = 0xffffff;

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;

suite(`preferences${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built);
  let tenant: Tenant;

  beforeAll(async () => {
    tenant = await app.tenantOf(await app.administrator());
  });

  const person = (): Promise<User> => createPerson(app.server, { tenantId: tenant.id });
  /** Returns a preference from the root element of a page. */
  const shown = (page: Page, name: string): Promise<string | undefined> => page.evaluate(`document.documentElement.dataset.${name}`);
  const untilShown = (page: Page, name: string, value: string): Promise<void> =>
    eventually(`${name} is ${value}`, async () => (await shown(page, name)) === value);
  /** Makes a change, and waits until the service has it. */
  const change = async (page: Page, act: () => Promise<void>): Promise<void> => {
    await Promise.all([page.waitForResponse(WRITE), act()]);
  };
  const theme = (page: Page, name: string): Locator => page.getByRole('group', { name: 'Theme' }).getByRole('radio', { name });
  const openPreferences = (window: Window): Promise<void> => window.goTo('/account/preferences');

  it('follow the account into another browser, and lose nothing that another page has changed', async (test) => {
    const user = await person();
    const first = await app.open(test, { user, colorScheme: 'light' });
    const second = await app.open(test, { user, colorScheme: 'light' });
    await openPreferences(first);
    await change(first.page, () => theme(first.page, 'Dark').check());

    await second.goTo('/account/profile');
    await untilShown(second.page, 'theme', 'dark');
    // From now on the browser itself has it, before the service is asked.
    await second.page.route(READ, () => undefined);
    await second.page.reload({ waitUntil: 'domcontentloaded' });
    expect(await shown(second.page, 'theme')).toBe('dark');
    await second.page.unroute(READ);

    await openPreferences(second);
    expect(await theme(second.page, 'Dark').isChecked()).toBe(true);
    await change(second.page, () => second.page.getByRole('radio', { name: 'Compact' }).check());
    // This page was there before.
    await change(first.page, () => first.page.getByRole('switch', { name: 'Reduce motion' }).check());
    expect(await shown(first.page, 'density')).not.toBe('compact');

    const third = await app.open(test, { user });
    await third.goTo('/account/profile');
    await untilShown(third.page, 'motion', 'reduced');
    expect([await shown(third.page, 'theme'), await shown(third.page, 'density')]).toEqual(['dark', 'compact']);
  });

  it('reach every open page of a browser at once; another language reloads the page', async (test) => {
    const user = await person();
    const window = await app.open(test, { user });
    const { page } = window;
    await openPreferences(window);
    const other = await page.context().newPage();
    await other.goto('/account/profile');
    await other
      .getByRole('banner')
      .locator('button[aria-haspopup=menu]', { hasText: user.email ?? '' })
      .click();
    await change(other, () => other.getByRole('menuitemcheckbox', { name: 'Light' }).click());
    await untilShown(page, 'theme', 'light');
    await theme(page, 'Light').and(page.locator(':checked')).waitFor();

    const elsewhere = await app.open(test, { user });
    await elsewhere.goTo('/account/profile');
    await app.server.dataSource.query(
      `UPDATE user_storage_items SET value = '{"language":"en-XA","theme":"pink"}' WHERE principal_id = $1`,
      [user.id],
    );
    await elsewhere.page.goto('/account/preferences');
    await elsewhere.page.getByRole('heading', { name: 'Préféréñçéš' }).waitFor();
    expect(await shown(elsewhere.page, 'language')).toBe('en-XA');
    // A value that there is not is none.
    expect(await shown(elsewhere.page, 'theme')).toBe('system');
  });

  it('belong to the user who signs in; a user without any keeps the look of the browser', async (test) => {
    const [first, second, third] = [await person(), await person(), await person()];
    const window = await app.open(test, { user: first });
    const { page } = window;
    const become = async (user: User): Promise<void> => {
      const [name = '', value = ''] = (await openSession(app.server, user)).split('=');
      await page.context().addCookies([{ name, value, url: app.origin, httpOnly: true, sameSite: 'Lax' }]);
      await openPreferences(window);
    };
    await openPreferences(window);
    await change(page, () => theme(page, 'Dark').check());
    await become(second);
    expect(await shown(page, 'theme')).toBe('dark');
    await change(page, () => theme(page, 'Light').check());
    await become(first);
    await untilShown(page, 'theme', 'dark');
    await become(third);
    expect(await shown(page, 'theme')).toBe('dark');
    await become(second);
    await untilShown(page, 'theme', 'light');
  });

  it('stay changed in the browser when the service cannot save them, and are saved later', async (test) => {
    const user = await person();
    const window = await app.open(test, { user, allowedRefusals: ['503 POST /api/v1/user-storage'] });
    const { page } = window;
    await openPreferences(window);
    await page.route(WRITE, (route) => route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{"title":"Busy."}' }));
    await theme(page, 'Dark').check();
    await page.getByText('Changed in this browser only. Busy.').waitFor();
    expect(await shown(page, 'theme')).toBe('dark');
    await change(page, () => page.getByRole('switch', { name: 'Reduce motion' }).check());
    await page.unroute(WRITE);

    await change(page, () => openPreferences(window));
    expect([await shown(page, 'theme'), await shown(page, 'motion')]).toEqual(['dark', 'reduced']);
    const other = await app.open(test, { user });
    await other.goTo('/account/profile');
    await untilShown(other.page, 'theme', 'dark');
    await untilShown(other.page, 'motion', 'reduced');
  });

  it('are neither read nor written in a session for one device', async (test) => {
    const device = await createDevice(app.server, { tenantId: tenant.id });
    const body = { tenantId: tenant.id, deviceId: device.id, userCorrelationId: 'somebody' };
    const { deviceAccessUrl } = (await app.server.client().post('/api/v1/logon-tokens/external', { body })).as<LogonTokenResponseDto>();
    const window = await app.open(test);
    const { page } = window;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await window.goTo(deviceAccessUrl);
    await page.getByRole('banner').getByRole('button').last().click();
    await page.getByRole('menuitemcheckbox', { name: 'Dark' }).click();
    await untilShown(page, 'theme', 'dark');
    await window.untilStill();
    expect(asked.filter((url) => url.includes('/api/v1/user-storage'))).toEqual([]);
  });

  it('open devices in new tabs', async (test) => {
    const user = await person();
    await grantAll(app.server, holder.user(user), [Permission.DeviceRead, Permission.TenantDeviceGroupsRead], at.tenant(tenant));
    const device = await createDevice(app.server, { tenantId: tenant.id, name: 'till-01' });
    const group = await createDeviceGroup(app.server, { tenantId: tenant.id, devices: [device] });
    const window = await app.open(test, { user, viewport: WIDE });
    const { page } = window;
    const row = page.getByRole('row').filter({ hasText: device.name });
    const link = row.getByRole('link', { name: device.name });
    const path = `/devices/${device.id}`;
    /** Checks that an act on a list opens the device in one new tab, and the list stays. */
    const opensTab = async (act: () => Promise<void>): Promise<void> => {
      const before = page.context().pages().length;
      const list = page.url();
      const [tab] = await Promise.all([page.context().waitForEvent('page'), act()]);
      await tab.waitForURL(`**${path}`);
      expect(page.context().pages()).toHaveLength(before + 1);
      expect(page.url()).toBe(list);
      await tab.close();
    };
    const opensHere = async (list: string, act: () => Promise<void>): Promise<void> => {
      await page.goto(list);
      await act();
      await page.waitForURL(`**${path}`);
    };
    // Both lists decide it in the same way: the second shows that it does so at all.
    const [list, otherList] = ['/devices', `/device-groups/${group.id}`];
    await opensHere(list, () => row.press('Enter'));
    await opensHere(list, () => row.click());
    await opensHere(list, () => link.click());
    await opensHere(otherList, () => row.press('Enter'));
    await page.goto(list);
    await opensTab(() => row.press('Control+Enter'));
    await opensTab(() => row.click({ button: 'middle', position: { x: 400, y: 10 } }));
    await opensTab(() => link.click({ button: 'middle' }));

    // A list that is shown already obeys.
    const other = await page.context().newPage();
    await other.goto('/account/preferences');
    await change(other, () => other.getByRole('switch', { name: 'Open devices in a new tab' }).check());
    await other.close();
    await untilShown(page, 'deviceTab', 'new');
    await opensTab(() => row.press('Enter'));
    await opensTab(() => row.click({ position: { x: 400, y: 10 } }));
    await opensTab(() => link.click());
    await opensTab(() => row.press('Control+Enter'));
    await opensTab(() => link.click({ modifiers: ['Control'] }));
    await page.goto(otherList);
    await opensTab(() => row.press('Enter'));
  });

  describe('with a device', () => {
    let agent: ReferenceAgent;

    beforeAll(async () => {
      agent = await ReferenceAgent.start(app.server, await createKeyedDevice(app.server, tenant));
    });

    afterAll(() => agent?.stop());

    it('give terminals the ground of the theme, at once', async (test) => {
      const user = await app.administrator();
      const window = await app.open(test, { user, viewport: WIDE, colorScheme: 'light' });
      const { page } = window;
      await withReadableTerminals(page);
      page.on('dialog', (dialog) => void dialog.accept());
      await window.goTo(`/devices/${agent.device.id}/terminal`);
      await untilPrompt(page);
      await runInTerminal(page, String.raw`printf '\e[3%dm%s\e[0m ' 1 red-$((40 + 2)) 3 yellow 7 white`, 'red-42');
      const terminal = page.locator('.xterm');
      const frame = terminal.locator('xpath=../..');
      const hint = page.getByText('leaves the terminal');
      /** Waits until a terminal and the page around it have a ground, and the text can be read on it. */
      const untilGround = async (ground: number): Promise<void> => {
        await eventually(`the terminal has the ground ${ground.toString(16)}`, async () =>
          (await Picture.of(terminal)).shows(ground, 0.9, 0.9),
        );
        expect((await Picture.of(frame)).shows(ground, 0.002, 0.5)).toBe(true);
        expect((await Picture.of(hint)).shows(ground, 0.01, 0.5)).toBe(true);
      };
      await untilGround(DARK_GROUND);

      const other = await page.context().newPage();
      await other.goto('/account/preferences');
      const follows = other.getByRole('switch', { name: 'Terminals follow the theme' });
      await change(other, () => follows.check());
      await untilGround(LIGHT_GROUND);
      expect(await window.check.accessibility()).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      await untilGround(DARK_GROUND);
      await change(other, () => theme(other, 'Light').check());
      await untilGround(LIGHT_GROUND);
      await page.locator('.xterm-rows', { hasText: 'red-42' }).waitFor();
      await change(other, () => follows.uncheck());
      await untilGround(DARK_GROUND);
    });
  });
});
