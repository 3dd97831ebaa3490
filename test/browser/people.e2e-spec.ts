import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, type TestContext } from 'vitest';

import { Permission } from '../../src/access/authorization/permissions/permission.js';
import type { User } from '../../src/people/users/user.entity.js';
import type { Tenant } from '../../src/tenants/tenants/tenant.entity.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { addToUserGroup, at, createUser, createUserGroup, grantAll, holder } from '../support/fixtures/factories.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { frontEnd, type Window } from './support/front-end.js';

/*
 * The list of the people of a tenant: their permissions, their groups, and invitations that are not accepted yet.
 */

/** Permissions of an installer of agents, by the preset of that name. */
const INSTALLER = [Permission.AgentInstall, Permission.InstallerKeyRead, Permission.InstallerKeyWrite];

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;

suite(`people in the front end${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built);
  let administrator: User;
  let tenant: Tenant;

  beforeAll(async () => {
    administrator = await app.administrator();
    tenant = await app.tenantOf(administrator);
  });

  async function openUsers(test: TestContext, user = administrator, allowedRefusals: string[] = []): Promise<Window> {
    const window = await app.open(test, { user, allowedRefusals });
    await window.goTo('/users');
    return window;
  }
  const rowOf = (page: Page, name: string) => page.getByRole('row', { name });
  const linkOf = (page: Page) => page.getByRole('group', { name: 'Invitation link' });
  /** Invites a user from the list of users, with a preset. */
  async function invite(page: Page, email: string, preset: string): Promise<void> {
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail address').fill(email);
    await dialog.getByRole('checkbox', { name: preset }).check();
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
    await linkOf(page).waitFor();
  }
  /** Confirms that the link is stored, which closes its dialog. */
  async function store(page: Page): Promise<void> {
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('checkbox', { name: "I've stored it" }).check();
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    await dialog.waitFor({ state: 'detached' });
  }

  it('shows the groups of each user, and the permissions as presets', async (test) => {
    const user = await createUser(app.server, { tenantId: tenant.id, userName: 'dana@example.org' });
    for (const name of ['Helpdesk', 'Contractors'])
      await addToUserGroup(app.server, await createUserGroup(app.server, { tenantId: tenant.id, name }), user);
    await grantAll(app.server, holder.user(user), [...INSTALLER, Permission.TenantUsersRead], at.tenant(tenant));
    const window = await openUsers(test);
    const cells = rowOf(window.page, 'dana@example.org').getByRole('cell');
    await cells.filter({ hasText: 'Agent Installer + 1' }).waitFor();
    await cells.filter({ hasText: /^(Helpdesk, Contractors|Contractors, Helpdesk)$/ }).waitFor();
    expect(await window.check.accessibility()).toEqual([]);
  });

  it('adds a user to groups in a dialog that shows no failure of its last opening', async (test) => {
    const { id } = await createUser(app.server, { tenantId: tenant.id });
    await createUserGroup(app.server, { tenantId: tenant.id, name: 'Night shift' });
    const window = await app.open(test, { user: administrator, allowedRefusals: [/^503 POST /] });
    const { page } = window;
    await window.goTo(`/users/${id}/groups`);
    await page.route(/\/api\/v1\/user-groups\//, (route) => route.fulfill({ status: 503, json: { detail: 'Try again later.' } }));
    const dialog = page.getByRole('dialog');
    const failure = dialog.getByText('Try again later.');
    await page.getByRole('button', { name: 'Add to groups' }).click();
    await page.getByRole('combobox', { name: 'Groups' }).fill('Night');
    await page.getByRole('option', { name: 'Night shift' }).click();
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await failure.waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Add to groups' }).click();
    await dialog.waitFor();
    expect(await failure.count()).toBe(0);
  });

  it('invites a user with permissions, and marks them until they accept', async (test) => {
    const { page } = await openUsers(test);
    await invite(page, 'robin@example.org', 'Agent Installer');
    await store(page);
    const row = rowOf(page, 'robin@example.org');
    await row.getByText('Invited', { exact: true }).waitFor();
    await row.getByText('Agent Installer').waitFor();

    await row.getByRole('button', { name: 'Actions for robin@example.org' }).click();
    const withdraw = page.getByRole('menuitem', { name: 'Withdraw' });
    await withdraw.waitFor();
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Send again', 'Change expiry', 'Withdraw']);
    await withdraw.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await row.waitFor({ state: 'detached' });
  });

  it('shows the link of an invitation whose permissions were refused, and what is missing', async (test) => {
    const helper = await createUser(app.server, { tenantId: tenant.id });
    const rights = [
      Permission.TenantUsersRead,
      Permission.TenantUsersWrite,
      Permission.TenantPermissionsRead,
      Permission.TenantPermissionsWrite,
    ];
    await grantAll(app.server, holder.user(helper), rights, at.tenant(tenant));
    const { page } = await openUsers(test, helper, ['403 POST /api/v1/permission-assignments/presets/apply']);
    await invite(page, 'sam@example.org', 'Server Administrator');
    await page.getByRole('dialog').getByText("the permissions weren't granted").waitFor();
    expect(await page.getByRole('dialog').getByRole('link', { name: 'See why' }).getAttribute('href')).toContain(
      'server.permissions.write',
    );
    // Here, leaving the page would lose the link of the invitation.
    expect(await page.getByRole('dialog').getByRole('link', { name: 'See why' }).getAttribute('target')).toBe('_blank');
    expect(await linkOf(page).innerText()).toContain('/invite-confirmation/');
    await store(page);
    await rowOf(page, 'sam@example.org').getByText('Invited', { exact: true }).waitFor();
  });

  it('offers no permissions to a user who may give none', async (test) => {
    const helper = await createUser(app.server, { tenantId: tenant.id });
    await grantAll(app.server, holder.user(helper), [Permission.TenantUsersRead, Permission.TenantUsersWrite], at.tenant(tenant));
    const { page } = await openUsers(test, helper);
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByRole('dialog').getByLabel('E-mail address').waitFor();
    expect(await page.getByRole('dialog').getByRole('checkbox').count()).toBe(0);
  });

  it('says which part of the list could not be read, and reads it again', async (test) => {
    const window = await app.open(test, { user: administrator, allowedRefusals: ['503 GET /account/memberships'] });
    const { page } = window;
    const groups = /\/account\/memberships$/;
    await page.route(groups, (route) => route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{"title":"Busy."}' }));
    await window.goTo('/users');
    const failed = page.getByRole('main').getByRole('alert').filter({ hasText: 'Busy.' });
    await failed.waitFor();
    await rowOf(page, administrator.email ?? '').waitFor();
    await page.unroute(groups);
    await failed.getByRole('button', { name: 'Try again' }).click();
    await failed.waitFor({ state: 'detached' });
  });
});
