import { readFile } from 'node:fs/promises';

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';

import { AuthorizationChangeLog } from '../../src/access/authorization/change-log/change-log.entity.js';
import { Permission } from '../../src/access/authorization/permissions/permission.js';
import { DeviceActivityKind } from '../../src/devices/device-activity/device-activity-kinds.js';
import { DeviceActivity } from '../../src/devices/device-activity/device-activity.entity.js';
import { DeviceField, DeviceFieldValue, DeviceNote } from '../../src/devices/inventory/device-field.entity.js';
import { DeviceFieldType } from '../../src/devices/inventory/field-value.js';
import { DeviceInventory } from '../../src/devices/inventory/reports/device-inventory.entity.js';
import type { User } from '../../src/people/users/user.entity.js';
import { newGuid } from '../../src/platform/common/identifiers/guid.js';
import type { Tenant } from '../../src/tenants/tenants/tenant.entity.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { at, createDevice, createUser, grantAll, holder } from '../support/fixtures/factories.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { frontEnd } from './support/front-end.js';
import { storeScreenshot } from './support/screenshots.js';

/*
 * What people write about devices, and what agents report of their inventory.
 */

const PHONE = { width: 390, height: 844 };

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;

suite(`the inventory of devices${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built);
  let administrator: User;
  let tenant: Tenant;

  beforeAll(async () => {
    administrator = await app.administrator();
    tenant = await app.tenantOf(administrator);
  });

  const notesOf = (page: Page) => page.locator('section', { has: page.getByRole('heading', { name: 'Notes', exact: true }) }).last();

  async function define(name: string, type = DeviceFieldType.Text, choices: string[] = []): Promise<DeviceField> {
    const { manager } = app.server.dataSource;
    const position = await manager.countBy(DeviceField, { tenantId: tenant.id });
    const field = manager.create(DeviceField, { id: newGuid(), tenantId: tenant.id, name, type, isListed: true, position, choices });
    await manager.insert(DeviceField, field);
    return field;
  }

  it('defines fields in the settings, moves and deletes them', async (test) => {
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    await window.goTo('/settings');
    const fields = page.getByRole('region', { name: 'Device fields' });
    await fields.getByText('No fields yet').waitFor();
    for (const name of ['Rack', 'Contract']) {
      await fields.getByRole('button', { name: 'Add field' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill(name);
      await dialog.getByRole('button', { name: 'Create' }).click();
      await fields.getByRole('cell', { name, exact: true }).waitFor();
    }
    await fields.getByRole('button', { name: 'Add field' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Place');
    await page.getByRole('dialog').getByLabel('Type').selectOption('Choice');
    await page.getByRole('dialog').getByLabel('Choices').fill('Bern\nBonn');
    await page.getByRole('dialog').getByLabel('Offer as a column').check();
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await fields.getByRole('cell', { name: 'Offered' }).waitFor();
    await storeScreenshot(page, 'settings-fields');

    await fields.getByRole('button', { name: 'Actions for Place' }).click();
    await page.getByRole('menuitem', { name: 'Move up' }).click();
    await fields.locator('tbody tr', { hasText: 'Place' }).and(fields.locator('tbody tr:nth-child(2)')).waitFor();
    await fields.getByRole('button', { name: 'Actions for Rack' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('Rack');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await fields.getByRole('cell', { name: 'Rack', exact: true }).waitFor({ state: 'detached' });
    const stored = await app.server.dataSource.manager.find(DeviceField, { where: { tenantId: tenant.id }, order: { position: 'ASC' } });
    expect(stored.map(({ name, choices, isListed }) => [name, choices, isListed])).toEqual([
      ['Place', ['Bern', 'Bonn'], true],
      ['Contract', [], false],
    ]);
    await app.server.dataSource.manager.delete(DeviceField, { tenantId: tenant.id });
  });

  it("keeps another editor's new name when a field is moved in a list that does not show it yet", async (test) => {
    const { manager } = app.server.dataSource;
    for (const name of ['Rack', 'Contract']) await define(name);
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    await window.goTo('/settings');
    const fields = page.getByRole('region', { name: 'Device fields' });
    await fields.getByRole('cell', { name: 'Rack', exact: true }).waitFor();
    await manager.update(DeviceField, { tenantId: tenant.id, name: 'Rack' }, { name: 'Cabinet' });
    await manager.update(DeviceField, { tenantId: tenant.id, name: 'Contract' }, { name: 'Agreement' });
    await fields.getByRole('button', { name: 'Actions for Contract' }).click();
    await page.getByRole('menuitem', { name: 'Move up' }).click();
    await fields.locator('tbody tr:first-child', { hasText: /Agreement|Contract/ }).waitFor();
    const stored = await manager.find(DeviceField, { where: { tenantId: tenant.id }, order: { position: 'ASC' } });
    expect(stored.map(({ name }) => name)).toEqual(['Agreement', 'Cabinet']);
    await manager.delete(DeviceField, { tenantId: tenant.id });
  });

  it('changes notes and fields where they stand, and says beside a field what is wrong with its value', async (test) => {
    const units = await define('Units', DeviceFieldType.Number);
    const bought = await define('Bought', DeviceFieldType.Date);
    const device = await createDevice(app.server, { tenantId: tenant.id, name: 'rack-server-7' });
    const window = await app.open(test, { user: administrator, allowedRefusals: [/^400 PATCH .*\/notes/] });
    const { page } = window;
    await window.goTo(`/devices/${device.id}`);
    const notes = notesOf(page);
    await notes.getByRole('button', { name: 'Edit notes' }).click();
    await notes.getByLabel('Note', { exact: true }).fill('Behind the reception.\nRestart after 18:00 only: lease KQ-7731.');
    await notes.getByLabel('Units').fill('four');
    await notes.getByLabel('Bought').fill('2026-02-28');
    await notes.getByRole('button', { name: 'Save' }).click();
    await notes.getByText('must be a number').waitFor();
    await storeScreenshot(page, 'notes-refused');
    await notes.getByLabel('Units').fill('4');
    await notes.getByRole('button', { name: 'Save' }).click();
    await notes.getByRole('button', { name: 'Edit notes' }).waitFor();
    await notes.getByText('Behind the reception.\nRestart after 18:00 only: lease KQ-7731.').waitFor();
    await notes.getByText('Feb 28, 2026').waitFor();
    await storeScreenshot(page, 'notes');
    const { manager } = app.server.dataSource;
    expect(await manager.findOneByOrFail(DeviceFieldValue, { deviceId: device.id, fieldId: units.id })).toMatchObject({ value: '4' });
    expect(await manager.findOneByOrFail(DeviceFieldValue, { deviceId: device.id, fieldId: bought.id })).toMatchObject({
      value: '2026-02-28',
    });

    await window.goTo('/devices?q=kq-7731');
    await page.getByRole('link', { name: 'rack-server-7' }).waitFor();
    await manager.delete(DeviceField, { tenantId: tenant.id });
  });

  it('asks before a page is left whose form has values that are not saved', async (test) => {
    const device = await createDevice(app.server, { tenantId: tenant.id });
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    await window.goTo(`/devices/${device.id}`);
    const notes = notesOf(page);
    const note = notes.getByLabel('Note', { exact: true });
    const tags = page.getByRole('navigation').getByRole('link', { name: 'Tags', exact: true });
    // The address changes before the page, which has a count beside its name.
    const tagsPage = page.getByRole('heading', { level: 1, name: /^Tags/ });
    await notes.getByRole('button', { name: 'Add a note' }).click();
    await note.fill('Ring twice.');
    await tags.click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await note.inputValue()).toBe('Ring twice.');
    // A text that is typed as it is stored is no change.
    await note.fill('');
    await tags.click();
    await tagsPage.waitFor();

    await page.goBack();
    await notes.getByRole('button', { name: 'Add a note' }).click();
    await note.fill('Ring twice.');
    await tags.click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await tagsPage.waitFor();
    expect(await app.server.dataSource.manager.existsBy(DeviceNote, { deviceId: device.id })).toBe(false);
  });

  it('shows offered fields as columns of the list, reads their values together, and drops one that is deleted', async (test) => {
    const { manager } = app.server.dataSource;
    const rack = await define('Rack');
    const bought = await define('Bought', DeviceFieldType.Date);
    const hidden = await define('Hidden');
    await manager.update(DeviceField, { id: hidden.id }, { isListed: false });
    for (let number = 1; number <= 5; number += 1) {
      const { id: deviceId } = await createDevice(app.server, { tenantId: tenant.id, name: `column-${number}` });
      await manager.insert(DeviceFieldValue, { deviceId, fieldId: rack.id, value: `Row ${number}` });
      if (number === 1) await manager.insert(DeviceFieldValue, { deviceId, fieldId: bought.id, value: '2026-02-28' });
    }
    const window = await app.open(test, { user: administrator, allowedRefusals: [/^503 POST .*\/values/] });
    const { page } = window;
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/inventory/devices/values')) asked.push(request.url());
    });
    await window.goTo('/devices?f=name.starts.column-&cols=seen');
    await page.getByRole('row', { name: /column-5/ }).waitFor();
    expect(asked).toEqual([]);

    await page.getByRole('button', { name: 'Columns' }).click();
    const chooser = page.getByRole('dialog', { name: 'Columns' });
    await chooser.getByLabel('Rack').check();
    await chooser.getByLabel('Bought').check();
    expect(await chooser.getByLabel('Hidden').count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader', { name: 'Rack' }).waitFor();
    for (let number = 1; number <= 5; number += 1) {
      await page
        .getByRole('row', { name: new RegExp(`column-${number}`) })
        .getByText(`Row ${number}`)
        .waitFor();
    }
    await page
      .getByRole('row', { name: /column-1/ })
      .getByText('Feb 28, 2026')
      .waitFor();
    expect(asked).toHaveLength(1);
    await storeScreenshot(page, 'list-fields');

    const address = new URL(page.url()).searchParams.get('cols');
    expect(address).toBe(`seen,field-${rack.id},field-${bought.id}`);
    await window.goTo(`/devices?q=row 3&cols=${address}`);
    const row = page.getByRole('row', { name: /column-3/ });
    await row.locator('mark', { hasText: 'Row 3' }).waitFor();
    expect(await window.check.accessibility()).toEqual([]);

    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'List actions' }).click();
    await page.getByRole('menuitem', { name: 'Export as CSV' }).click();
    const lines = (await readFile(await (await download).path(), 'utf8')).trim().split(/\r?\n/);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain('Rack,Bought,ID');
    expect(lines[1]).toContain('Row 3,,');

    await manager.delete(DeviceField, { id: rack.id });
    await window.goTo(`/devices?f=name.starts.column-&cols=${address}`);
    await page.getByRole('columnheader', { name: 'Bought' }).waitFor();
    expect(await page.getByRole('columnheader', { name: 'Rack' }).count()).toBe(0);
    await page.route('**/api/inventory/devices/values**', (route) =>
      route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{}' }),
    );
    await window.goTo(`/devices?f=name.starts.column-1&cols=${address}`);
    await page.getByTitle("Couldn't read this value").first().waitFor();
    await manager.delete(DeviceField, { tenantId: tenant.id });
  });

  it('shows both versions when another editor was faster', async (test) => {
    const device = await createDevice(app.server, { tenantId: tenant.id });
    const window = await app.open(test, { user: administrator, allowedRefusals: [/^412 PATCH .*\/notes/] });
    const { page } = window;
    await window.goTo(`/devices/${device.id}`);
    const notes = notesOf(page);
    await notes.getByRole('button', { name: 'Add a note' }).click();
    await notes.getByLabel('Note', { exact: true }).fill('Mine');
    await app.server.dataSource.manager.insert(DeviceNote, { deviceId: device.id, note: 'Theirs' });
    await notes.getByRole('button', { name: 'Save' }).click();
    await notes.getByText('Theirs').waitFor();
    await notes.getByText('Mine').first().waitFor();
    expect(await app.server.dataSource.manager.findOneByOrFail(DeviceNote, { deviceId: device.id })).toMatchObject({ note: 'Theirs' });
  });

  it('only shows notes to users who may not write them, in the dark and on a phone as well', async (test) => {
    const device = await createDevice(app.server, { tenantId: tenant.id, name: 'till-3' });
    await app.server.dataSource.manager.insert(DeviceNote, { deviceId: device.id, note: 'Ring twice.' });
    const reader = await createUser(app.server, { tenantId: tenant.id });
    const rights = [Permission.DeviceRead, Permission.DeviceOverviewRead];
    await grantAll(app.server, holder.user(reader), rights, at.tenant(tenant));
    const window = await app.open(test, { user: reader, colorScheme: 'dark', viewport: PHONE });
    await window.goTo(`/devices/${device.id}`);
    const notes = notesOf(window.page);
    await notes.getByText('Ring twice.').waitFor();
    expect(await notes.getByRole('button', { name: 'Edit notes' }).count()).toBe(0);
    expect(await window.check.accessibility()).toEqual([]);
    await storeScreenshot(window.page, 'notes-phone-dark');
  });

  it('says that an agent reports no inventory, and shows what another has reported', async (test) => {
    const device = await createDevice(app.server, { tenantId: tenant.id, name: 'front-desk-2' });
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    await window.goTo(`/devices/${device.id}`);
    const hardware = page.getByRole('region', { name: 'Hardware' });
    await hardware.getByText("This agent doesn't report inventory.").waitFor();
    await page.getByRole('region', { name: 'Connected now' }).getByText('No terminal or screen is open').waitFor();

    await app.server.dataSource.manager.insert(DeviceInventory, {
      deviceId: device.id,
      hash: 'a',
      confirmedAt: new Date(),
      facts: {
        manufacturer: 'LENOVO',
        model: 'ThinkPad T14 Gen 3',
        serialNumber: 'PF3KQ7Z1',
        firmware: 'N3MET17W',
        processor: 'Intel Core i7-1260P',
        processorCores: 12,
        bootedAt: new Date(Date.now() - 3 * 24 * 60 * 60 * 1000).toISOString(),
        memorySlots: [
          { name: 'DIMM A1', size: 16, type: 'DDR4', speed: 3200 },
          { name: 'DIMM A2', size: 0, type: '', speed: 0 },
        ],
        softwareCount: 400,
      },
      // A program that is there for two kinds of processors is there twice.
      software: Array.from({ length: 400 }, (_, number) => ({
        name: number < 4 ? `library-${number % 2}` : `program-${number}`,
        version: '1.0',
        publisher: 'Contoso',
      })),
      updates: [{ name: 'openssl', version: '3.0.15', isSecurity: true }],
    });
    await window.follow(`/devices/${device.id}`);
    await hardware.getByText('PF3KQ7Z1').waitFor();
    await hardware.getByText('DIMM A1: 16 GiB DDR4-3200').waitFor();
    await hardware.getByText('DIMM A2: empty').waitFor();
    await hardware.getByText('1 for security').waitFor();
    expect(await window.check.accessibility()).toEqual([]);
    await hardware.scrollIntoViewIfNeeded();
    await storeScreenshot(page, 'inventory');
    await hardware.getByRole('button', { name: 'Show software' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByText('200 more. Search to narrow the list.').waitFor();
    await drawer.getByRole('searchbox').fill('contoso program-399');
    await drawer.getByRole('listitem').filter({ hasText: 'program-399' }).waitFor();
    expect(await drawer.getByRole('listitem').count()).toBe(1);
    await storeScreenshot(page, 'inventory-software');
    await drawer.getByRole('searchbox').fill('library');
    await drawer.getByRole('listitem').filter({ hasText: 'library-1' }).nth(1).waitFor();
    await drawer.getByRole('searchbox').fill('library-1');
    await drawer.getByRole('listitem').filter({ hasText: 'library-0' }).first().waitFor({ state: 'detached' });
    expect(await drawer.getByRole('listitem').count()).toBe(2);
  });

  it('names who is connected now, and ends a session', async (test) => {
    const device = await createDevice(app.server, { tenantId: tenant.id });
    const sessions = [
      { kind: DeviceActivityKind.Terminal, principalName: 'anna@example.org' },
      { kind: DeviceActivityKind.RemoteControl, principalName: 'bert@example.org', desktopSession: 1, isViewOnly: true },
    ];
    for (const session of sessions) {
      await app.server.dataSource.manager.insert(DeviceActivity, {
        ...session,
        id: newGuid(),
        tenantId: tenant.id,
        deviceId: device.id,
        principalKind: 'User',
        principalId: newGuid(),
        subject: newGuid(),
        correlationId: 'c',
        nodeId: 'n',
        startedAt: new Date(),
      });
    }
    const window = await app.open(test, { user: administrator });
    await window.goTo(`/devices/${device.id}`);
    const connected = window.page.getByRole('region', { name: 'Connected now' });
    await connected
      .getByRole('listitem')
      .filter({ hasText: 'anna@example.org' })
      .getByText(/^Terminal, since/)
      .waitFor();
    const remote = connected.getByRole('listitem').filter({ hasText: 'bert@example.org' });
    await remote.getByText(/^Remote control, since .+ · View only$/).waitFor();
    // A terminal ends with its viewer.
    expect(await connected.getByRole('button', { name: 'End session' }).count()).toBe(1);
    await storeScreenshot(window.page, 'connected-now');

    await remote.getByRole('button', { name: 'End session' }).click();
    const question = window.page.getByRole('dialog', { name: 'End the session of bert@example.org?' });
    await question.getByRole('button', { name: 'End session' }).click();
    await window.page.getByText('Session ended').waitFor();
    const where = { actionType: 'device-session-ended', targetId: device.id };
    expect(await app.server.dataSource.getRepository(AuthorizationChangeLog).countBy(where)).toBe(1);
  });
});
