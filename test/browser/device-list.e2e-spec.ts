import { randomUUID } from 'node:crypto';

import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';

import { DeviceTag, Tag, TagType } from '../../src/devices/tags/tag.entity.js';
import type { User } from '../../src/people/users/user.entity.js';
import type { Tenant } from '../../src/tenants/tenants/tenant.entity.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { createCustomer, createDevice } from '../support/fixtures/factories.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { frontEnd, type Window } from './support/front-end.js';

/*
 * The rows of the list of devices: what they show in windows of several sizes, and what of them a search marks.
 */

/** Names of the longest kind that the list shows whole: 24 characters. */
const NAMES = ['workstation-accounting-1', 'WIN-SERVER-NORTHWIND-042', 'front desk main entrance 7'] as const;
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
    for (const [at, name] of NAMES.entries()) {
      const device = await createDevice(app.server, {
        tenantId: tenant.id,
        customerId: customer.id,
        name,
        platform: 1,
        osDescription: 'Microsoft Windows 11 Pro 10.0.26100 (24H2)',
        localIpV4: `192.168.200.20${at}`,
        macAddresses: [`00AA11BB22C${at}`],
        agentVersion: '10.12.34',
        currentUsers: ['dana'],
      });
      await manager.insert(
        DeviceTag,
        tags.slice(0, at + 2).map(({ id: tagId }) => ({ deviceId: device.id, tagId })),
      );
    }
  });

  const row = ({ page }: Window, name: string) => page.locator('[data-id]', { hasText: name });
  const cell = async (window: Window, name: string, column: string): Promise<Locator> => {
    const heads = await window.page.getByRole('columnheader').allInnerTexts();
    return row(window, name).getByRole('gridcell').nth(heads.indexOf(column));
  };

  it.for([1440, 1024])('show names whole in a window of %i px, and tags as far as there is room', async (width, test) => {
    const window = await app.open(test, { user: administrator, viewport: { width, height: 900 } });
    const { page } = window;
    await window.goTo('/devices');
    for (const [at, name] of NAMES.entries()) {
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
      expect(shown.slice(tags.length)).toEqual(tags.length === at + 2 ? [] : [`+${at + 2 - tags.length}`]);
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

/** Returns true if an element holds more than it shows. */
const isCut = (element: Locator): Promise<boolean> => element.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
