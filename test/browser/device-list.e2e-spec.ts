import { randomUUID } from 'node:crypto';

import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';

import { Permission } from '../../src/access/authorization/permissions/permission.js';
import { DeviceTag, Tag, TagType } from '../../src/devices/tags/tag.entity.js';
import { DeviceFeed } from '../../src/devices/device-link/device-feed.js';
import { HeartbeatSubscriptions } from '../../src/live/hubs/viewer/monitoring/heartbeat-subscriptions.js';
import type { User } from '../../src/people/users/user.entity.js';
import type { Tenant } from '../../src/tenants/tenants/tenant.entity.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { createKeyedDevice, FakeAgent, ReferenceAgent, waitOffline, waitOnline } from '../support/devices/agents.js';
import { at, createCustomer, createDevice, createUser, grantAll, holder } from '../support/fixtures/factories.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { clickAtOnce } from './support/clicks.js';
import { frontEnd, type Window } from './support/front-end.js';
import { hold } from './support/hold.js';

/*
 * The rows of the list of devices: what they show in windows of several sizes, what of them a search marks, and acts on many of them.
 */

/** Names of the longest kind that the list shows whole: 24 characters. */
const NAMES = ['workstation-accounting-1', 'WIN-SERVER-NORTHWIND-042', 'front desk main entrance 7'] as const;
/** Devices that acts are for: more than the service answers at once. */
const MANY = 2300;
const TAGS = ['critical', 'reception', 'server', 'windows'] as const;

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;

