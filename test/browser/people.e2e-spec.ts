import type { Page } from 'playwright-core';
import { beforeAll, describe, it } from 'vitest';

import { Permission, PermissionEffect, type PermissionDefinition } from '../../src/authorization/permission.js';
import { PermissionAssignment } from '../../src/permission-assignments/permission-assignment.entity.js';
import type { Tenant } from '../../src/tenants/tenant.entity.js';
import { User } from '../../src/users/user.entity.js';
import { builtFrontEnd } from '../support/built-front-end.js';
import { eventually } from '../support/eventually.js';
import { addToUserGroup, at, createUser, createUserGroup, grant, grantAll, holder } from '../support/factories.js';
import { Scene } from '../routes/scene.js';
import { hasChromium, WITHOUT_CHROMIUM } from './chromium.js';
import { frontEnd, Windows } from './front-end.js';

/*
 * The people of a tenant in a browser: who is in which group and may do what, who is invited, and what an invited person gets.
 */

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;
const VIEWPORT = { width: 1024, height: 900 };

/** What it takes to invite people and to give them presets. */
const INVITER = [
  Permission.TenantUsersRead,
  Permission.TenantUsersWrite,
  Permission.TenantPermissionsRead,
  Permission.TenantPermissionsWrite,
];
const INSTALLER = [Permission.AgentInstall, Permission.InstallerKeyRead, Permission.InstallerKeyWrite];
/** What every new account holds, and what the preset Agent Installer adds. */
const HELD_BY_INSTALLER = [
  'agent.install',
  'installer-key.read',
  'installer-key.write',
  'personal-access-token.self.read',
  'personal-access-token.self.write',
];
const APPLY = /\/permission-assignments\/presets\/apply\?/;
const APPLY_REFUSED = '403 POST /api/v1/permission-assignments/presets/apply';

