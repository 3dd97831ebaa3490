import { beforeAll, describe, expect, it } from 'vitest';

import { Permission } from '../../src/access/authorization/permissions/permission.js';
import type { User } from '../../src/people/users/user.entity.js';
import { Tenant } from '../../src/tenants/tenants/tenant.entity.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { at, createTenant, createUser, grantAll, holder } from '../support/fixtures/factories.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { frontEnd, type Window } from './support/front-end.js';

/*
 * Tenants and those who come to them: their first administrator, their name, and users who may do nothing there yet.
 */

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;

suite(`tenants in the front end${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built, { Service_AppOptions__DisableEmailSending: 'true' });
  let administrator: User;

  beforeAll(async () => {
    administrator = await app.administrator();
  });

  /** The link in the dialog that shows it once. */
  const linkIn = async ({ page }: Window): Promise<string> => {
    const link = page.getByRole('group', { name: 'Invitation link' });
    await link.waitFor();
    return /https?:\S+\/invite-confirmation\/[\w-]+/.exec(await link.innerText())?.[0] ?? '';
  };
  const store = async ({ page }: Window): Promise<void> => {
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('checkbox', { name: "I've stored it" }).check();
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    await dialog.waitFor({ state: 'detached' });
  };
  const join = async (window: Window, link: string): Promise<void> => {
    await window.goTo(new URL(link).pathname);
    await window.page.getByLabel('Password', { exact: true }).fill('Correct-Horse-7');
    await window.page.getByRole('button', { name: 'Join' }).click();
    await window.page.getByRole('navigation').first().waitFor();
  };

  it('are created with an administrator, who joins by the link and administers the tenant', async (test) => {
    const window = await app.open(test, { user: administrator, allowedRefusals: [/^400 /] });
    const { page } = window;
    await window.goTo('/server/tenants');
    await page.getByRole('button', { name: 'Create tenant' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create tenant' });
    await dialog.getByLabel('Name', { exact: true }).fill('Fabrikam IT');
    const address = dialog.getByLabel("Administrator's e-mail address");
    await dialog.getByText("This server doesn't send e-mail.").waitFor();
    expect(await window.check.accessibility()).toEqual([]);

    // An address that has an account is refused at its field, and no tenant comes to be.
    await address.fill(String(administrator.email));
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog.getByText('An account with this e-mail address already exists.').waitFor();
    expect(await address.getAttribute('aria-invalid')).toBe('true');
    expect(await app.server.dataSource.manager.countBy(Tenant, { name: 'Fabrikam IT' })).toBe(0);

    await address.fill('frida@fabrikam.example');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    const link = await linkIn(window);
    await page.getByRole('dialog').getByText('Send the link to frida@fabrikam.example yourself. It expires on').waitFor();
    expect(await window.check.accessibility()).toEqual([]);
    await store(window);
    await page
      .getByRole('row', { name: /Fabrikam IT/ })
      .getByText('Invited, no sign-in yet')
      .waitFor();

    const hers = await app.open(test, { allowedRefusals: ['401 GET /account/session'] });
    await join(hers, link);
    await hers.goTo('/users');
    await hers.page.getByRole('row', { name: /frida@fabrikam\.example/ }).waitFor();

    await window.goTo('/server/tenants');
    const row = page.getByRole('row', { name: /Fabrikam IT/ });
    await row.waitFor();
    await row.getByText('Invited, no sign-in yet').waitFor({ state: 'detached' });
    await row.getByRole('button', { name: 'Actions for Fabrikam IT' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Invite an administrator' }).count()).toBe(0);
  });

  it('are created without one on request, and get one later', async (test) => {
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    await window.goTo('/server/tenants');
    await page.getByRole('button', { name: 'Create tenant' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create tenant' });
    await dialog.getByLabel('Name', { exact: true }).fill('Litware');
    await dialog.getByRole('radio', { name: /^No administrator yet/ }).check();
    await dialog.getByText('Nobody can sign in to the tenant until you invite an administrator').waitFor();
    expect(await dialog.getByLabel("Administrator's e-mail address").count()).toBe(0);
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    const row = page.getByRole('row', { name: /Litware/ });
    await row.getByText('No users yet').waitFor();

    await row.getByRole('button', { name: 'Actions for Litware' }).click();
    await page.getByRole('menuitem', { name: 'Invite an administrator' }).click();
    const invite = page.getByRole('dialog', { name: 'Invite an administrator to Litware' });
    await invite.getByLabel("Administrator's e-mail address").fill('lina@litware.example');
    expect(await window.check.accessibility()).toEqual([]);
    await invite.getByRole('button', { name: 'Invite', exact: true }).click();
    expect(await linkIn(window)).toContain('/invite-confirmation/');
    await store(window);
    await row.getByText('Invited, no sign-in yet').waitFor();
  });

  it('are named by those who manage their settings, and the bar shows the name at once', async (test) => {
    const tenant = await createTenant(app.server, { name: null });
    const user = await createUser(app.server, { tenantId: tenant.id, userName: 'nora@woodgrove.example' });
    await grantAll(app.server, holder.user(user), [Permission.TenantSettingsRead, Permission.TenantSettingsWrite], at.tenant(tenant));
    const window = await app.open(test, { user });
    const { page } = window;
    await window.goTo('/welcome');
    await page.getByRole('main').getByLabel('Name', { exact: true }).fill('Woodgrove');
    await page.getByRole('button', { name: 'Save and continue' }).click();
    const bar = page.getByRole('banner');
    await bar.getByText('Woodgrove', { exact: true }).waitFor();

    await window.goTo('/settings');
    await page.getByLabel('Tenant name').fill('Woodgrove Bank');
    expect(await window.check.accessibility()).toEqual([]);
    await page.getByRole('button', { name: 'Save name' }).click();
    await bar.getByText('Woodgrove Bank', { exact: true }).waitFor();
    await page.getByText('Tenant renamed to Woodgrove Bank').waitFor();
  });

  it('are not named by those who may only read their settings', async (test) => {
    const tenant = await createTenant(app.server, { name: 'Adatum' });
    const user = await createUser(app.server, { tenantId: tenant.id, userName: 'ada@adatum.example' });
    await grantAll(app.server, holder.user(user), [Permission.TenantSettingsRead], at.tenant(tenant));
    const window = await app.open(test, { user });
    await window.goTo('/settings');
    const name = window.page.getByLabel('Tenant name');
    expect([await name.inputValue(), await name.isDisabled()]).toEqual(['Adatum', true]);
    expect(await window.page.getByRole('button', { name: 'Save name' }).count()).toBe(0);
  });

  it('tell users without permissions whom to ask, by name only if they may know', async (test) => {
    const tenant = await createTenant(app.server, { name: 'Proseware' });
    const chief = await createUser(app.server, { tenantId: tenant.id, userName: 'chief@proseware.example' });
    await grantAll(app.server, holder.user(chief), [Permission.TenantPermissionsWrite], at.tenant(tenant));
    const user = await createUser(app.server, { tenantId: tenant.id, userName: 'newcomer@proseware.example' });
    const window = await app.open(test, { user });
    const { page } = window;
    await window.goTo('/devices');
    await page.getByText("You can't see any devices").waitFor();
    const text = (await page.getByRole('main').innerText()).replaceAll(/\s+/g, ' ');
    expect(text).toContain('Nobody has given you access to devices of Proseware yet');
    expect(text).toContain('Ask an administrator of Proseware.');
    expect(text).not.toContain('chief@proseware.example');
    expect(text).not.toMatch(/install/i);
    expect(await page.getByRole('link', { name: 'Add device' }).count()).toBe(0);
    expect(await window.check.accessibility()).toEqual([]);

    await grantAll(app.server, holder.user(user), [Permission.TenantPermissionsRead, Permission.DeviceRead], at.tenant(tenant));
    await window.goTo('/devices');
    await page.getByText('No devices yet').waitFor();
    await page.getByText("You don't have permission to add devices.").waitFor();
    await page.getByText('Ask chief@proseware.example.').waitFor();
  });

  it('say on a phone that they have no users', async (test) => {
    await createTenant(app.server, { name: 'Tailspin' });
    const window = await app.open(test, { user: administrator, viewport: { width: 390, height: 844 } });
    await window.goTo('/server/tenants');
    await window.page.getByRole('listitem').filter({ hasText: 'Tailspin' }).getByText('No users yet').waitFor();
  });
});