suite(`the rows of the list${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built);
  let administrator: User;
  let tenant: Tenant;

  beforeAll(async () => {
    administrator = await app.administrator();
    tenant = await app.tenantOf(administrator);
    const { manager } = app.server.dataSource;
    const customer = await createCustomer(app.server, { tenantId: tenant.id, name: 'Acme Dental' });
    const tags = TAGS.map((name) => ({ id: randomUUID(), tenantId: tenant.id, name, type: TagType.Unknown }));
    await manager.insert(Tag, tags);
    for (const [index, name] of NAMES.entries()) {
      const device = await createDevice(app.server, {
        tenantId: tenant.id,
        customerId: customer.id,
        name,
        platform: 1,
        osDescription: 'Microsoft Windows 11 Pro 10.0.26100 (24H2)',
        localIpV4: `192.168.200.20${index}`,
        macAddresses: [`00AA11BB22C${index}`],
        agentVersion: '10.12.34',
        currentUsers: ['dana'],
      });
      await manager.insert(
        DeviceTag,
        tags.slice(0, index + 2).map(({ id: tagId }) => ({ deviceId: device.id, tagId })),
      );
    }
  });

  const row = ({ page }: Window, name: string) => page.locator('[data-id]', { hasText: name });
  const cell = async (window: Window, name: string, column: string): Promise<Locator> => {
    const heads = await window.page.getByRole('columnheader').allInnerTexts();
    return row(window, name).getByRole('gridcell').nth(heads.indexOf(column));
  };

  it('show the present state of a device that went offline while the line was lost', async (test) => {
    const device = await createKeyedDevice(app.server, tenant, { alias: 'gone-unseen' });
    const agent = await FakeAgent.online(app.server, device);
    test.onTestFinished(() => agent.stop());
    const window = await app.open(test, { user: administrator, allowedRefusals: [/^lost /] });
    const { page } = window;
    await window.goTo('/devices?q=gone-unseen');
    const state = row(window, 'gone-unseen').getByText('Online', { exact: true });
    await page.locator('header').first().getByText('Live', { exact: true }).waitFor();
    // The list follows the device.
    await agent.stop();
    await row(window, 'gone-unseen').getByText('Offline', { exact: true }).waitFor();
    const back = await FakeAgent.online(app.server, device);
    test.onTestFinished(() => back.stop());
    await state.waitFor();

    await app.loseLine(page);
    await back.stop();
    await waitOffline(app.server, device.id);
    await page.context().setOffline(false);
    await row(window, 'gone-unseen').getByText('Offline', { exact: true }).waitFor();
  });

  it('follow their devices after the service could not take the first subscription', async (test) => {
    const device = await createKeyedDevice(app.server, tenant, { alias: 'followed-late' });
    const subscriptions = app.server.app.get(HeartbeatSubscriptions, { strict: false });
    const subscribe = vi.spyOn(subscriptions, 'subscribe').mockRejectedValueOnce(new Error('The database is away.'));
    test.onTestFinished(() => subscribe.mockRestore());
    const window = await app.open(test, { user: administrator });
    await window.goTo('/devices?q=followed-late');
    await row(window, 'followed-late').getByText('Offline', { exact: true }).waitFor();
    await expect.poll(() => app.server.app.get(DeviceFeed, { strict: false }).isWatched(device.id)).toBe(true);
    expect(subscribe.mock.calls.length).toBeGreaterThan(1);
    const agent = await FakeAgent.online(app.server, device);
    test.onTestFinished(() => agent.stop());
    await row(window, 'followed-late').getByText('Online', { exact: true }).waitFor();
  });

  it.for([1440, 1024])('show names whole in a window of %i px, and tags as far as there is room', async (width, test) => {
    const window = await app.open(test, { user: administrator, viewport: { width, height: 900 } });
    const { page } = window;
    await window.goTo('/devices');
    for (const [index, name] of NAMES.entries()) {
      const link = row(window, name).getByRole('link', { name });
      await link.waitFor();
      // Capitals need more room than a small window has.
      if (width === 1440 || name !== name.toUpperCase()) expect(await isCut(link), name).toBe(false);
      // Each tag is shown whole or not at all, and one number counts those that are not shown.
      const slots = await row(window, name).locator('[title*=", "] > span').all();
      const shown: string[] = [];
      for (const slot of slots) {
        if ((await slot.evaluate(({ clientWidth }) => clientWidth)) === 0) continue;
        expect(await isCut(slot), name).toBe(false);
        shown.push(await slot.innerText());
      }
      const tags = shown.filter((text) => !text.startsWith('+'));
      expect(shown.slice(tags.length)).toEqual(tags.length === index + 2 ? [] : [`+${index + 2 - tags.length}`]);
    }
    // Nothing is wider than the window.
    expect(await isCut(page.getByRole('grid'))).toBe(false);
    if (width === 1440) {
      for (const column of ['System', 'Address', 'Agent', 'Seen', 'Customer']) {
        const inCell = await (await cell(window, NAMES[0], column)).locator('xpath=descendant-or-self::*').all();
        for (const element of inCell) expect(await isCut(element), column).toBe(false);
      }
      expect(await (await cell(window, NAMES[0], 'System')).innerText()).toBe('Windows 11 Pro 24H2');
    }
    expect(await window.check.accessibility()).toEqual([]);
  });

  it('mark what was searched for in its column, and name a column that is not shown', async (test) => {
    const window = await app.open(test, { user: administrator, viewport: { width: 1440, height: 900 } });
    const [first] = NAMES;
    const mark = async (column: string) => (await cell(window, first, column)).locator('mark');
    await window.goTo('/devices?q=ACCOUNT');
    expect(await (await mark('Name')).allInnerTexts()).toEqual(['account']);

    await window.follow('/devices?q=200.200');
    expect(await (await mark('Address')).allInnerTexts()).toEqual(['200.200']);
    expect(await (await mark('Name')).count()).toBe(0);

    // The words that a short name leaves out mark all of it.
    await window.follow('/devices?q=10.0.26100');
    expect(await (await mark('System')).allInnerTexts()).toEqual(['Windows 11 Pro 24H2']);

    await window.follow('/devices?q=00aa11bb22c0');
    await row(window, first).getByText('00AA11BB22C0 MAC address').waitFor();
    expect(await (await mark('Name')).allInnerTexts()).toEqual(['00AA11BB22C0']);
    expect(await isCut(row(window, first).getByRole('link', { name: first }))).toBe(false);

    await window.follow('/devices?q=00aa11bb22c0&cols=mac,seen');
    expect(await (await mark('MAC address')).allInnerTexts()).toEqual(['00AA11BB22C0']);
    expect(await (await mark('Name')).count()).toBe(0);
    expect(await window.check.accessibility()).toEqual([]);

    const phone = await app.open(test, { user: administrator, viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
    await phone.goTo('/devices?q=00aa11bb22c0');
    await row(phone, first).locator('mark', { hasText: '00AA11BB22C0' }).waitFor();
  });
});

suite(`acts on many devices${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built);
  let administrator: User;
  let tenant: Tenant;

  beforeAll(async () => {
    administrator = await app.administrator();
    tenant = await app.tenantOf(administrator);
    await app.server.dataSource.query(
      `INSERT INTO devices (id, tenant_id, name) SELECT gen_random_uuid(), $1, 'mass-' || lpad(n::text, 4, '0') FROM generate_series(1, $2::int) n`,
      [tenant.id, MANY],
    );
  });

  const select = async (page: Page, count: string): Promise<void> => {
    await page.locator('[data-index="0"]').getByRole('checkbox').check();
    await page.getByRole('button', { name: `Select all ${count} matches` }).click();
    await page.getByText(`${count} selected`).waitFor();
  };
  const act = async (page: Page, name: string): Promise<void> => {
    await page.getByRole('toolbar').getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name }).click();
  };

  it('are asked about with the numbers of online and offline devices, and are for those that are online', async (test) => {
    const online = await createKeyedDevice(app.server, tenant, { alias: 'bulk-online' });
    for (const name of ['bulk-lost', 'bulk-stored']) await createDevice(app.server, { tenantId: tenant.id, name, isOnline: false });
    const agent = await ReferenceAgent.start(app.server, online);
    test.onTestFinished(() => agent.stop());
    await waitOnline(app.server, online.id);
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    await window.goTo('/devices?q=bulk-');
    const rows = page.locator('[data-index]');
    const places = () => rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().top));
    const before = await places();
    await select(page, '3');
    // The bar comes from below: no row moves for it.
    expect(await places()).toEqual(before);
    expect(await window.check.accessibility()).toEqual([]);

    await page.getByRole('toolbar').getByRole('button', { name: 'Restart' }).click();
    const question = page.getByRole('dialog');
    await question.getByText('1 online, 2 offline.').waitFor();
    expect(await question.getAttribute('aria-labelledby')).not.toBeNull();
    await page.getByRole('dialog', { name: 'Restart 1 device?' }).waitFor();
    expect(await window.check.accessibility()).toEqual([]);
    await question.getByRole('checkbox', { name: 'Include 2 offline devices' }).check();
    await page.getByRole('dialog', { name: 'Restart 3 devices?' }).waitFor();
    await question.getByRole('checkbox', { name: 'Include 2 offline devices' }).uncheck();
    await question.getByRole('button', { name: 'Restart' }).click();
    // One device needs no list of results.
    await page.getByText('Restart sent to bulk-online').waitFor();
  });

  it('open from a row that is marked, in a menu that names its device', async (test) => {
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    await window.goTo('/devices?q=mass-000');
    const marked = page.locator('[data-menu]');
    await page.locator('[data-index]', { hasText: 'mass-0003' }).click({ button: 'right' });
    await page.getByRole('menu').getByText('mass-0003').waitFor();
    expect(await marked.getByRole('link').allInnerTexts()).toEqual(['mass-0003']);
    // A menu stands outside of the landmarks, and its heading is text.
    expect(await window.check.accessibility({ rules: { region: { enabled: false } } })).toEqual([]);
    await page.keyboard.press('Escape');
    await marked.waitFor({ state: 'detached' });
  });

  it('begin on one device while those on another are under way', async (test) => {
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    await app.server.dataSource.manager.insert(Tag, { id: randomUUID(), tenantId: tenant.id, name: 'Slow', type: TagType.Permission });
    await window.goTo('/devices?q=mass-000');
    const tag = async (name: string): Promise<void> => {
      await page.locator('[data-index]', { hasText: name }).click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Add tag' }).click();
      await page.getByRole('dialog').getByRole('combobox', { name: 'Tag' }).click();
      await page.getByRole('option', { name: 'Slow' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Add tag' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    const { isHeld, go } = await hold(page, /\/device-tags/);
    await tag('mass-0003');
    await isHeld;
    await tag('mass-0004');
    go();
    for (const name of ['mass-0003', 'mass-0004']) await page.getByText(`Tag Slow added to ${name}`).waitFor();
  });

  it('open the screen with a permission to remote control alone', async (test) => {
    const user = await createUser(app.server, { tenantId: tenant.id });
    const rights = [Permission.DeviceRead, Permission.DeviceOverviewRead, Permission.DeviceRemoteControlConnect];
    await grantAll(app.server, holder.user(user), rights, at.tenant(tenant));
    const window = await app.open(test, { user, viewport: { width: 1600, height: 1000 } });
    const { page } = window;
    await window.goTo('/devices?q=mass-000');
    await page.locator('[data-index]', { hasText: 'mass-0003' }).click({ button: 'right' });
    await page.getByRole('menu').getByText('Open screen').click();
    await page.waitForURL('**/screen');
    // The tab, and the button beside the name.
    await expect.poll(() => page.getByRole('link', { name: 'Screen', exact: true }).count()).toBe(2);
  });

  it('are for the devices of the list in which they were chosen, not for those of another view or of the page before', async (test) => {
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    const bar = page.getByRole('toolbar', { name: 'Actions for the selected devices' });
    const chosen = page.locator('[data-index][aria-selected=true]');
    await window.goTo('/devices?q=mass-000&sort=name');
    await select(page, '9');
    await page
      .getByRole('group', { name: 'Views' })
      .getByRole('link', { name: /^All\b/ })
      .click();
    await page.locator('[data-index]', { hasText: 'mass-0010' }).waitFor();
    await bar.waitFor({ state: 'detached' });
    expect(await chosen.count()).toBe(0);

    await page.locator('[data-index="0"]').getByRole('checkbox').check();
    await page.getByText('1 selected').waitFor();
    await page.goBack();
    await page.locator('[data-index]', { hasText: 'mass-0010' }).waitFor({ state: 'detached' });
    await bar.waitFor({ state: 'detached' });
    expect(await chosen.count()).toBe(0);
  });

  it('are for all that match, also those that no page has loaded, but those that are taken out', async (test) => {
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    await window.goTo('/devices?q=mass-');
    await select(page, MANY.toLocaleString('en'));
    await page.locator('[data-index="1"]').getByRole('checkbox').uncheck();
    const left = (MANY - 1).toLocaleString('en');
    await page.getByText(`${left} selected`).waitFor();

    // Results come as they are there, until the user stops.
    await act(page, 'Refresh');
    const running = page.getByRole('dialog', { name: /^Refresh: in progress/ });
    await running.getByText(/\d offline/).waitFor();
    await running.getByRole('button', { name: 'Stop' }).click();
    const results = page.getByRole('dialog', { name: 'Refresh results' });
    await results.getByText(/\d not started/).waitFor();
    expect(await results.getByRole('button', { name: /^Retry/ }).count()).toBe(0);
    await results.getByRole('button', { name: 'Close' }).last().click();

    await select(page, MANY.toLocaleString('en'));
    await page.locator('[data-index="1"]').getByRole('checkbox').uncheck();
    await page.getByText(`${left} selected`).waitFor();
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete', exact: true }).click();
    const question = page.getByRole('dialog', { name: `Delete ${left} devices?` });
    await question.getByRole('textbox').fill(left);
    await question.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText(`${left} done`).waitFor();
    const names = await app.server.dataSource.query<readonly { name: string }[]>(`SELECT name FROM devices WHERE name LIKE 'mass-%'`);
    expect(names).toEqual([{ name: 'mass-0002' }]);
  });
});

suite(`the filters of the list${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built);
  let administrator: User;
  let tenant: Tenant;

  beforeAll(async () => {
    administrator = await app.administrator();
    tenant = await app.tenantOf(administrator);
  });

  it('keep each of two choices that are made before the list has drawn the first', async (test) => {
    const tags = TAGS.slice(0, 2).map((name) => ({ id: randomUUID(), tenantId: tenant.id, name, type: TagType.Unknown }));
    const { manager } = app.server.dataSource;
    await manager.insert(Tag, tags);
    const device = await createDevice(app.server, { tenantId: tenant.id, name: 'tagged' });
    await manager.insert(
      DeviceTag,
      tags.map(({ id: tagId }) => ({ deviceId: device.id, tagId })),
    );
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    const filters = (): string[] => [...new URL(page.url()).searchParams].map(([name, value]) => `${name} ${value}`).toSorted();
    const both = tags.map(({ id }) => `tag ${id}`).toSorted();
    await window.goTo('/devices');
    await page.getByRole('button', { name: 'Tag', expanded: false, exact: true }).click();
    const entries = page.getByRole('menu').getByRole('menuitemcheckbox', { name: new RegExp(TAGS.slice(0, 2).join('|')) });
    await entries.nth(1).waitFor();
    await clickAtOnce(page, entries);
    await expect.poll(filters).toEqual(both);
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'State', expanded: false, exact: true }).click();
    const offline = page.getByRole('menuitemcheckbox', { name: 'Offline' });
    await offline.waitFor();
    await clickAtOnce(page, offline, page.locator('[data-column=name] button').first());
    await expect.poll(filters).toEqual(['sort name', 'state offline', ...both]);
    await page.keyboard.press('Escape');

    await clickAtOnce(page, page.getByRole('button', { name: /^Remove Tag: / }));
    await expect.poll(filters).toEqual(['sort name', 'state offline']);
  });

  it('have a search for their values if these are many', async (test) => {
    for (let number = 1; number <= 30; number += 1) {
      const customer = await createCustomer(app.server, { tenantId: tenant.id, name: `Customer ${String(number).padStart(2, '0')}` });
      await createDevice(app.server, { tenantId: tenant.id, customerId: customer.id, name: `till-${number}` });
    }
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    await window.goTo('/devices');
    await page.locator('[aria-haspopup=dialog]', { hasText: 'Customer' }).click();
    const values = page.getByRole('dialog', { name: 'Customer' });
    await values.getByRole('checkbox', { name: 'Customer 30' }).waitFor();
    await values.getByRole('searchbox', { name: 'Search Customer' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('none');
    await values.getByText('No matches').waitFor();
    await values.getByRole('searchbox').fill('r 17');
    await expect.poll(() => values.getByRole('checkbox').count()).toBe(1);
    expect(await window.check.accessibility()).toEqual([]);
    await values.getByRole('checkbox', { name: 'Customer 17' }).check();
    await page.locator('[data-id]', { hasText: 'till-17' }).waitFor();
    await page.getByRole('heading', { level: 1, name: /^Devices\s*1$/ }).waitFor();
    expect(await values.getByRole('checkbox', { name: 'Customer 17' }).isChecked()).toBe(true);
  });
});

/** Returns true if an element holds more than it shows. */
const isCut = (element: Locator): Promise<boolean> => element.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