suite(`people in the front end${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built);
  let administrator: User;
  let tenant: Tenant;
  let scene: Scene;
  /** Of the administrator. */
  let windows: Windows;

  beforeAll(async () => {
    administrator = await app.administrator();
    tenant = await app.tenantOf(administrator);
    scene = new Scene(app.server, tenant);
    windows = new Windows(app, { user: administrator, viewport: VIEWPORT });
  });

  /** A user with these permissions in the tenant. */
  async function userWith(...permissions: readonly PermissionDefinition[]): Promise<User> {
    const user = await createUser(app.server, { tenantId: tenant.id });
    await grantAll(app.server, holder.user(user), permissions, at.tenant(tenant));
    return user;
  }

  /** What somebody may do, as the API says it. */
  async function heldBy(userName: string): Promise<string[]> {
    const { id } = await app.server.dataSource.manager.findOneByOrFail(User, { userName });
    const answer = await app.server.client().get('/api/v1/permission-assignments', {
      query: { tenantId: tenant.id, principalKind: 'User', principalId: id },
    });
    const { items } = answer.as<{ readonly items: readonly { readonly permissionName: string }[] }>();
    return items.map(({ permissionName }) => permissionName).sort();
  }

  const rowOf = (page: Page, name: string) => page.getByRole('table', { name: 'Users' }).getByRole('row').filter({ hasText: name });
  const cellsOf = (page: Page, name: string): Promise<string[]> => rowOf(page, name).getByRole('cell').allInnerTexts();
  const linkIn = (page: Page) => page.getByRole('group', { name: /^Link / });

  /** Fills in the form that is open, and sends it. */
  async function invite(page: Page, address: string, preset: string): Promise<void> {
    await page.getByRole('textbox', { name: 'E-mail address' }).fill(address);
    await page.getByRole('checkbox', { name: preset }).check();
    await page.locator('form').getByRole('button', { name: 'Invite', exact: true }).click();
  }

  async function dropLink(page: Page): Promise<void> {
    await page.getByRole('checkbox', { name: 'I have stored it' }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }

  it.concurrent('are listed with their groups, and with their permissions in a few words', async (test) => {
    const { expect } = test;
    const user = await userWith(...INSTALLER, Permission.TenantUsersRead, Permission.DeviceRead);
    // Neither counts as allowed.
    await grant(app.server, {
      principal: holder.user(user),
      permission: Permission.TenantTagsWrite,
      scope: at.tenant(tenant),
      isEnabled: false,
    });
    await grant(app.server, {
      principal: holder.user(user),
      permission: Permission.DeviceDelete,
      scope: at.tenant(tenant),
      effect: PermissionEffect.Deny,
    });
    for (const name of ['Night shift', 'Helpdesk']) {
      await addToUserGroup(app.server, await createUserGroup(app.server, { tenantId: tenant.id, name }), user);
    }
    const window = await windows.take(test);
    await window.follow('/users');
    expect(await cellsOf(window.page, user.userName)).toEqual(expect.arrayContaining(['Helpdesk, Night shift', 'Agent Installer + 2']));
    expect(await cellsOf(window.page, administrator.userName)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^Server Administrator, Tenant Administrator, Device Superuser/)]),
    );
    expect(await window.check.excessWidth()).toBeNull();
    expect(await window.check.accessibility({})).toEqual([]);

    const less = await app.open(test, { user, viewport: VIEWPORT });
    await less.goTo('/users');
    expect(await less.page.getByRole('columnheader').allInnerTexts()).not.toContain('Groups');
    expect(await cellsOf(less.page, user.userName)).toContain('5 permissions');
  });

  it.concurrent('are marked while they are invited, and can be uninvited there', async (test) => {
    const { expect } = test;
    const { inviteeEmail, userId } = await scene.invite();
    const window = await windows.take(test);
    const { page } = window;
    await window.follow('/users');
    const row = rowOf(page, inviteeEmail);
    await row.getByText('Invited', { exact: true }).waitFor();
    expect(await rowOf(page, administrator.userName).getByText('Invited', { exact: true }).count()).toBe(0);
    expect(await window.check.accessibility({})).toEqual([]);

    await row.getByRole('button').click();
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Withdraw']);
    await page.getByRole('menuitem', { name: 'Withdraw' }).click();
    await page.getByRole('alertdialog').or(page.getByRole('dialog')).getByRole('button', { name: 'Withdraw' }).click();
    await row.waitFor({ state: 'detached' });
    expect(await app.server.dataSource.manager.existsBy(User, { id: userId })).toBe(false);
  });

  it.concurrent('are invited with a preset from their list', async (test) => {
    const { expect } = test;
    const address = 'dana@example.org';
    const window = await windows.take(test);
    const { page } = window;
    await window.follow('/users');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await invite(page, 'Dana@Example.org', 'Agent Installer');
    await linkIn(page).getByText('/invite-confirmation/').waitFor();
    await page.getByText('Permissions given: Agent Installer.').waitFor();
    expect(await heldBy(address)).toEqual(HELD_BY_INSTALLER);
    expect(await window.check.accessibility({})).toEqual([]);

    await dropLink(page);
    await rowOf(page, address).getByText('Invited', { exact: true }).waitFor();
    await rowOf(page, address).getByText('Agent Installer, Self Service').waitFor();
  });

  it.concurrent('are invited with a preset in the first steps', async (test) => {
    const { expect } = test;
    const window = await app.open(test, { user: administrator, viewport: VIEWPORT });
    const { page } = window;
    await window.goTo('/welcome');
    await page.getByRole('button', { name: /Invite a colleague/ }).click();
    await invite(page, 'kim@example.org', 'Agent Installer');
    await page.getByText('Permissions given: Agent Installer.').waitFor();
    expect(await linkIn(page).innerText()).toContain('/invite-confirmation/');
    expect(await heldBy('kim@example.org')).toEqual(HELD_BY_INSTALLER);
    expect(await window.check.accessibility({})).toEqual([]);
    await page.getByRole('button', { name: 'Invite another' }).click();
    expect(await page.getByRole('checkbox', { name: 'Agent Installer' }).isChecked()).toBe(false);
  });

  it.concurrent('get their link though the permissions were refused, which can be given again', async (test) => {
    const { expect } = test;
    const user = await userWith(...INVITER, ...INSTALLER);
    const window = await app.open(test, { user, viewport: VIEWPORT, allowedRefusals: [APPLY_REFUSED] });
    const { page } = window;
    await window.goTo('/invites');
    await page.getByRole('button', { name: 'Invite', exact: true }).first().click();
    const denied = await grant(app.server, {
      principal: holder.user(user),
      permission: Permission.TenantPermissionsWrite,
      scope: at.tenant(tenant),
      effect: PermissionEffect.Deny,
    });
    await invite(page, 'robin@example.org', 'Agent Installer');
    const alert = page.getByRole('dialog').getByRole('alert');
    await alert.getByText('did not get the permissions of Agent Installer').waitFor();
    await alert.getByText('tenant.permissions.write').waitFor();
    const link = await linkIn(page).innerText();
    expect(link).toContain('/invite-confirmation/');
    expect(await window.check.accessibility({})).toEqual([]);

    await app.server.dataSource.manager.delete(PermissionAssignment, { id: denied.id });
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Permissions given: Agent Installer.').waitFor();
    expect(await linkIn(page).innerText()).toBe(link);
    expect(await heldBy('robin@example.org')).toEqual(HELD_BY_INSTALLER);
  });

  it.concurrent('are named when their permissions are refused after the link was put away', async (test) => {
    const user = await userWith(...INVITER);
    const window = await app.open(test, { user, viewport: VIEWPORT, allowedRefusals: [APPLY_REFUSED] });
    const { page } = window;
    let refuse: () => void = () => undefined;
    const isStored = new Promise<void>((resolve) => (refuse = resolve));
    await page.route(APPLY, async (route) => {
      await isStored;
      await route.continue();
    });
    await window.goTo('/invites');
    await page.getByRole('button', { name: 'Invite', exact: true }).first().click();
    // The server's permissions are not this user's to give.
    await invite(page, 'sasha@example.org', 'Server Administrator');
    await page.getByText('Giving the permissions of Server Administrator').waitFor();
    await dropLink(page);
    refuse();
    await page.getByText(/^sasha@example\.org did not get the permissions of Server Administrator: .*server\.permissions\.write/).waitFor();
  });

  it.concurrent('are invited without presets by those who may not give permissions', async (test) => {
    const user = await userWith(Permission.TenantUsersRead, Permission.TenantUsersWrite, Permission.TenantPermissionsRead);
    const window = await app.open(test, { user, viewport: VIEWPORT });
    const { page } = window;
    await window.goTo('/users');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByRole('textbox', { name: 'E-mail address' }).fill('alex@example.org');
    test.expect(await page.getByRole('checkbox').count()).toBe(0);
    await page.locator('form').getByRole('button', { name: 'Invite', exact: true }).click();
    await linkIn(page).getByText('/invite-confirmation/').waitFor();
    await eventually('the account is there', async () => (await heldBy('alex@example.org')).length === 2);
  });
});
