import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, type TestContext } from 'vitest';

import { Permission } from '../../src/access/authorization/permissions/permission.js';
import { SecurityEvent } from '../../src/access/security-log/security-event.entity.js';
import { User } from '../../src/people/users/user.entity.js';
import { newGuid } from '../../src/platform/common/identifiers/guid.js';
import type { Tenant } from '../../src/tenants/tenants/tenant.entity.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { Browser, createPerson, PASSWORD } from '../support/callers/browser.js';
import { at, createDevice, createUser, grantAll, holder } from '../support/fixtures/factories.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { frontEnd, type Window } from './support/front-end.js';

/*
 * Who may sign in and who did: the state of users, their suspension, their invitations and the sign-in log.
 */

const HOUR_MS = 3_600_000;
/** Entries of the sign-in log on its first page. */
const LOG_PAGE = 50;

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;

suite(`users and their sign-ins in the front end${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built);
  let administrator: User;
  let tenant: Tenant;

  beforeAll(async () => {
    administrator = await app.administrator();
    tenant = await app.tenantOf(administrator);
  });

  const person = (userName: string, values: Partial<User> = {}): Promise<User> =>
    createPerson(app.server, { tenantId: tenant.id, userName, normalizedUserName: userName.toUpperCase(), email: userName, ...values });
  const rowOf = (page: Page, name: string) => page.getByRole('row', { name });
  const choose = async (page: Page, name: string, entry: string): Promise<void> => {
    await rowOf(page, name)
      .getByRole('button', { name: `Actions for ${name}` })
      .click();
    await page.getByRole('menuitem', { name: entry }).click();
  };
  async function open(test: TestContext, path: string, user = administrator, allowedRefusals: string[] = []): Promise<Window> {
    const window = await app.open(test, { user, allowedRefusals });
    await window.goTo(path);
    return window;
  }
  /** Writes entries of the log, the last one newest. */
  async function logged(user: User, count: number): Promise<void> {
    const begin = Date.now() - HOUR_MS;
    const rows = Array.from({ length: count }, (_, index) => ({
      id: newGuid(),
      createdAt: new Date(begin + index * 1000),
      tenantId: tenant.id,
      userId: user.id,
      userName: user.userName,
      kind: 'SignedIn' as const,
      detail: 'Passkey',
      remoteAddress: '203.0.113.7',
      userAgent: null,
      correlationId: null,
    }));
    await app.server.dataSource.manager.insert(SecurityEvent, rows);
  }

  it('shows state, last sign-in and second factor of each user, and narrows the list down by them, in the address', async (test) => {
    await person('active@users.example', { lastLogin: new Date(Date.now() - 2 * HOUR_MS), twoFactorEnabled: true });
    await person('locked@users.example', { lockoutEnd: new Date(Date.now() + HOUR_MS) });
    const device = await createDevice(app.server, { tenantId: tenant.id });
    const body = { deviceId: device.id, tenantId: tenant.id, userCorrelationId: 'visitor-1', userDisplayName: 'Vera Visitor' };
    (await app.server.client().post('/api/v1/logon-tokens/external', { body })).as();
    const window = await open(test, '/users?q=users.example');
    const { page } = window;
    const cells = rowOf(page, 'active@users.example').getByRole('cell');
    await cells.filter({ hasText: /^Active$/ }).waitFor();
    await cells.filter({ hasText: /2 hr\. ago/ }).waitFor();
    await cells.filter({ hasText: /^App$/ }).waitFor();
    await rowOf(page, 'locked@users.example')
      .getByText(/^until /)
      .waitFor();

    await page.getByLabel('State').selectOption({ label: 'Locked' });
    await rowOf(page, 'active@users.example').waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('standing')).toBe('Locked');
    await rowOf(page, 'locked@users.example').waitFor();
    await page.getByLabel('Second factor').selectOption({ label: 'App' });
    await page.getByText('No matches').waitFor();
    expect(await window.check.accessibility()).toEqual([]);

    await window.goTo('/users?standing=Visitor&sort=-last-sign-in');
    const visitor = rowOf(page, 'Vera Visitor');
    await visitor.getByText('Visitor', { exact: true }).waitFor();
    await visitor.getByText(/^until /).waitFor();
    expect(await page.getByRole('columnheader', { name: 'Last sign-in' }).getAttribute('aria-sort')).toBe('descending');
    await page.getByRole('columnheader', { name: 'State' }).getByRole('button').click();
    await page.waitForURL(/sort=state/);
  });

  it('suspends a user, who is signed out, told so at the next sign-in, and let back', async (test) => {
    const user = await person('sue@users.example');
    const browser = new Browser(app.server);
    await browser.signIn(user);
    const { page } = await open(test, '/users?q=sue@');
    await choose(page, 'sue@users.example', 'Suspend');
    const dialog = page.getByRole('dialog', { name: 'Suspend sue@users.example?' });
    await dialog.getByRole('button', { name: 'Suspend' }).click();
    await rowOf(page, 'sue@users.example').getByText('Suspended', { exact: true }).waitFor();
    expect((await browser.get('/account/security-log')).status).toBe(401);

    const other = await app.open(test, { allowedRefusals: ['403 POST /account/sign-in', '401 GET /account/session'] });
    await other.goTo('/signin');
    await other.page.getByLabel('E-mail').fill(user.userName);
    await other.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await other.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await other.page.getByText('This account is suspended. Ask an administrator to let you back in.').waitFor();

    await choose(page, 'sue@users.example', 'Lift suspension');
    await rowOf(page, 'sue@users.example').getByText('Active', { exact: true }).waitFor();
    await other.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await other.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await other.page.waitForURL('**/devices');
  });

  it('says why the last administrator cannot be suspended, and offers no suspension of oneself', async (test) => {
    const helper = await person('helper@users.example');
    await grantAll(app.server, holder.user(helper), [Permission.TenantUsersRead, Permission.TenantUsersWrite], at.tenant(tenant));
    const window = await open(test, `/users/${administrator.id}/sign-ins`, helper, [
      `400 PUT /account/users/${administrator.id}/suspension`,
    ]);
    const { page } = window;
    await page.getByRole('button', { name: 'Suspend' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
    await page.getByRole('dialog').getByText('without an administrator').waitFor();
    await page.keyboard.press('Escape');
    await window.goTo(`/users/${helper.id}/sign-ins`);
    await page.getByRole('button', { name: 'Reset password' }).waitFor();
    expect(await page.getByRole('button', { name: 'Suspend' }).count()).toBe(0);
  });

  it('sends an invitation again and changes its expiry', async (test) => {
    const body = { inviteeEmail: 'ines@users.example' };
    (await app.server.client().post('/api/v1/invites', { query: { tenantId: tenant.id }, body })).as();
    const window = await open(test, '/invites');
    const { page } = window;
    const row = rowOf(page, body.inviteeEmail);
    await row.getByText(/^in (6|7) days$/).waitFor();
    await choose(page, body.inviteeEmail, 'Change expiry');
    const soon = new Date(Date.now() + 2 * HOUR_MS);
    const local = new Date(soon.getTime() - soon.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Expires').fill(local);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row.getByText(/^in (1|2) hr\.$/).waitFor();

    await choose(page, body.inviteeEmail, 'Send again');
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await page.getByRole('dialog', { name: 'Invitation renewed' }).waitFor();
    await dialog.getByText(`The link was sent to ${body.inviteeEmail}.`).waitFor();
    expect(await dialog.getByRole('group', { name: 'Invitation link' }).innerText()).toContain('/invite-confirmation/');
    expect(await window.check.accessibility()).toEqual([]);
    await dialog.getByRole('checkbox', { name: "I've stored it" }).check();
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    await row.getByText(/^in (6|7) days$/).waitFor();
  });

  it('shows the sign-in log of the tenant with methods and reasons, part by part and page by page', async (test) => {
    const user = await person('log@users.example');
    await logged(user, LOG_PAGE + 5);
    await new Browser(app.server).signIn(user, 'Wrong-Horse-7');
    const window = await open(test, '/users');
    const { page } = window;
    await page.getByRole('link', { name: 'Sign-in log' }).click();
    await page.waitForURL('**/sign-ins');
    const refused = page.getByRole('row').filter({ hasText: 'log@users.example' }).filter({ hasText: 'Wrong password' });
    await refused.getByText('Sign-in failed').waitFor();
    await refused.getByText('Firefox on Linux').waitFor();
    expect(await window.check.accessibility()).toEqual([]);

    await page.getByLabel('Show').selectOption({ label: 'Refused' });
    await page.waitForURL(/show=Refusals/);
    await page.getByText('203.0.113.7').first().waitFor({ state: 'detached' });
    await refused.waitFor();

    await window.goTo(`/users/${user.id}/sign-ins`);
    const rows = page.getByRole('table', { name: 'Sign-in log' }).locator('tbody tr');
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' });
    expect(await rows.count()).toBe(LOG_PAGE + 6);
  });

  it('is empty for a user who never signed in, and says what could not be read', async (test) => {
    const user = await createUser(app.server, { tenantId: tenant.id });
    const window = await open(test, `/users/${user.id}/sign-ins`, administrator, ['503 GET /account/users']);
    const { page } = window;
    await page.getByText('No sign-ins').waitFor();
    const standing = /\/account\/users\?/;
    await page.route(standing, (route) =>
      route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{"title":"Busy."}' }),
    );
    await window.goTo('/users');
    const failed = page.getByRole('main').getByRole('alert').filter({ hasText: 'Busy.' });
    await failed.waitFor();
    await rowOf(page, administrator.email ?? '').waitFor();
    await page.unroute(standing);
    await failed.getByRole('button', { name: 'Try again' }).click();
    await failed.waitFor({ state: 'detached' });
  });
});
