import type { Page, Request } from 'playwright-core';
import { beforeAll, describe, it } from 'vitest';

import { bigCustomerId, bigGroupId, bigUserId, growPeople, LARGE } from '../../bench/harness/people.js';
import { isOfThePage } from '../../bench/web/page-requests.js';
import { Permission } from '../../src/access/authorization/permissions/permission.js';
import type { User } from '../../src/people/users/user.entity.js';
import type { Tenant } from '../../src/tenants/tenants/tenant.entity.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { at, createUser, grantAll, holder } from '../support/fixtures/factories.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { frontEnd } from './support/front-end.js';

/*
 * Pages of a tenant with 2,000 users, 500 user groups and 300 customers: few requests, rows that are made as they come into sight, and no
 * figure that changes once it is shown.
 */

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;
const VIEWPORT = { width: 1440, height: 900 };
/** Most requests that a page makes for what it shows, besides what every page has. */
const MOST_REQUESTS = 5;
suite(`large tenants in the front end${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built);
  let administrator: User;
  let tenant: Tenant;

  beforeAll(async () => {
    administrator = await app.administrator();
    tenant = await app.tenantOf(administrator);
    await growPeople(app.server.dataSource, tenant.id);
  });

  /** Notes the requests to the service, until they are taken. */
  const noteRequests = (page: Page) => {
    const noted: string[] = [];
    page.on('request', (request: Request) => {
      const { pathname } = new URL(request.url());
      if (isOfThePage(request.url())) noted.push(`${request.method()} ${pathname}`);
    });
    return () => noted.splice(0);
  };

  it.concurrent('show users and user groups with few requests, and as many rows as there are places', async (test) => {
    const { expect } = test;
    const window = await app.open(test, { user: administrator, viewport: VIEWPORT });
    const { page } = window;
    const taken = noteRequests(page);
    await window.goTo('/users');
    const users = page.getByRole('table', { name: 'Users' });
    const first = users.getByRole('row', { name: /user-0001@/ });
    await first.waitFor();
    // Groups stand in the row from its first frame on.
    expect(await first.innerText()).toMatch(/team 139, team 270, team 401/);
    expect(taken().length).toBeLessThanOrEqual(MOST_REQUESTS);
    expect(await users.getByRole('row').count()).toBeLessThan(100);
    expect(Number(await users.getAttribute('aria-rowcount'))).toBeGreaterThan(LARGE.users);
    await page.mouse.move(700, 500);
    await page.mouse.wheel(0, 40_000);
    await users.getByRole('row', { name: /user-1000@/ }).waitFor();
    await page.mouse.wheel(0, 200_000);
    await users.getByRole('row', { name: /user-2000@/ }).waitFor();
    expect(await users.getByRole('row').count()).toBeLessThan(100);
    expect(await window.check.accessibility({})).toEqual([]);
    await page.getByRole('searchbox', { name: 'Search users' }).fill('user-1234');
    await users.getByRole('row', { name: /user-0001@/ }).waitFor({ state: 'detached' });
    await expect.poll(() => users.getByRole('row').count()).toBe(2);

    taken();
    await window.goTo('/user-groups');
    await page.getByRole('row', { name: /team 001/ }).waitFor();
    expect(taken().length).toBeLessThanOrEqual(MOST_REQUESTS);
    await window.goTo(`/user-groups/${bigGroupId(1)}`);
    await page.getByRole('heading', { name: 'team 001', level: 1 }).waitFor();
    expect(taken().length).toBeLessThanOrEqual(MOST_REQUESTS);
  });

  it.concurrent('show and explain what a user holds through groups with few requests', async (test) => {
    const { expect } = test;
    const window = await app.open(test, { user: administrator, viewport: VIEWPORT });
    const { page } = window;
    const taken = noteRequests(page);
    await window.goTo(`/users/${bigUserId(1)}/access`);
    await page.getByText(/^1 of \d+ permissions allowed · 1 through team/).waitFor();
    await page.getByRole('columnheader', { name: 'company 140' }).waitFor();
    expect(taken().length).toBeLessThanOrEqual(MOST_REQUESTS);
    const heads = await page.getByRole('columnheader').allInnerTexts();
    expect(heads.slice(2)).toEqual(['company 102', 'company 140', 'company 271'].map((name) => `Customer\n${name}`));
    await window.goTo(`/users/${bigUserId(1)}/groups`);
    await page.getByRole('table', { name: 'Groups' }).getByRole('link', { name: 'team 139' }).waitFor();
    expect(taken().length).toBeLessThanOrEqual(MOST_REQUESTS);

    await window.goTo(`/effective-permissions?who=User:${bigUserId(1)}&what=device.read&on=CustomerTenant:${bigCustomerId(140)}`);
    await page.getByText('Allowed.', { exact: true }).waitFor();
    await page.getByText(/allowed for the group team 139 at company 140/).waitFor();
    await page.getByRole('table', { name: 'Assignments of this permission' }).waitFor();
    expect(taken().length).toBeLessThanOrEqual(MOST_REQUESTS);
    await window.goTo(`/effective-permissions?who=User:${bigUserId(1)}&what=everything&on=CustomerTenant:${bigCustomerId(140)}`);
    await page.getByText(/^1 of \d+ allowed at company 140/).waitFor();
    expect(taken().length).toBeLessThanOrEqual(MOST_REQUESTS);

    // Typing replaces the chosen user, and the service finds the others.
    const who = page.getByRole('combobox', { name: 'Who' });
    await who.click();
    await page.keyboard.type('user-1999');
    await page.getByRole('option', { name: /user-1999@/ }).waitFor();
    await page.getByRole('option', { name: /user-1999@/ }).click();
    await page.waitForURL(`**/*who=User%3A${bigUserId(1999)}*`);
  });

  it.concurrent('find customers by their notes, and say who has access to them', async (test) => {
    const { expect } = test;
    const window = await app.open(test, { user: administrator, viewport: VIEWPORT });
    const { page } = window;
    const taken = noteRequests(page);
    await window.goTo('/customers');
    const customers = page.getByRole('table', { name: 'Customers' });
    await customers.getByRole('row', { name: /company 001/ }).waitFor();
    expect(taken().length).toBeLessThanOrEqual(MOST_REQUESTS);
    expect(await customers.getByRole('row').count()).toBeLessThan(100);
    await page.getByRole('searchbox', { name: 'Search customers' }).fill('contract 140');
    await customers.getByRole('row', { name: /company 001/ }).waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('q')).toBe('contract 140');
    await customers.getByRole('link', { name: 'company 140' }).click();
    await page.getByRole('button', { name: 'Show who has access' }).click();
    const drawer = page.getByRole('dialog', { name: 'Who has access to company 140' });
    await drawer.getByRole('cell', { name: 'user-0001@example.org' }).waitFor();
    expect(await window.check.accessibility({})).toEqual([]);
  });

  it.concurrent('show what groups give to callers who may not read their names', async (test) => {
    const { expect } = test;
    const reader = await createUser(app.server, { tenantId: tenant.id });
    await grantAll(app.server, holder.user(reader), [Permission.TenantUsersRead, Permission.TenantPermissionsRead], at.tenant(tenant));
    const window = await app.open(test, { user: reader, viewport: VIEWPORT });
    await window.goTo(`/users/${bigUserId(1)}/access`);
    await window.page.getByText(/^1 of \d+ permissions allowed · 1 through \(name hidden\)/).waitFor();
    expect(await window.page.getByText('team 139').count()).toBe(0);
  });

  it.concurrent('let 20 permissions and categories be seen at once', async (test) => {
    const { expect } = test;
    const window = await app.open(test, { user: administrator, viewport: VIEWPORT });
    const { page } = window;
    await window.goTo(`/users/${administrator.id}/access`);
    // The head and the lines of permissions and their categories.
    const rows = page.getByRole('row');
    await rows.nth(20).waitFor();
    const seen = await rows.evaluateAll(
      (all, height) => all.filter((row) => row.getBoundingClientRect().bottom <= height).length,
      VIEWPORT.height,
    );
    expect(seen).toBeGreaterThan(20);
  });
});
