import type { Page } from 'playwright-core';
import { IsNull, Not } from 'typeorm';
import { beforeAll, describe, it } from 'vitest';

import { Permission, PermissionEffect, type PermissionDefinition } from '../../src/access/authorization/permissions/permission.js';
import { PermissionAssignment } from '../../src/access/permission-assignments/permission-assignment.entity.js';
import { Device } from '../../src/devices/devices/device.entity.js';
import type { LogonTokenResponseDto } from '../../src/people/logon-tokens/logon-token.dto.js';
import type { User } from '../../src/people/users/user.entity.js';
import type { Tenant } from '../../src/tenants/tenants/tenant.entity.js';
import { Scene } from '../routes/scene.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { publishAgent } from '../support/devices/published-agent.js';
import { eventually } from '../support/eventually.js';
import {
  addToUserGroup,
  at,
  createDevice,
  createPersonalAccessToken,
  createTenant,
  createUser,
  createUserGroup,
  grant,
  grantAll,
  holder,
} from '../support/fixtures/factories.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { frontEnd, Windows } from './support/front-end.js';

/*
 * Rights in a browser: set cell by cell, saved as a whole, explained where they refuse, and felt by those who hold other ones.
 */

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;
const VIEWPORT = { width: 1280, height: 900 };

/** Permissions to read and write permissions. */
const PERMISSION_MANAGER = [Permission.TenantPermissionsRead, Permission.TenantPermissionsWrite, Permission.TenantPermissionsDeny];

