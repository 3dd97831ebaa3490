import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it, type TestContext } from 'vitest';

import { Customer } from '../../src/devices/customers/customer.entity.js';
import { DeviceGroup } from '../../src/devices/device-groups/device-group.entity.js';
import { Device } from '../../src/devices/devices/device.entity.js';
import { Tag, TagType } from '../../src/devices/tags/tag.entity.js';
import type { User } from '../../src/people/users/user.entity.js';
import { newGuid } from '../../src/platform/common/identifiers/guid.js';
import type { Tenant } from '../../src/tenants/tenants/tenant.entity.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { eventually } from '../support/eventually.js';
import { createCustomer, createDevice, createDeviceGroup, createServiceAccountWithKey } from '../support/fixtures/factories.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { frontEnd, type Window } from './support/front-end.js';
import { hold } from './support/hold.js';

/*
 * Two people change the same thing at the same time, each in a window of their own: nobody's change is lost unseen.
 */

/** Answers of the service to a change of an older state, of what is gone, and to a name that is taken. */
const REFUSED = /^4(?:04|09|12) (?:POST|PUT|PATCH|DELETE) /;

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;

suite(`two editors of one thing${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built);
  let administrator: User;
  let tenant: Tenant;

  beforeAll(async () => {
    administrator = await app.administrator();
    tenant = await app.tenantOf(administrator);
  });

  /** The other editor, where a window of its own would show nothing more. */
  const other = {
    get: async (path: string) => (await app.server.client().get(path, { query: { tenantId: tenant.id } })).as<Record<string, unknown>>(),
    put: async (path: string, body: object): Promise<void> =>
      expect((await app.server.client().put(path, { query: { tenantId: tenant.id }, body })).status).toBe(200),
    post: async (path: string, body: object): Promise<void> =>
      expect((await app.server.client().post(path, { query: { tenantId: tenant.id }, body })).status).toBe(200),
  };

  /** Windows of two editors at an address. */
  async function twoAt(test: TestContext, address: string): Promise<readonly [Window, Window]> {
    return [await oneAt(test, address), await oneAt(test, address)];
  }

  /** The window of the second editor at an address. */
  async function oneAt(test: TestContext, address: string): Promise<Window> {
    const window = await app.open(test, { user: administrator, allowedRefusals: [REFUSED] });
    await window.goTo(address);
    return window;
  }

  const createTag = (name: string): Promise<Tag> =>
    app.server.dataSource.manager.save(Tag, { id: newGuid(), tenantId: tenant.id, name, type: TagType.Permission });
  const nameOfTag = async (id: string): Promise<string> => (await app.server.dataSource.manager.findOneByOrFail(Tag, { id })).name;

  it('of a tag: the second sees what the first has saved, and may save over it', async (test) => {
    const tag = await createTag('Till');
    const [first, second] = await twoAt(test, '/tags');
    const dialogs = [await edit(first.page, 'Till'), await edit(second.page, 'Till')] as const;
    await save(dialogs[0], { Name: 'Till at the door' });
    await dialogs[0].waitFor({ state: 'detached' });

    await dialogs[1].getByLabel('Name').fill('Till downstairs');
    await dialogs[1].getByRole('button', { name: 'Save' }).click();
    await dialogs[1].getByText('Till was changed by someone else').waitFor();
    expect(await rowsOf(dialogs[1])).toEqual([['Name', 'Till downstairs', 'Till at the door']]);
    expect(await nameOfTag(tag.id)).toBe('Till at the door');
    expect(await second.check.accessibility()).toEqual([]);

    await dialogs[1].getByRole('button', { name: 'Save your version' }).click();
    await dialogs[1].waitFor({ state: 'detached' });
    await second.page.getByRole('link', { name: 'Till downstairs' }).waitFor();
    expect(await nameOfTag(tag.id)).toBe('Till downstairs');
  });

  it('of a tag: the second may go on from what the first has saved', async (test) => {
    const tag = await createTag('Scale');
    const [first, second] = await twoAt(test, '/tags');
    const dialogs = [await edit(first.page, 'Scale'), await edit(second.page, 'Scale')] as const;
    await save(dialogs[0], { Name: 'Scale at the door' });
    await dialogs[0].waitFor({ state: 'detached' });

    await save(dialogs[1], { Name: 'Scale downstairs' });
    await dialogs[1].getByRole('button', { name: 'Load their version' }).click();
    await expectValue(dialogs[1].getByLabel('Name'), 'Scale at the door');
    await save(dialogs[1], { Name: 'Scale at the back door' });
    await dialogs[1].waitFor({ state: 'detached' });
    expect(await nameOfTag(tag.id)).toBe('Scale at the back door');
  });

  it('of a tag that one deletes: the other is told that it is gone', async (test) => {
    const tag = await createTag('Printer');
    const window = await oneAt(test, '/tags');
    const dialog = await edit(window.page, 'Printer');
    await app.server.dataSource.manager.delete(Tag, { id: tag.id });
    await save(dialog, { Name: 'Printer upstairs' });
    await dialog.getByText('Not found').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await dialog.waitFor({ state: 'detached' });
    await window.page.getByRole('link', { name: 'Printer' }).waitFor({ state: 'detached' });
  });

  it('of a tag that one renames while the other is about to delete it', async (test) => {
    const tag = await createTag('Old');
    const [first, second] = await twoAt(test, '/tags');
    await act(second.page, 'Old', 'Delete');
    const question = second.page.getByRole('dialog');
    await question.getByRole('textbox').fill('Old');
    await second.untilStill();
    await save(await edit(first.page, 'Old'), { Name: 'Needed again' });
    await first.page.getByRole('dialog').waitFor({ state: 'detached' });

    await question.getByRole('button', { name: 'Delete' }).click();
    await question.getByText('Old was changed by someone else').waitFor();
    expect(await rowsOf(question)).toEqual([['Name', 'Old', 'Needed again']]);
    expect(await nameOfTag(tag.id)).toBe('Needed again');
    await question.getByRole('button', { name: 'Delete' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await app.server.dataSource.manager.countBy(Tag, { id: tag.id })).toBe(0);
  });

  it('of a customer: what the first has put into a field that the second left alone is kept', async (test) => {
    const customer = await createCustomer(app.server, { tenantId: tenant.id, name: 'Acme Dental', notes: 'Key at the desk.' });
    const window = await oneAt(test, '/customers');
    const dialog = await edit(window.page, 'Acme Dental');
    await other.put(`/api/v1/customers/${customer.id}`, { name: 'Acme Dental', description: null, notes: 'Ring twice.\nNo parking.' });

    await save(dialog, { Name: 'Acme Dental Group', Description: 'Dentists' });
    expect(await rowsOf(dialog)).toEqual([['Notes', 'Not changed by you', 'Ring twice.\nNo parking.']]);
    expect(await window.check.accessibility()).toEqual([]);
    await dialog.getByRole('button', { name: 'Save your version' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await app.server.dataSource.manager.findOneByOrFail(Customer, { id: customer.id })).toMatchObject({
      name: 'Acme Dental Group',
      description: 'Dentists',
      notes: 'Ring twice.\nNo parking.',
    });
  });

  it('of a group: a version that is refused is shown with what both have typed, and the reason', async (test) => {
    const group = await createDeviceGroup(app.server, { tenantId: tenant.id, name: 'Tills' });
    await createDeviceGroup(app.server, { tenantId: tenant.id, name: 'Counters' });
    const window = await oneAt(test, '/device-groups');
    const dialog = await edit(window.page, 'Tills');
    await other.put(`/api/v1/device-groups/${group.id}`, { name: 'Tills', description: 'In the shops' });
    await save(dialog, { Name: 'Counters' });
    await dialog.getByRole('button', { name: 'Save your version' }).click();
    await expectValue(dialog.getByLabel('Name'), 'Counters');
    await expectValue(dialog.getByLabel('Description'), 'In the shops');
    await dialog.getByRole('alert').waitFor();
    await save(dialog, { Name: 'Tills and counters' });
    await dialog.waitFor({ state: 'detached' });
    expect(await app.server.dataSource.manager.findOneByOrFail(DeviceGroup, { id: group.id })).toMatchObject({
      name: 'Tills and counters',
      description: 'In the shops',
    });
  });

  it('of a device: the second sees the alias that the first has given it', async (test) => {
    const device = await createDevice(app.server, { tenantId: tenant.id, name: 'till-1' });
    const aliasOf = async (): Promise<string | null> =>
      (await app.server.dataSource.manager.findOneByOrFail(Device, { id: device.id })).alias;
    const rename = async (window: Window, alias: string): Promise<void> => {
      await window.page.getByLabel('Alias').fill(alias);
      await window.page.getByLabel('Alias').press('Enter');
    };
    const windows = await twoAt(test, `/devices/${device.id}`);
    for (const { page } of windows) await page.getByRole('button', { name: 'Change alias' }).click();
    for (const window of windows) await window.untilStill();
    await rename(windows[0], 'At the door');
    await windows[0].page.getByText('Device renamed to At the door').first().waitFor();

    await rename(windows[1], 'Downstairs');
    const dialog = windows[1].page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Load their version' }).waitFor();
    expect(await rowsOf(dialog)).toEqual([['Alias', 'Downstairs', 'At the door']]);
    expect(await aliasOf()).toBe('At the door');
    await dialog.getByRole('button', { name: 'Save your version' }).click();
    await dialog.waitFor({ state: 'detached' });
    await windows[1].page.getByRole('heading', { level: 1, name: 'Downstairs' }).waitFor();
    expect(await aliasOf()).toBe('Downstairs');
  });

  it('of a device are not the same one, who changes its alias again while the change before is being saved', async (test) => {
    const device = await createDevice(app.server, { tenantId: tenant.id, name: 'till-2' });
    const { page } = await oneAt(test, `/devices/${device.id}`);
    const rename = async (alias: string): Promise<void> => {
      await page.getByRole('button', { name: 'Change alias' }).click();
      await page.getByLabel('Alias').fill(alias);
      await page.getByLabel('Alias').press('Enter');
      await page.getByRole('heading', { level: 1, name: alias }).waitFor();
    };
    const { isHeld, go } = await hold(page, (url) => url.pathname.endsWith(`/${device.id}/alias`));
    await rename('At the door');
    await isHeld;
    await rename('Downstairs');
    go();
    await page.getByText('Device renamed to Downstairs').first().waitFor();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Downstairs');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect((await app.server.dataSource.manager.findOneByOrFail(Device, { id: device.id })).alias).toBe('Downstairs');
  });

  it('of a device are not the same one, whose change of its alias was refused before the next', async (test) => {
    const device = await createDevice(app.server, { tenantId: tenant.id, name: 'till-3' });
    const window = await app.open(test, { user: administrator, allowedRefusals: [/^503 PATCH /] });
    const { page } = window;
    await window.goTo(`/devices/${device.id}`);
    let refuse: () => void = () => undefined;
    const isOver = new Promise<void>((resolve) => (refuse = resolve));
    const address = (url: URL): boolean => url.pathname.endsWith(`/${device.id}/alias`);
    await page.route(
      address,
      async (route) => {
        await isOver;
        await route.fulfill({ status: 503, json: { title: 'Service Unavailable' } });
      },
      { times: 1 },
    );
    const isSent = page.waitForRequest((request) => address(new URL(request.url())));
    await page.getByRole('button', { name: 'Change alias' }).click();
    await page.getByLabel('Alias').fill('Upstairs');
    await page.getByLabel('Alias').press('Enter');
    await isSent;
    await page.getByRole('button', { name: 'Change alias' }).click();
    await page.getByLabel('Alias').fill('Downstairs');
    await page.getByLabel('Alias').press('Enter');
    refuse();
    await page.getByText('Device renamed to Downstairs').first().waitFor();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Downstairs');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('of a setting: the second sees the choice of the first, and may choose again', async (test) => {
    const window = await oneAt(test, '/settings');
    await other.put('/api/v1/tenant-settings', { notifyUserOnSessionStart: true, appendInstanceId: true });
    const { page } = window;
    await page.getByRole('radio', { name: 'Never' }).click();
    await page.getByText('Someone else just changed this setting').waitFor();
    await page.getByRole('radio', { name: 'Always', checked: true }).waitFor();
    // A setting that the second has not touched is no reason to ask.
    await page.getByLabel('Instance name').fill('second');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Setting saved').waitFor();
    await page.getByRole('radio', { name: 'Never' }).click();
    await eventually('all three are stored', async () => {
      const { notifyUserOnSessionStart, appendInstanceId, instanceId } = await other.get('/api/v1/tenant-settings');
      return notifyUserOnSessionStart === false && appendInstanceId === true && instanceId === 'second';
    });
  });

  it('of a setting: the second is told of the choice of the first, even if they have changed another setting since', async (test) => {
    await other.put('/api/v1/tenant-settings', { notifyUserOnSessionStart: null, requireApprovalForNewDeviceKeys: false });
    const { page } = await oneAt(test, '/settings');
    await other.put('/api/v1/tenant-settings', { notifyUserOnSessionStart: true });
    const { isHeld, go } = await hold(page, (url) => url.pathname === '/api/v1/tenant-settings');
    const approval = page.getByRole('switch', { name: 'Approve new keys of known devices' });
    await page.getByRole('radio', { name: 'Never' }).click();
    await isHeld;
    await approval.click();
    await page.getByRole('switch', { name: 'Approve new keys of known devices', checked: true }).waitFor();
    expect(await page.getByRole('radio', { name: 'Never' }).isChecked()).toBe(true);
    go();
    await page.getByText('Setting saved').waitFor();
    await page.getByText('Someone else just changed this setting').waitFor();
    await page.getByRole('radio', { name: 'Always', checked: true }).waitFor();
    expect(await approval.isChecked()).toBe(true);
  });

  it('of a service account: one renames it while the other disables it', async (test) => {
    const { account } = await createServiceAccountWithKey(app.server, { tenantId: tenant.id, name: 'Backup' });
    const window = await oneAt(test, `/service-accounts/${account.id}`);
    await other.put(`/api/v1/tenant-service-accounts/${tenant.id}/${account.id}`, { name: 'Nightly backup' });
    await window.page.getByRole('switch', { name: 'Enabled' }).click();
    await window.page.getByRole('heading', { level: 1, name: 'Nightly backup' }).waitFor();
    await eventually('it is disabled', async () => {
      const { name, isEnabled } = await other.get(`/api/v1/tenant-service-accounts/${tenant.id}/${account.id}`);
      return name === 'Nightly backup' && isEnabled === false;
    });
  });

  it("of the server's alert: the notice speaks of boxes and choices as the form does", async (test) => {
    const window = await oneAt(test, '/server/alert');
    const { page } = window;
    const alert = { message: 'Restart at noon.', severity: 'Warning', isDismissable: false, isSticky: true, isEnabled: false };
    await other.post('/api/v1/server-alert', alert);
    const form = page.getByRole('region', { name: 'Message' });
    await save(form, { Text: 'Restart at one.' });
    const rows = await rowsOf(form);
    expect(rows).toContainEqual(['Text', 'Restart at one.', 'Restart at noon.']);
    expect(rows).toContainEqual(['Severity', 'Not changed by you', 'Warning']);
    expect(rows).toContainEqual(['Show again on reload', 'Not changed by you', 'Yes']);
    expect(await window.check.accessibility()).toEqual([]);
    await form.getByRole('button', { name: 'Load their version' }).click();
    await expectValue(form.getByRole('textbox', { name: 'Text', exact: true }), 'Restart at noon.');
    await save(form, { Text: 'Restart at two.' });
    await page.getByText('Alert saved, but not shown').waitFor();
    expect(await other.get('/api/v1/server-alert')).toMatchObject({ ...alert, message: 'Restart at two.' });
  });
});

/** Opens an entry of the menu of a row. */
async function act(page: Page, name: string, entry: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: entry }).click();
}

/** Opens the form of a row, and waits until it has been read. */
async function edit(page: Page, name: string, entry = 'Edit'): Promise<Locator> {
  await act(page, name, entry);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').waitFor();
  return dialog;
}

/** Types into the fields with these labels, and saves. */
async function save(form: Locator, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await form.getByRole('textbox', { name: label, exact: true }).fill(value);
  await form.getByRole('button', { name: 'Save', exact: true }).click();
}

/** Returns the cells of a notice, row by row. */
async function rowsOf(notice: Locator): Promise<string[][]> {
  await notice.locator('tbody tr').first().waitFor();
  const rows = await notice.locator('tbody tr').all();
  return Promise.all(rows.map((row) => row.locator('th, td').allInnerTexts()));
}

async function expectValue(field: Locator, value: string): Promise<void> {
  await field.waitFor();
  await expect.poll(() => field.inputValue()).toBe(value);
}
