import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';

import { Permission } from '../../src/access/authorization/permissions/permission.js';
import { Customer } from '../../src/devices/customers/customer.entity.js';
import type { Device } from '../../src/devices/devices/device.entity.js';
import { InstallerKeyCustomer } from '../../src/devices/installer-keys/key-customer.entity.js';
import { DeviceGroupNotes } from '../../src/devices/inventory/device-group-notes.entity.js';
import { DeviceTag } from '../../src/devices/tags/tag.entity.js';
import type { User } from '../../src/people/users/user.entity.js';
import type { Tenant } from '../../src/tenants/tenants/tenant.entity.js';
import { Scene } from '../routes/scene.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { at, createCustomer, createDevice, createDeviceGroup, createUser, grantAll, holder } from '../support/fixtures/factories.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { clickAtOnce } from './support/clicks.js';
import { frontEnd } from './support/front-end.js';
import { hold, twoFrames } from './support/hold.js';

/*
 * Customers, groups and tags of devices, and the keys with which they register.
 */

const WIDE = { width: 1440, height: 900 };
const TABLET = { width: 1024, height: 768 };

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;

suite(`customers and keys in the front end${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built);
  let administrator: User;
  let tenant: Tenant;
  let acme: Customer;
  let delta: Customer;

  beforeAll(async () => {
    administrator = await app.administrator();
    tenant = await app.tenantOf(administrator);
    acme = await createCustomer(app.server, { tenantId: tenant.id, name: 'Acme Dental', notes: 'Key at the desk.\nRing twice.' });
    delta = await createCustomer(app.server, { tenantId: tenant.id, name: 'Delta Foods' });
    for (const name of ['till-1', 'till-2']) await createDevice(app.server, { tenantId: tenant.id, customerId: delta.id, name });
  });

  const all = (page: Page) => page.getByRole('navigation', { name: 'Customers' });

  it('keeps the notes of a customer that is renamed', async (test) => {
    const { page } = await app.open(test, { user: administrator });
    await page.goto('/customers');
    await page.getByRole('button', { name: 'Actions for Acme Dental' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Notes').inputValue()).toBe('Key at the desk.\nRing twice.');
    await dialog.getByLabel('Name').fill('Acme Dental Group');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Acme Dental Group' }).click();
    await page.getByText('Key at the desk.\nRing twice.').waitFor();
    const stored = await app.server.dataSource.manager.findOneByOrFail(Customer, { id: acme.id });
    expect([stored.name, stored.notes]).toEqual(['Acme Dental Group', 'Key at the desk.\nRing twice.']);
  });

  it('keeps notes of a device group, and only shows them to users who may not change it', async (test) => {
    const group = await createDeviceGroup(app.server, { tenantId: tenant.id, name: 'Tills' });
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    await window.goTo(`/device-groups/${group.id}`);
    await page.getByRole('button', { name: 'Add notes' }).click();
    await page.getByLabel('Notes', { exact: true }).fill('Restart after 22:00.\nOne by one.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Restart after 22:00.\nOne by one.').waitFor();
    expect(await window.check.accessibility()).toEqual([]);
    await page.getByRole('button', { name: 'Edit notes' }).click();
    expect(await page.getByLabel('Notes', { exact: true }).inputValue()).toBe('Restart after 22:00.\nOne by one.');
    await page.getByRole('button', { name: 'Cancel' }).click();

    const reader = await createUser(app.server, { tenantId: tenant.id });
    await grantAll(app.server, holder.user(reader), [Permission.TenantDeviceGroupsRead, Permission.DeviceRead], at.tenant(tenant));
    const other = await app.open(test, { user: reader, colorScheme: 'dark' });
    await other.goTo(`/device-groups/${group.id}`);
    await other.page.getByText('One by one.').waitFor();
    expect(await other.page.getByRole('button', { name: 'Edit notes' }).count()).toBe(0);
    const stored = await app.server.dataSource.manager.findOneByOrFail(DeviceGroupNotes, { deviceGroupId: group.id });
    expect(stored.notes).toBe('Restart after 22:00.\nOne by one.');
  });

  it('leads from one customer to the next where the window has room for all of them', async (test) => {
    const window = await app.open(test, { user: administrator, viewport: WIDE });
    const { page } = window;
    await window.goTo(`/customers/${acme.id}`);
    await all(page).locator('[aria-current=page]', { hasText: 'Acme Dental' }).waitFor();
    await all(page).getByRole('link', { name: 'Delta Foods 2' }).click();
    await page.getByRole('heading', { level: 1, name: 'Delta Foods' }).waitFor();
    await page.getByRole('row', { name: /till-1/ }).waitFor();
    await all(page).locator('[aria-current=page]', { hasText: 'Delta Foods' }).waitFor();
    expect(await window.check.accessibility()).toEqual([]);

    await page.setViewportSize(TABLET);
    await all(page).waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /till-1/ }).waitFor();
  });

  it('keeps each of two choices in a list of devices that are made right after each other', async (test) => {
    const { page } = await app.open(test, { user: administrator, viewport: TABLET });
    const searchOf = (): string => new URL(page.url()).search;
    await page.goto(`/customers/${delta.id}?q=till`);
    await page.getByRole('row', { name: /till-1/ }).waitFor();
    const byName = page.locator('[data-column=name] button').first();
    await clickAtOnce(page, page.getByRole('button', { name: 'Clear', exact: true }), byName);
    await expect.poll(searchOf).toBe('?sort=name');
    await clickAtOnce(page, byName, byName);
    await expect.poll(searchOf).toBe('');
  });

  it('leaves devices selected that were not among those that are being removed', async (test) => {
    const customer = await createCustomer(app.server, { tenantId: tenant.id, name: 'Leaving' });
    for (const name of ['gone', 'stays']) await createDevice(app.server, { tenantId: tenant.id, customerId: customer.id, name });
    const window = await app.open(test, { user: administrator, viewport: TABLET });
    const { page } = window;
    await window.goTo(`/customers/${customer.id}`);
    await page.getByRole('row', { name: 'gone' }).getByRole('checkbox').check();
    const { isHeld, go } = await hold(page, (url) => url.pathname === `/api/v1/customers/${customer.id}/devices`);
    await page.getByRole('button', { name: 'Remove 1' }).click();
    await isHeld;
    await page.getByRole('row', { name: 'stays' }).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Remove 2' }).waitFor();
    go();
    await page.getByText('1 device removed from Leaving').waitFor();
    await page.getByRole('row', { name: 'gone' }).waitFor({ state: 'detached' });
    expect(await page.getByRole('row', { name: 'stays' }).getByRole('checkbox').isChecked()).toBe(true);
    expect(await page.getByRole('button', { name: 'Remove 1' }).count()).toBe(1);
  });

  it('leaves only those devices selected from which a tag could not be removed', async (test) => {
    const tag = await new Scene(app.server, tenant).tag();
    const names = ['untagged-1', 'still-tagged', 'untagged-2'];
    const devices: Device[] = [];
    for (const name of names) devices.push(await createDevice(app.server, { tenantId: tenant.id, name }));
    await app.server.dataSource.manager.insert(
      DeviceTag,
      devices.map(({ id: deviceId }) => ({ deviceId, tagId: tag.id })),
    );
    const window = await app.open(test, { user: administrator, viewport: TABLET, allowedRefusals: [/^503 DELETE /] });
    const { page } = window;
    await window.goTo(`/tags/${tag.id}`);
    const row = (name: string) => page.getByRole('row', { name });
    for (const name of names) await row(name).getByRole('checkbox').check();
    await page.route(`**/device-tags/${devices[1].id}/**`, (route) =>
      route.fulfill({ status: 503, json: { title: 'Service Unavailable' } }),
    );
    await page.getByRole('button', { name: 'Remove 3' }).click();
    for (const name of ['untagged-1', 'untagged-2']) await row(name).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove 1' }).waitFor();
    expect(await row('still-tagged').getByRole('checkbox').isChecked()).toBe(true);
    await page.unroute(`**/device-tags/${devices[1].id}/**`);
    await page.getByRole('button', { name: 'Remove 1' }).click();
    await row('still-tagged').waitFor({ state: 'detached' });
  });

  it('has an address for the registrations with a key', async (test) => {
    const scene = new Scene(app.server, tenant);
    const key = await scene.installerKey();
    const window = await app.open(test, { user: administrator, viewport: TABLET });
    const { page } = window;
    await window.goTo('/installer-keys');
    await page.getByRole('searchbox', { name: 'Search installer keys' }).fill('no such key');
    await page.getByText('No matches').waitFor();
    await page.getByRole('searchbox', { name: 'Search installer keys' }).fill(key.id);
    await page.waitForURL(`**/installer-keys?q=${key.id}`);

    await page.getByRole('row').nth(1).getByRole('link').click();
    await page.waitForURL(`**/installer-keys/${key.id}?q=${key.id}`);
    await page.reload();
    await page.getByRole('dialog').getByText('Registrations with this key').waitFor();
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/installer-keys');
  });

  it('gives a key the customer that is chosen last, also while the one before is being saved', async (test) => {
    const key = await new Scene(app.server, tenant).installerKey();
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    await window.goTo(`/installer-keys/${key.id}`);
    const field = page.getByRole('dialog').getByRole('combobox', { name: 'Customer of new devices' });
    const choose = async (name: string): Promise<void> => {
      await field.fill(name);
      await page.getByRole('option', { name }).click();
    };
    const sent: unknown[] = [];
    const ofKey = (url: URL): boolean => url.pathname.endsWith(`/${key.id}/customer`);
    page.on('request', (request) => {
      if (request.method() === 'PUT' && ofKey(new URL(request.url()))) sent.push(request.postDataJSON());
    });
    const { isHeld, go } = await hold(page, ofKey);
    await choose('Acme Dental');
    await isHeld;
    await choose('Delta Foods');
    await expect.poll(() => field.inputValue()).toBe('Delta Foods');
    await twoFrames(page);
    expect(sent).toEqual([{ customerId: acme.id }]);
    go();
    await expect.poll(() => sent).toEqual([{ customerId: acme.id }, { customerId: delta.id }]);
    await expect.poll(() => page.getByText('Customer changed').count()).toBe(2);
    expect(await field.inputValue()).toBe('Delta Foods');
    const stored = await app.server.dataSource.manager.findOneByOrFail(InstallerKeyCustomer, { installerKeyId: key.id });
    expect(stored.customerId).toBe(delta.id);
  });

  it('says at the address of a key that is gone that it is', async (test) => {
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    await window.goTo(`/installer-keys/${acme.id}`);
    await page.getByRole('dialog').getByText('Not found').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.waitForURL('**/installer-keys');
  });
});
