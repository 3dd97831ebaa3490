import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';

import { Permission, type PermissionDefinition } from '../../src/access/authorization/permissions/permission.js';
import type { User } from '../../src/people/users/user.entity.js';
import type { LogRetentionDto } from '../../src/tenants/log-retention/log-retention.dto.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { at, createTenant, createUser, grantAll, holder } from '../support/fixtures/factories.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { frontEnd } from './support/front-end.js';
import { storeScreenshot } from './support/screenshots.js';

/*
 * The time for which a tenant keeps its logs: chosen within the server's, and confirmed where it deletes something.
 */

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;

const BOTH = [Permission.TenantSettingsRead, Permission.TenantSettingsWrite];
const section = (page: Page) => page.getByRole('region', { name: 'Log retention' });
const field = (page: Page, log: string) => section(page).getByLabel(`${log} (days)`);
const save = (page: Page) => section(page).getByRole('button', { name: 'Save retention' });
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Delete older entries?' });

suite(`the log retention of a tenant${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built, {
    Service_AppOptions__SecurityLogRetentionDays: '20',
    Service_AppOptions__DeviceActivityRetentionDays: '365',
  });
  let user: User;

  async function person(permissions: readonly PermissionDefinition[], tenantId?: string): Promise<User> {
    const tenant = tenantId === undefined ? await createTenant(app.server, { name: 'Woodgrove' }) : { id: tenantId };
    const created = await createUser(app.server, { tenantId: tenant.id });
    await grantAll(app.server, holder.user(created), permissions, at.tenant(tenant));
    return created;
  }

  const path = '/account/log-retention';
  const query = () => ({ tenantId: user.tenantId });
  const stored = async (): Promise<LogRetentionDto> => (await app.server.client().get(path, { query: query() })).as<LogRetentionDto>();
  const choose = (body: object) => app.server.client().put(path, { query: query(), body });

  beforeEach(async () => {
    user = await person(BOTH);
  });

  it('is chosen within the limits, and asks before it deletes', async (test) => {
    const window = await app.open(test, { user });
    const { page } = window;
    await window.goTo('/settings');
    await section(page).getByText('At least 90 days. Leave empty to keep entries forever.').waitFor();
    await section(page).getByText("30 to 365 days. Leave empty for the server's 365.").waitFor();
    await section(page).getByText("The server keeps 20 days. You can't change that.").waitFor();
    expect([await field(page, 'Change log').inputValue(), await field(page, 'Sign-ins').isDisabled()]).toEqual(['', true]);
    expect(await window.check.accessibility()).toEqual([]);

    await field(page, 'Change log').fill('89');
    await save(page).click();
    await section(page).getByText(/90/).and(page.locator('[id][class*=error]')).waitFor();
    expect(await dialog(page).count()).toBe(0);

    await field(page, 'Change log').fill('90');
    await field(page, 'Events').fill('1');
    await save(page).click();
    await dialog(page).getByText('Change log: entries older than 90 days').waitFor();
    await dialog(page).getByText('Events: entries older than 1 day').waitFor();
    await dialog(page).getByText("They are deleted within a day and can't be restored.").waitFor();
    expect(await dialog(page).getByText('Device activity').count()).toBe(0);
    await window.untilStill();
    expect(await window.check.accessibility()).toEqual([]);
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    expect(await stored()).toMatchObject({ changeLogDays: null, eventDays: null });

    await save(page).click();
    await dialog(page).getByRole('button', { name: 'Save and delete' }).click();
    await page.getByText('Log retention saved').waitFor();
    expect(await stored()).toMatchObject({ changeLogDays: 90, securityLogDays: null, deviceActivityDays: null, eventDays: 1 });
  });

  it('is made longer without a question', async (test) => {
    await choose({ changeLogDays: 90, deviceActivityDays: 30 });
    const window = await app.open(test, { user });
    const { page } = window;
    await window.goTo('/settings');
    expect(await field(page, 'Device activity').inputValue()).toBe('30');
    await field(page, 'Change log').fill('');
    await field(page, 'Device activity').fill('365');
    await save(page).click();
    await page.getByText('Log retention saved').waitFor();
    expect(await dialog(page).count()).toBe(0);
    expect(await stored()).toMatchObject({ changeLogDays: null, deviceActivityDays: 365 });
  });

  it('shows what another editor has chosen, and asks again', async (test) => {
    const window = await app.open(test, { user, allowedRefusals: [`412 PUT ${path}`] });
    const { page } = window;
    await window.goTo('/settings');
    await field(page, 'Change log').fill('100');
    await choose({ changeLogDays: 200 });
    await save(page).click();
    await dialog(page).getByRole('button', { name: 'Save and delete' }).click();
    await section(page).getByRole('cell', { name: '200 days' }).waitFor();
    await section(page).getByRole('button', { name: 'Save your version' }).click();
    await dialog(page).getByText('Change log: entries older than 100 days').waitFor();
    await dialog(page).getByRole('button', { name: 'Save and delete' }).click();
    await page.getByText('Log retention saved').waitFor();
    expect(await stored()).toMatchObject({ changeLogDays: 100 });
  });

  it('is shown to those who may only read the settings', async (test) => {
    await choose({ changeLogDays: 120 });
    const window = await app.open(test, { user: await person([Permission.TenantSettingsRead], user.tenantId) });
    const { page } = window;
    await window.goTo('/settings');
    expect([await field(page, 'Change log').inputValue(), await field(page, 'Change log').isDisabled()]).toEqual(['120', true]);
    expect(await save(page).count()).toBe(0);
  });

  it('is not shown to others', async (test) => {
    const other = await person([Permission.DeviceRead], user.tenantId);
    const window = await app.open(test, { user: other, allowedRefusals: [/^403 GET /] });
    await window.goTo('/settings');
    await window.page
      .getByText(/You need the permission/)
      .first()
      .waitFor();
    expect(await section(window.page).count()).toBe(0);
  });

  it('loads by itself, and can be loaded again when that fails', async (test) => {
    const window = await app.open(test, { user, allowedRefusals: [`500 GET ${path}`] });
    const { page } = window;
    let isBroken = true;
    await page.route(`**${path}`, (route) => (isBroken ? route.fulfill({ status: 500, body: '' }) : route.continue()));
    await window.goTo('/settings');
    const again = section(page).getByRole('button', { name: 'Try again' });
    await again.waitFor();
    // The other settings are there.
    await page.getByLabel('Tenant name').waitFor();
    isBroken = false;
    await again.click();
    await field(page, 'Change log').waitFor();
  });

  it.each([
    ['light', { width: 1280, height: 900 }],
    ['dark', { width: 1280, height: 900 }],
    ['light', { width: 390, height: 844 }],
    ['dark', { width: 390, height: 844 }],
  ] as const)('has room in a %s window of %j', async (colorScheme, viewport) => {
    await choose({ changeLogDays: 180 });
    const window = await app.openForAll({ user, viewport, colorScheme });
    const { page } = window;
    await window.goTo('/settings');
    await field(page, 'Events').scrollIntoViewIfNeeded();
    await field(page, 'Events').fill('2');
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    const name = `log-retention-${colorScheme}-${viewport.width}`;
    await storeScreenshot(page, name);
    await save(page).click();
    await dialog(page).getByText('Events: entries older than 2 days').waitFor();
    await window.untilStill();
    await storeScreenshot(page, `${name}-dialog`);
    await page.context().close();
    window.expectNoOffences();
  });
});
