import type { Page } from 'playwright-core';
import { beforeAll, describe, it } from 'vitest';

import type { User } from '../../src/people/users/user.entity.js';
import type { Tenant } from '../../src/tenants/tenants/tenant.entity.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { createPerson } from '../support/callers/browser.js';
import { createDevice, createTenant } from '../support/fixtures/factories.js';
import { eventually } from '../support/eventually.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { frontEnd } from './support/front-end.js';

/*
 * What dialogs say and where their focus is, wrong codes, and controls that are large enough for a finger.
 */

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;
const VIEWPORT = { width: 1280, height: 900 };

suite(`dialogs and refusals in the front end${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built);
  let administrator: User;
  let tenant: Tenant;

  beforeAll(async () => {
    administrator = await app.administrator();
    tenant = await app.tenantOf(administrator);
  });

  /** Waits until the focus is in the open dialog, and stays there while the one before it goes. */
  const untilFocusInside = async (page: Page, name: string | RegExp): Promise<void> => {
    const dialog = page.getByRole('dialog', { name });
    await dialog.waitFor();
    await eventually('the focus is in the dialog', () =>
      page.evaluate<boolean>(
        `document.querySelectorAll('[role=dialog]').length === 1 && document.querySelector('[role=dialog]').contains(document.activeElement)`,
      ),
    );
  };

  it.concurrent('say what an invitation and a preset hold, with the focus in the second dialog as well', async (test) => {
    const { expect } = test;
    const window = await app.open(test, { user: administrator, viewport: VIEWPORT });
    const { page } = window;
    await window.goTo('/users');
    await page.getByRole('button', { name: 'Invite', exact: true }).press('Enter');
    await untilFocusInside(page, /Invite/);
    const dialog = page.getByRole('dialog');
    await dialog.getByText('3 permissions', { exact: true }).first().click();
    await dialog.getByText('Install Agent').first().waitFor();
    expect(await window.check.accessibility({})).toEqual([]);
    await dialog.getByLabel('E-mail address').fill('kim@example.org');
    await dialog.getByLabel('E-mail address').press('Enter');
    await untilFocusInside(page, 'Invitation created');
    await dialog.getByText('An e-mail with the link is on its way to kim@example.org.').waitFor();
    await dialog.getByText(/^The link expires on /).waitFor();
  });

  it.concurrent('say when a new token expires', async (test) => {
    const window = await app.open(test, { user: administrator, viewport: VIEWPORT });
    const { page } = window;
    await window.goTo('/account/tokens');
    await page.getByRole('button', { name: 'Create token' }).first().press('Enter');
    await untilFocusInside(page, 'Create token');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('deploy');
    await dialog.getByRole('button', { name: /^Read Device, / }).click();
    await dialog.getByRole('button', { name: 'Create token' }).press('Enter');
    await untilFocusInside(page, 'Token created');
    await dialog.getByText(/^It expires on /).waitFor();
  });

  it.concurrent('say that a code is wrong, not the password, and not that another one is', async (test) => {
    const person = await createPerson(app.server, { tenantId: tenant.id });
    const window = await app.open(test, { viewport: VIEWPORT, allowedRefusals: ['401 GET /account/session', '401 POST /account/sign-in'] });
    const { page } = window;
    // The service asks for a code once the password is right.
    await page.route(/\/account\/sign-in$/, async (route) => {
      const sent = route.request().postDataJSON() as { twoFactorCode?: string | null };
      if (typeof sent.twoFactorCode === 'string') {
        const body = JSON.stringify({ status: 401, title: 'Unauthorized', detail: 'The name or the password is wrong.' });
        await route.fulfill({ status: 401, contentType: 'application/problem+json', body });
      } else await route.fulfill({ status: 200, contentType: 'application/json', body: JSON.stringify({ outcome: 'TwoFactorRequired' }) });
    });
    await window.goTo('/signin');
    await page.getByLabel('E-mail').fill(person.userName);
    await page.getByLabel('Password', { exact: true }).fill('Correct-Horse-8');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('textbox', { name: /Code/ }).first().click();
    await page.keyboard.type('123456');
    await page.getByText("That code isn't right.").waitFor();
    test.expect(await page.getByText('password is wrong').count()).toBe(0);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').waitFor();
    test.expect(await page.getByText("That code isn't right.").count()).toBe(0);
  });

  it.concurrent('open without the failure of the time before', async (test) => {
    // No agent is connected, although the list says so.
    const device = await createDevice(app.server, { tenantId: tenant.id, name: 'stuck', isOnline: true });
    const window = await app.open(test, { user: administrator, viewport: VIEWPORT });
    const { page } = window;
    const dialog = page.getByRole('dialog', { name: 'Restart stuck?' });
    const ask = async (): Promise<void> => {
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Restart' }).click();
      await dialog.getByRole('button', { name: 'Cancel' }).waitFor();
    };
    await window.goTo(`/devices/${device.id}`);
    await ask();
    await dialog.getByRole('button', { name: 'Restart' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await ask();
    test.expect(await dialog.getByRole('alert').count()).toBe(0);
  });

  it.concurrent('offer links in lists that a finger can hit', async (test) => {
    await createTenant(app.server, { name: 'Adatum' });
    const window = await app.open(test, { user: administrator, viewport: { width: 390, height: 844 } });
    const { page } = window;
    await window.goTo('/server/tenants');
    const link = page.getByRole('list', { name: 'Tenants' }).getByRole('link', { name: 'Change log' }).first();
    await link.waitFor();
    test.expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  });
});