suite(`rights in the front end${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built);
  let administrator: User;
  let tenant: Tenant;
  /** Windows of the administrator. */
  let windows: Windows;

  beforeAll(async () => {
    administrator = await app.administrator();
    tenant = await app.tenantOf(administrator);
    windows = new Windows(app, { user: administrator, viewport: VIEWPORT });
  });

  /** A user with these permissions in the tenant. */
  async function userWith(...permissions: readonly PermissionDefinition[]): Promise<User> {
    const user = await createUser(app.server, { tenantId: tenant.id });
    await grantAll(app.server, holder.user(user), permissions, at.tenant(tenant));
    return user;
  }

  const deny = (user: User, permission: PermissionDefinition): Promise<PermissionAssignment> =>
    grant(app.server, { principal: holder.user(user), permission, scope: at.tenant(tenant), effect: PermissionEffect.Deny });

  /** Returns a user's assignments, as `Allow device.read`, with their notes. Disabled ones are marked. */
  async function heldBy({ id }: User): Promise<string[]> {
    const rows = await app.server.dataSource.manager.findBy(PermissionAssignment, { principalId: id });
    return rows
      .map(({ effect, permissionName, isEnabled, notes }) =>
        [effect, permissionName, ...(isEnabled ? [] : ['disabled']), ...(notes === null ? [] : [notes])].join(' '),
      )
      .sort();
  }

  const cellOf = (page: Page, permission: string, state = '') =>
    page.getByRole('button', { name: new RegExp(`^${permission}, .*: ${state}`) });
  const save = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: 'Review', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // The bar goes once nothing is left to be saved.
    await page.getByRole('button', { name: 'Review', exact: true }).waitFor({ state: 'detached' });
  };

  it.concurrent('are set by the keyboard: blocks, notes, and switched off', async (test) => {
    const user = await userWith();
    const window = await windows.take(test);
    const { page } = window;
    await window.follow(`/users/${user.id}`);
    await page.getByRole('searchbox', { name: 'Search permissions' }).fill('reboot');
    await cellOf(page, 'Read Device').waitFor({ state: 'detached' });
    await page.getByRole('searchbox', { name: 'Search permissions' }).fill('device tags');
    await cellOf(page, 'Manage Device Power').waitFor({ state: 'detached' });

    await cellOf(page, 'Read Device Tags').focus();
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByRole('toolbar').getByText('2 cells').waitFor();
    await page.keyboard.press('a');
    await cellOf(page, 'Manage Device Tags', 'Allow, not saved yet').waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('n');
    await page.getByRole('textbox', { name: 'Note on the Allow' }).fill('On call in March');
    await page.getByRole('button', { name: 'Set note' }).click();
    await cellOf(page, 'Read Device Tags', 'Allow, note: On call in March, not saved yet').focus();
    await page.keyboard.press('e');
    await cellOf(page, 'Read Device Tags', 'Allow, disabled, note').waitFor();
    await save(page);
    test.expect(await heldBy(user)).toEqual(['Allow device.tags.read disabled On call in March', 'Allow device.tags.write']);

    await cellOf(page, 'Read Device Tags', 'Allow, disabled').focus();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Delete');
    await save(page);
    test.expect(await heldBy(user)).toEqual([]);
    test.expect(await window.check.accessibility({})).toEqual([]);
  });

  it.concurrent('are set by the mouse: single cells, whole categories, presets', async (test) => {
    const user = await userWith(Permission.InstallerKeyRead);
    const window = await windows.take(test);
    const { page } = window;
    await window.follow(`/users/${user.id}`);
    await page.getByText(/^1 of \d+ permissions allowed/).waitFor();
    await page.getByRole('button', { name: 'Granted or denied: 1' }).click();
    await page.getByRole('button', { name: /^All of Agents, .*: 0 of 1 allowed$/ }).click();
    await cellOf(page, 'Install Agent', 'Allow, not saved yet').waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    await cellOf(page, 'Install Agent', 'Not assigned').waitFor();

    await page.getByRole('button', { name: 'Add preset' }).click();
    await page.getByRole('menuitem', { name: 'Agent Installer' }).click();
    await page.getByRole('dialog').getByText('Skips 1 already assigned').waitFor();
    await page.getByRole('dialog').getByText('Adds 2 permissions').waitFor();
    await page.getByRole('button', { name: 'Add to changes' }).click();
    await save(page);
    test.expect(await heldBy(user)).toEqual(['Allow agent.install', 'Allow installer-key.read', 'Allow installer-key.write']);
  });

  it.concurrent('show what groups bring, and say that a Deny wins before and after it is saved', async (test) => {
    const user = await userWith();
    const group = await createUserGroup(app.server, { tenantId: tenant.id, name: 'Contractors' });
    await addToUserGroup(app.server, group, user);
    const scope = at.tenant(tenant);
    await grant(app.server, { principal: holder.userGroup(group), permission: Permission.DeviceRead, scope });
    await grant(app.server, {
      principal: holder.userGroup(group),
      permission: Permission.DeviceTerminalUse,
      scope,
      effect: PermissionEffect.Deny,
    });
    const window = await windows.take(test);
    const { page } = window;
    await window.follow(`/users/${user.id}`);
    await page.getByText(/^1 of \d+ permissions allowed · 1 through Contractors · 1 denied$/).waitFor();
    await cellOf(page, 'Read Device', 'Allow through Contractors$').waitFor();
    await cellOf(page, 'Use Remote Terminal', 'Deny through Contractors$').click();
    await page.getByRole('button', { name: 'Review', exact: true }).click();
    await page.getByRole('dialog').getByText('the group Contractors has a Deny').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
    await cellOf(page, 'Use Remote Terminal', 'Allow, Deny through Contractors$').waitFor();

    await window.goTo(`/effective-permissions?who=User:${user.id}&what=device.terminal.use`);
    await page.getByText('It is denied for the group Contractors').waitFor();
    const rows = page.getByRole('table', { name: 'Assignments of this permission' }).getByRole('row');
    test.expect(await rows.filter({ hasText: 'Decides' }).textContent()).toContain('Contractors');
    test.expect(await rows.filter({ hasText: 'Overruled' }).count()).toBe(1);
    test.expect(await window.check.accessibility({})).toEqual([]);
    await rows.filter({ hasText: 'Decides' }).getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('heading', { name: 'Contractors', level: 1 }).waitFor();

    await window.goTo(`/effective-permissions?who=User:${user.id}&what=everything&on=Tenant:${tenant.id}`);
    await page.getByText(/^1 of \d+ allowed at /).waitFor();
    await page.getByRole('button', { name: 'Allowed', exact: true }).click();
    test.expect(await page.getByRole('table', { name: 'All permissions' }).getByRole('row').count()).toBe(2);
  });

  it.concurrent('keep what waits when a save breaks off in the middle', async (test) => {
    const user = await userWith(Permission.TenantUsersRead, ...PERMISSION_MANAGER);
    const allowedRefusals = ['400 POST /api/v1/permission-assignments/batch-delete'];
    const window = await app.open(test, { user, viewport: VIEWPORT, allowedRefusals });
    const { page } = window;
    await window.goTo(`/users/${user.id}`);
    await page.getByRole('button', { name: 'Granted or denied: 4' }).click();
    await cellOf(page, 'Read Device').click();
    await cellOf(page, 'Manage Permissions').focus();
    await page.keyboard.press('Delete');
    await page.getByRole('button', { name: 'Review', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('You lose this permission').waitFor();
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByText("1 change saved. The changes below aren't saved yet.").waitFor();
    await dialog.getByText('ask another administrator').waitFor();
    test
      .expect(await dialog.getByRole('list', { name: 'Saved', exact: true }).getByRole('listitem').allTextContents())
      .toEqual([test.expect.stringMatching(/^Allow “Read Device” at /)]);
    test
      .expect(await dialog.getByRole('list', { name: 'Unsaved changes', exact: true }).getByRole('listitem').allTextContents())
      .toEqual([test.expect.stringMatching(/^Stop allowing “Manage Permissions” at /)]);
    await dialog.getByRole('button', { name: 'Back' }).click();
    await cellOf(page, 'Manage Permissions', 'Not assigned, not saved yet').waitFor();
    await cellOf(page, 'Read Device', 'Allow$').waitFor();
    test.expect(await heldBy(user)).toContain('Allow device.read');
  });

  it.concurrent('are asked for before changes are lost', async (test) => {
    const user = await userWith();
    const window = await app.open(test, { user: administrator, viewport: VIEWPORT });
    const { page } = window;
    await window.goTo(`/users/${user.id}`);
    await cellOf(page, 'Read Device').click();
    const tags = page.getByRole('navigation').getByRole('link', { name: 'Tags' });
    await tags.click();
    await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Cancel' }).click();
    await cellOf(page, 'Read Device', 'Allow, not saved yet').waitFor();
    await tags.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { name: 'Tags', level: 1 }).waitFor();
    test.expect(await heldBy(user)).toEqual([]);
  });

  it.concurrent('decide what the navigation and the pages offer', async (test) => {
    const [writer, reader] = [
      await userWith(Permission.TenantUsersRead, Permission.TenantUsersWrite, Permission.DeviceRead),
      await userWith(Permission.TenantUsersRead, Permission.TenantCustomersRead),
    ];
    const offeredTo = async (user: User): Promise<{ entries: string[]; creates: number }> => {
      const window = await app.open(test, { user, viewport: VIEWPORT });
      await window.goTo('/users');
      const entries = await window.page.getByRole('navigation').getByRole('link').allTextContents();
      return { entries, creates: await window.page.getByRole('button', { name: 'Create user' }).count() };
    };
    const [ofWriter, ofReader] = [await offeredTo(writer), await offeredTo(reader)];
    test.expect(ofWriter.creates).toBe(1);
    test.expect(ofReader.creates).toBe(0);
    test.expect(ofWriter.entries).toContain('Users');
    test.expect(ofWriter.entries).not.toContain('Customers');
    test.expect(ofReader.entries).toContain('Customers');
    for (const entries of [ofWriter.entries, ofReader.entries]) {
      test.expect(entries).not.toContain('Service accounts');
      test.expect(entries).not.toContain('Tenants');
      test.expect(entries).not.toContain('Effective permissions');
    }
  });

  it.concurrent('are named by a refused request, which leads to the verdict', async (test) => {
    const user = await userWith(Permission.TenantUsersRead, Permission.TenantUsersWrite, Permission.TenantPermissionsRead);
    const window = await app.open(test, { user, viewport: VIEWPORT, allowedRefusals: ['403 POST /api/v1/users'] });
    const { page } = window;
    await window.goTo('/users');
    await page.getByRole('button', { name: 'Create user' }).click();
    await page.getByRole('textbox', { name: 'E-mail address' }).fill('eve@example.org');
    await page.getByRole('textbox', { name: 'Password' }).fill('Correct-Horse-8');
    await deny(user, Permission.TenantUsersWrite);
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await page.getByRole('dialog').getByText('You need the permission “Manage Tenant Users”.').waitFor();
    await page.getByRole('dialog').getByRole('link', { name: 'See why' }).click();
    await page.getByText('A Deny always wins.').waitFor();
    test.expect(new URL(page.url()).searchParams.get('what')).toBe('tenant.users.write');
  });

  it.concurrent('are named by a refused call of the hub, which leads to the verdict on the device', async (test) => {
    const user = await userWith(
      Permission.DeviceRead,
      Permission.DeviceOverviewRead,
      Permission.DevicePowerManage,
      Permission.TenantPermissionsRead,
    );
    const device = await createDevice(app.server, { tenantId: tenant.id, isOnline: true });
    const window = await app.open(test, { user, viewport: VIEWPORT });
    const { page } = window;
    await window.goTo(`/devices/${device.id}`);
    await page.getByRole('button', { name: 'More' }).click();
    const restart = page.getByRole('menuitem', { name: 'Restart' });
    await restart.waitFor();
    await deny(user, Permission.DevicePowerManage);
    await restart.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restart' }).click();
    const refusal = page.getByText('You need the permission “Manage Device Power”.');
    await refusal.waitFor();
    await page.getByRole('link', { name: 'See why' }).click();
    await page.getByText('A Deny always wins.').waitFor();
    test.expect(new URL(page.url()).searchParams.get('on')).toBe(`Device:${device.id}`);
  });

  it.concurrent('of a user stand in tabs: groups are joined and left, tokens ended, and what was done is listed', async (test) => {
    const user = await userWith();
    const group = await createUserGroup(app.server, { tenantId: tenant.id, name: 'Night shift' });
    const { token } = await createPersonalAccessToken(app.server, user);
    const window = await windows.take(test);
    const { page } = window;
    const tab = (name: string) => page.getByRole('navigation', { name: 'User sections' }).getByRole('link', { name });
    await window.follow(`/users/${user.id}`);
    await tab('Groups').click();
    await page.getByText('Not in a group').waitFor();
    await page.getByRole('button', { name: 'Add to groups' }).click();
    await page.getByRole('combobox', { name: 'Groups' }).fill('Night');
    await page.getByRole('option', { name: group.name }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('table', { name: 'Groups' }).getByRole('link', { name: group.name }).waitFor();

    await tab('Tokens').click();
    const tokens = page.getByRole('table', { name: 'Tokens' });
    await tokens.getByText(token.name).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('textbox').fill(token.name);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No tokens', { exact: true }).waitFor();

    await page.goto(`/user-groups/${group.id}/activity`);
    await page
      .getByRole('button', { name: /Night shift/ })
      .first()
      .waitFor();
    await window.goTo(`/users/${user.id}/activity`);
    test.expect(await window.check.accessibility({})).toEqual([]);
  });

  it.concurrent('that are missing to wait for new devices are named', async (test) => {
    await publishAgent(app.server.dataPath);
    const user = await userWith(Permission.AgentInstall, Permission.InstallerKeyWrite);
    const window = await app.open(test, { user, viewport: VIEWPORT });
    const { page } = window;
    await window.goTo('/deploy');
    await page.getByRole('button', { name: 'Create key' }).click();
    const refused = page.getByRole('main').getByRole('alert');
    await refused.getByText('You need the permission “Read Installer Keys”.').waitFor();
    await refused.getByText("You can't see devices as they register here").waitFor();
    await refused.getByRole('link', { name: 'See why' }).click();
    await page.waitForURL('**/effective-permissions?what=installer-key.read');
  });

  it.concurrent('on another tenant are enough to read its change log', async (test) => {
    const other = await createTenant(app.server, { name: 'Northwind' });
    const body = { name: 'Reception' };
    await app.server.client().post('/api/v1/customers', { query: { tenantId: other.id }, body });
    const window = await windows.take(test);
    const { page } = window;
    await window.follow('/server/tenants');
    await page
      .getByRole('row', { name: /Northwind/ })
      .getByRole('link', { name: 'Change log' })
      .click();
    await page.getByRole('heading', { name: 'Change log of Northwind', level: 1 }).waitFor();
    await page.getByRole('button', { name: /Reception/ }).waitFor();
  });

  it.concurrent('on all tenants are enough to delete one, which says how many devices go with it', async (test) => {
    const { manager } = app.server.dataSource;
    const other = await createTenant(app.server, { name: 'Contoso' });
    for (let count = 0; count < 3; count += 1) await createDevice(app.server, { tenantId: other.id });
    const window = await windows.take(test);
    const { page } = window;
    await window.follow('/server/tenants');
    await page.getByRole('button', { name: 'Actions for Contoso' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete Contoso?' });
    await dialog.getByText('3 devices are deleted with it.').waitFor();
    test.expect(await window.check.accessibility({})).toEqual([]);
    await dialog.getByRole('textbox').fill('Contoso');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    // Behind the dialog nothing has a role.
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /Contoso/ }).waitFor({ state: 'detached' });
    await eventually('its devices are removed', async () => (await manager.countBy(Device, { tenantId: other.id })) === 0);
  });

  it.concurrent('on all tenants show how much of a deleted one is still to be removed', async (test) => {
    const other = await createTenant(app.server, { name: 'Fabrikam' });
    const device = await createDevice(app.server, { tenantId: other.id });
    const holding = app.server.dataSource.createQueryRunner();
    await holding.startTransaction();
    try {
      await holding.query('SELECT 1 FROM devices WHERE id = $1 FOR KEY SHARE', [device.id]);
      test.expect((await app.server.client().delete(`/api/v1/tenants/${other.id}`)).status).toBe(204);
      const window = await windows.take(test);
      const { page } = window;
      await window.follow('/server/tenants');
      const left = page.getByText('Fabrikam is deleted. Deleting its data: 1 device left.');
      await left.waitFor();
      test.expect(await window.check.accessibility({})).toEqual([]);
      await holding.rollbackTransaction();
      await left.waitFor({ state: 'detached' });
    } finally {
      if (holding.isTransactionActive) await holding.rollbackTransaction();
      await holding.release();
    }
  });

  it.concurrent('approve or refuse the key of a device that was compared, and no other', async (test) => {
    const scene = new Scene(app.server, tenant);
    const [approved, refused, other] = [
      await scene.deviceWithPendingKey(),
      await scene.deviceWithPendingKey(),
      await scene.deviceWithPendingKey(),
    ];
    const waiting = async (): Promise<string[]> => {
      const devices = await app.server.dataSource.manager.findBy(Device, { tenantId: tenant.id, keyPendingSince: Not(IsNull()) });
      return devices.map(({ id }) => id).sort();
    };
    const window = await windows.take(test);
    const { page } = window;
    await window.follow('/devices');
    await page.getByRole('navigation').getByRole('link', { name: 'Key approvals' }).click();
    const keys = page.getByRole('table', { name: 'Key approvals' });
    await keys.getByRole('button', { name: `Approve the key of ${approved.device.name}` }).click();
    await page.getByRole('dialog').getByText(approved.fingerprint).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    // While the dialog is open, nothing behind it has a role.
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await keys.getByText(approved.device.name).waitFor({ state: 'detached' });

    test.expect(await waiting()).toEqual([refused.device.id, other.device.id].sort());
    test.expect(await window.check.accessibility({})).toEqual([]);

    // A user who may decide on one device only.
    const user = await userWith(Permission.DeviceRead);
    await grant(app.server, { principal: holder.user(user), permission: Permission.DeviceAgentUpdate, scope: at.device(refused.device) });
    const theirs = await app.open(test, { user, viewport: VIEWPORT });
    await theirs.goTo('/devices');
    await theirs.page.getByRole('navigation').getByRole('link', { name: 'Key approvals' }).click();
    const shown = theirs.page.getByRole('table', { name: 'Key approvals' });
    const refuse = theirs.page.getByRole('menuitem', { name: /^Reject/ });
    await shown.getByRole('button', { name: `Approve the key of ${refused.device.name}` }).waitFor();
    await shown.getByRole('button', { name: `Actions for ${other.device.name}` }).click();
    await refuse.waitFor();
    test.expect(await refuse.getAttribute('aria-disabled')).toBe('true');
    await theirs.page.keyboard.press('Escape');
    await refuse.waitFor({ state: 'detached' });
    await shown.getByRole('button', { name: `Actions for ${refused.device.name}` }).click();
    await refuse.click();
    await theirs.page.getByRole('dialog').getByText(refused.fingerprint).waitFor();
    await theirs.page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
    await theirs.page.getByRole('dialog').waitFor({ state: 'detached' });
    await shown.getByText(refused.device.name).waitFor({ state: 'detached' });
    test.expect(await waiting()).toEqual([other.device.id]);
  });

  it.concurrent('of a user start in the upper half of a phone, below folded facts and acts', async (test) => {
    const user = await createUser(app.server, { tenantId: tenant.id, userName: 'fay@example.org' });
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    const window = await app.open(test, { user: await app.administrator(), ...phone });
    const { page } = window;
    await window.goTo(`/users/${user.id}/access`);
    const matrix = page.getByRole('main').getByRole('table');
    await matrix.waitFor();
    const { y = Infinity } = (await matrix.boundingBox()) ?? {};
    test.expect(y).toBeLessThan(500);
    test.expect(await window.check.excessWidth()).toBeNull();
    test.expect(await window.check.accessibility()).toEqual([]);

    test.expect(await page.getByRole('main').getByText('Last sign-in').isVisible()).toBe(false);
    await page.getByText('Details', { exact: true }).click();
    await page.getByRole('main').getByText('Last sign-in').waitFor();
    await page.getByRole('button', { name: 'Actions', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Reset password' }).click();
    await page.getByRole('dialog', { name: 'Reset the password of fay@example.org?' }).waitFor();
  });

  it.concurrent.for([
    { width: 390, height: 844 },
    { width: 360, height: 740 },
  ])('have all their buttons within a phone of $width × $height', async (viewport, test) => {
    const user = await createUser(app.server, { tenantId: tenant.id, userName: `kim${viewport.width}@example.org` });
    const device = await createDevice(app.server, { tenantId: tenant.id, name: 'Front desk 2' });
    await grantAll(app.server, holder.user(user), [Permission.DeviceRead, Permission.DeviceOverviewRead], at.device(device));
    const window = await app.open(test, { user: await app.administrator(), viewport, hasTouch: true, isMobile: true });
    const main = window.page.getByRole('main');
    await window.goTo(`/users/${user.id}/access`);
    await main.getByRole('table').waitFor();
    const controls = [
      main.getByRole('searchbox', { name: 'Search permissions' }),
      main.getByRole('button', { name: 'Granted or denied: 2' }),
      main.getByRole('button', { name: 'Add preset' }),
      main.getByRole('button', { name: 'Add scope' }),
      main.getByRole('link', { name: 'Explain' }),
    ];
    for (const control of controls) {
      const { x = -1, width = 0 } = (await control.boundingBox()) ?? {};
      test.expect(x).toBeGreaterThanOrEqual(0);
      test.expect(x + width).toBeLessThanOrEqual(viewport.width);
    }
    // They take two lines, so that the matrix still starts in the upper half.
    const { y = Infinity } = (await main.getByRole('table').boundingBox()) ?? {};
    test.expect(y).toBeLessThan(500);
  });

  it.concurrent('that one may not read become a link for a user who may', async (test) => {
    const user = await userWith(Permission.DeviceRead);
    const window = await app.open(test, { user, viewport: VIEWPORT });
    await window.goTo('/effective-permissions?what=device.terminal.use');
    const link = window.page.getByRole('group', { name: 'Link to your question' });
    test.expect(await link.textContent()).toMatch(new RegExp(`/effective-permissions\\?who=User%3A${user.id}&what=device.terminal.use$`));
  });

  it.concurrent('of a logon token reach its device and nothing else', async (test) => {
    const [device, other] = [
      await createDevice(app.server, { tenantId: tenant.id }),
      await createDevice(app.server, { tenantId: tenant.id }),
    ];
    const body = { tenantId: tenant.id, deviceId: device.id, userCorrelationId: 'somebody' };
    const { deviceAccessUrl } = (await app.server.client().post('/api/v1/logon-tokens/external', { body })).as<LogonTokenResponseDto>();
    const window = await app.open(test, { viewport: VIEWPORT });
    const { page } = window;
    await window.goTo(deviceAccessUrl);
    await page.getByRole('heading', { name: device.name, level: 1 }).waitFor();
    test.expect(page.url()).not.toContain('logonToken');
    test.expect(await page.getByRole('navigation', { name: 'Pages' }).count()).toBe(0);
    for (const path of ['/devices', '/users', `/devices/${other.id}`, '/effective-permissions?what=device.read']) {
      await window.goTo(path);
      test.expect(new URL(page.url()).pathname).toBe(`/devices/${device.id}`);
    }
    const listed = await page.evaluate(async (tenantId) => {
      const answer = await fetch(`/api/v1/devices?tenantId=${tenantId}`);
      return ((await answer.json()) as { id: string }[]).map(({ id }) => id);
    }, tenant.id);
    test.expect(listed).toEqual([device.id]);
  });
});
