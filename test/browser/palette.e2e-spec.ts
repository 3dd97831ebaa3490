import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { User } from '../../src/people/users/user.entity.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { createKeyedDevice, ReferenceAgent, waitOnline } from '../support/devices/agents.js';
import { createCustomer, createDevice, createDeviceGroup } from '../support/fixtures/factories.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { frontEnd } from './support/front-end.js';

/*
 * What the palette finds, in which order, and what it does.
 */

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;

suite(`the palette${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built);
  let administrator: User;
  let agent: ReferenceAgent;

  beforeAll(async () => {
    administrator = await app.administrator();
    const tenant = await app.tenantOf(administrator);
    const tenantId = tenant.id;
    agent = await ReferenceAgent.start(app.server, await createKeyedDevice(app.server, tenant, { alias: 'srv-01' }));
    await createCustomer(app.server, { tenantId, name: 'Acme Dental' });
    await createDeviceGroup(app.server, { tenantId, name: 'Night shift' });
    // Found by something else than its name, and online devices come first.
    await createDevice(app.server, { tenantId, name: '17425', dnsHostName: 'front desk 1.example.org', isOnline: true });
    for (let number = 10; number < 30; number += 1) {
      await createDevice(app.server, { tenantId, name: `front desk ${number}`, isOnline: true });
    }
    await createDevice(app.server, { tenantId, name: 'front desk 1', isOnline: false });
    await waitOnline(app.server, agent.device.id);
  });

  afterAll(() => agent?.stop());

  const type = async (page: Page, text: string): Promise<void> => {
    // While a dialog is closing, the keys of the page belong to it.
    await page.getByRole('dialog').first().waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to device, page or action' }).fill(text);
  };

  it('ranks exact names first, then those that begin with the text', async (test) => {
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    await window.goTo('/devices');
    await type(page, 'front desk 1');
    const devices = page.getByRole('group', { name: 'Devices', exact: true }).getByRole('option');
    // A state follows each name.
    await devices
      .first()
      .filter({ hasText: /^front desk 1Offline$/ })
      .waitFor();
    const others = (await devices.allInnerTexts()).slice(1);
    expect(others.every((text) => /^front desk 1\d/.test(text))).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'front desk 1' }).waitFor();
  });

  it('acts on any device, and finds customers and groups', async (test) => {
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    await window.goTo('/users');
    await type(page, 'restart srv-01');
    await page.getByRole('option', { name: /^Restart: srv-01/ }).waitFor();
    expect(await window.check.accessibility()).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Restart srv-01?' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();

    // An act that reaches the device is offered, but not possible while it is offline.
    await type(page, 'restart front desk 1');
    const off = page.getByRole('option', { name: /^Restart: front desk 1(?!\d)/ }).first();
    await off.waitFor();
    expect(await off.getAttribute('aria-disabled')).toBe('true');
    await page.keyboard.press('Escape');

    await type(page, 'acme');
    await page.getByRole('option', { name: 'Acme Dental' }).click();
    await page.waitForURL('**/customers/*');
    await type(page, 'night');
    await page.getByRole('option', { name: 'Night shift' }).click();
    await page.waitForURL('**/device-groups/*');
  });

  it('adds a device, invites a user, changes the theme and signs out', async (test) => {
    // After the sign-out the page asks who is signed in.
    const window = await app.open(test, { user: administrator, allowedRefusals: ['401 GET /account/session'] });
    const { page } = window;
    await window.goTo('/devices');
    await type(page, 'invite');
    await page.getByRole('option', { name: 'Invite user' }).click();
    await page.getByRole('dialog', { name: /^Invite/ }).waitFor();
    await page.keyboard.press('Escape');

    await type(page, 'dark');
    await page.getByRole('option', { name: 'Theme: Dark' }).click();
    await page.locator('html[data-theme=dark]').waitFor();
    await type(page, '> add dev');
    await page.getByRole('option', { name: 'Add device' }).click();
    await page.waitForURL('**/deploy');
    await window.untilStill();
    await type(page, 'sign out');
    await page.getByRole('option', { name: 'Sign out' }).click();
    await page.waitForURL('**/signin*');
  });
});
