import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, type TestContext } from 'vitest';

import { Permission } from '../../src/access/authorization/permissions/permission.js';
import type { User } from '../../src/people/users/user.entity.js';
import { newGuid } from '../../src/platform/common/identifiers/guid.js';
import type { Tenant } from '../../src/tenants/tenants/tenant.entity.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import type { ApiClient } from '../support/application/api-client.js';
import { clientOf } from '../support/callers/callers.js';
import { createDeviceGroup, createUser } from '../support/fixtures/factories.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { clickAtOnce } from './support/clicks.js';
import { frontEnd, type Window, type WindowOptions } from './support/front-end.js';

/*
 * The change log as people read it: names instead of ids, one line for what belongs together, filters in the address.
 */

const PHONE = { width: 390, height: 844 };

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;

suite(`the change log in the front end${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built);
  let administrator: User;
  let tenant: Tenant;
  let client: ApiClient;
  let ben: User;

  beforeAll(async () => {
    administrator = await app.administrator();
    tenant = await app.tenantOf(administrator);
    client = await clientOf(app.server, administrator);
    ben = await createUser(app.server, { tenantId: tenant.id, userName: 'ben@example.org' });
    const query = { tenantId: tenant.id };
    const { id } = (await client.post('/api/v1/user-groups', { query, body: { name: 'Field crew' } })).as<{ id: string }>();
    await client.post(`/api/v1/user-groups/${id}/members`, { query, body: { userIds: [ben.id] } });
    await client.delete(`/api/v1/user-groups/${id}`, { query });
    const group = await createDeviceGroup(app.server, { tenantId: tenant.id, name: 'Berlin' });
    const scope = { principalKind: 'User', principalId: ben.id, effect: 'Allow', scopeKind: 'DeviceGroup', scopeId: group.id };
    await client.post('/api/v1/permission-assignments', { query, body: { ...scope, permissionName: Permission.DeviceTerminalUse.name } });
  });

  async function open(test: TestContext, address: string, options: WindowOptions = {}): Promise<Window> {
    const window = await app.open(test, { user: administrator, ...options });
    await window.goTo(address);
    return window;
  }
  const line = (page: Page, text: string | RegExp) => page.getByRole('main').getByRole('listitem').getByRole('button', { name: text });

  it('says in a sentence who gave whom which permission, with links and what is deleted', async (test) => {
    const window = await open(test, '/change-log?text=Field%20crew');
    const { page } = window;
    await line(page, /deleted user group Field crew/).waitFor();
    await line(page, /added ben@example.org to user group Field crew/).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByText('(deleted)').waitFor();
    await drawer.getByRole('link', { name: ben.userName }).waitFor();
    await drawer.getByRole('listitem').filter({ hasText: ben.userName }).getByRole('button', { name: 'Show changes' }).click();
    await page.waitForURL((url) => url.searchParams.get('about') === ben.id);
    await line(page, new RegExp(`gave ${ben.userName} the permission .+ at device group Berlin`)).waitFor();
    expect(await window.check.accessibility()).toEqual([]);
  });

  it('finds by a chip what an actor did, and the address brings it back', async (test) => {
    const { page } = await open(test, '/change-log');
    await page.getByRole('button', { name: 'Actor', exact: true }).click();
    await page.getByRole('combobox', { name: 'Actor' }).fill(administrator.userName.slice(0, 5));
    await page.getByRole('option', { name: administrator.userName }).click();
    await page.waitForURL((url) => url.searchParams.get('actor') === administrator.id);
    await page.getByRole('button', { name: 'Permission', exact: true }).click();
    await page.getByRole('combobox', { name: 'Permission' }).fill('remote term');
    await page.getByRole('option', { name: 'Use Remote Terminal' }).click();
    await line(page, /gave ben@example.org the permission “Use Remote Terminal”/).waitFor();
    await page.getByRole('button', { name: 'Remove Permission: Use Remote Terminal' }).click();
    await page.getByLabel('Type').selectOption('UserGroup');
    await page.waitForURL((url) => url.searchParams.get('target') === 'UserGroup');
    await line(page, /created user group Field crew/).waitFor();
    await page.reload();
    await page.getByText(`Actor: ${administrator.userName}`).waitFor();
    await line(page, /created user group Field crew/).waitFor();
    expect(await line(page, /gave/).count()).toBe(0);
    await page.getByRole('searchbox', { name: 'Search the change log' }).fill('nothing has this name');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await line(page, /gave/).first().waitFor();
    await clickAtOnce(page, [page.getByLabel('Action', { exact: true }), 'user-group-created'], [page.getByLabel('Type'), 'UserGroup']);
    await expect
      .poll(() => [...new URL(page.url()).searchParams])
      .toEqual([
        ['action', 'user-group-created'],
        ['target', 'UserGroup'],
      ]);
  });

  it('has one line for an invitation with its permissions, which opens', async (test) => {
    const window = await open(test, '/users');
    const { page } = window;
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail address').fill('carla@example.org');
    await dialog.getByRole('checkbox', { name: 'Agent Installer' }).check();
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByRole('group', { name: 'Invitation link' }).waitFor();
    await window.goTo('/change-log?text=carla');
    const invited = line(page, /invited carla@example.org/).first();
    await invited.filter({ hasText: /\d+ changes/ }).waitFor();
    expect(await page.getByRole('main').getByRole('listitem').count()).toBe(1);
    await invited.click();
    expect(await invited.getAttribute('aria-expanded')).toBe('true');
    await line(page, /created user carla@example.org/).waitFor();
    await line(page, /gave carla@example.org the permission/)
      .first()
      .waitFor();
    expect(await window.check.accessibility()).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('shows on the page of a user what was done to them, on a phone: %s', async (colorScheme) => {
    const window = await app.openForAll({ user: administrator, viewport: PHONE, colorScheme });
    try {
      const { page } = window;
      await window.goTo(`/users/${ben.id}/activity`);
      await line(page, /gave ben@example.org the permission/).waitFor();
      await line(page, /added ben@example.org to user group Field crew/).waitFor();
      // What was done to others is not there.
      expect(await line(page, /created user group Field crew/).count()).toBe(0);
      expect(await window.check.excessWidth()).toBeNull();
      expect(await window.check.accessibility()).toEqual([]);
    } finally {
      await window.page.context().close();
    }
    window.expectNoOffences();
  });

  it('shows no id while names are read, on a phone', async (test) => {
    const window = await app.open(test, { user: administrator, viewport: PHONE });
    const { page } = window;
    const shown: string[] = [];
    await page.exposeFunction('note', (text: string) => shown.push(text));
    await page.addInitScript(`
      const seen = new Set();
      new MutationObserver(() => {
        for (const each of document.querySelectorAll('main li button')) {
          if (!seen.has(each.innerText)) { seen.add(each.innerText); window.note(each.innerText); }
        }
      }).observe(document, { childList: true, subtree: true, characterData: true });`);
    await window.goTo('/change-log');
    await line(page, /gave/).first().waitFor();
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.filter((text) => /(?:^|[^-\w])[0-9a-f]{8}(?:[^-\w]|$)|[a-z]+\.[a-z-]+\.[a-z]+ (?:at|on)/.test(text))).toEqual([]);
    expect(await window.check.excessWidth()).toBeNull();
  });

  it('is accessible in a wide window, light and dark', async (test) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const window = await open(test, '/change-log', { viewport: { width: 1440, height: 900 }, colorScheme });
      await line(window.page, /gave/).first().waitFor();
      expect(await window.check.accessibility()).toEqual([]);
    }
  });

  it('exports everything that is found, as a table or as JSON lines of any length', async (test) => {
    const actor = newGuid();
    // More than the service writes or answers at once.
    const count = 1_210;
    await app.server.dataSource.query(
      `INSERT INTO authorization_change_logs (id, action_type, actor_principal_type, actor_principal_id, target_type, target_id, owning_tenant_id)
       SELECT gen_random_uuid(), 'tag-deleted', 'User', $1, 'Tag', gen_random_uuid(), $2 FROM generate_series(1, ${count})`,
      [actor, tenant.id],
    );
    const { page } = await open(test, `/change-log?actor=${actor}`);
    const linesOf = async (link: string): Promise<{ readonly name: string; readonly lines: readonly string[] }> => {
      const begun = page.waitForEvent('download');
      await page.getByRole('main').getByRole('link', { name: link }).click();
      const download = await begun;
      const chunks: Buffer[] = [];
      for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
      return { name: download.suggestedFilename(), lines: Buffer.concat(chunks).toString('utf8').trim().split(/\r?\n/) };
    };
    const table = await linesOf('Export as CSV');
    expect(table.name).toMatch(/^change-log-[-\d]+\.csv$/);
    expect(table.lines.length).toBe(count + 1);
    expect(table.lines[0]).toContain('actionType');
    const json = await linesOf('Export as JSON lines');
    expect(json.name).toMatch(/\.jsonl$/);
    expect(json.lines.length).toBe(count);
    expect(JSON.parse(json.lines[0])).toMatchObject({ actionType: 'tag-deleted', actorPrincipalId: actor });

    // The filters of the address are those of the file.
    await page.goto('/change-log?text=Field%20crew');
    await line(page, /deleted user group Field crew/).waitFor();
    const found = await linesOf('Export as CSV');
    expect(found.lines.length).toBe(4);
    expect(found.lines[1]).toContain('user-group-deleted');
  });

  it('exports the log of the server as well', async (test) => {
    const { page } = await open(test, '/server/change-log');
    const link = page.getByRole('main').getByRole('link', { name: 'Export as CSV' });
    const begun = page.waitForEvent('download');
    await link.click();
    expect((await begun).suggestedFilename()).toMatch(/\.csv$/);
    expect(await link.getAttribute('href')).toMatch(/^\/account\/change-log\/server\/export\?/);
  });
});
