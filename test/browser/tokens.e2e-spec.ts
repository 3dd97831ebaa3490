import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, it, type TestContext } from 'vitest';

import { Permission } from '../../src/access/authorization/permissions/permission.js';
import type { DeviceGroup } from '../../src/devices/device-groups/device-group.entity.js';
import type { User } from '../../src/people/users/user.entity.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { createPerson } from '../support/callers/browser.js';
import { at, createDeviceGroup, grantAll, holder } from '../support/fixtures/factories.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { frontEnd, type Window } from './support/front-end.js';

/*
 * How a user makes a token: its permissions are chosen in the matrix, among those that the user holds.
 */

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;
/** The tenant has no name of its own. */
const TENANT = 'Tenant';
const PHONE = { width: 390, height: 844 };

suite(`a token made in the front end${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built);
  let maker: User;
  let group: DeviceGroup;

  beforeAll(async () => {
    const { tenantId } = await app.administrator();
    maker = await createPerson(app.server, { tenantId });
    group = await createDeviceGroup(app.server, { tenantId, name: 'Kiosks' });
    await grantAll(
      app.server,
      holder.user(maker),
      [
        Permission.PersonalAccessTokenSelfRead,
        Permission.PersonalAccessTokenSelfWrite,
        Permission.TenantDeviceGroupsRead,
        Permission.AgentInstall,
        Permission.InstallerKeyRead,
      ],
      at.tenant({ id: tenantId }),
    );
    await grantAll(app.server, holder.user(maker), [Permission.DeviceRead], at.deviceGroup(group));
  });

  const cell = (dialog: Locator, permission: string, scope: string): Locator =>
    dialog.getByRole('button', { name: `${permission}, ${scope}: `, exact: false });

  const open = async (
    test: TestContext,
    viewport = { width: 1280, height: 900 },
  ): Promise<{ window: Window; page: Page; dialog: Locator }> => {
    const window = await app.open(test, { user: maker, viewport });
    const { page } = window;
    await window.goTo('/account/tokens');
    await page.getByRole('button', { name: 'Create token' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Create token' });
    await dialog.getByRole('table', { name: 'Permissions' }).waitFor();
    return { window, page, dialog };
  };
  const scopesOf = (name: string): Promise<unknown> =>
    app.server.dataSource.query(
      `SELECT a.permission_name, a.scope_kind, a.scope_id FROM permission_assignments a
       JOIN personal_access_tokens t ON t.id = a.principal_id WHERE t.user_id = $1 AND t.name = $2 ORDER BY 1`,
      [maker.id, name],
    );

  it.concurrent(
    'offers what its maker holds by display name, adds a preset that shows what it holds, and takes a narrower scope',
    async (test) => {
      const { expect } = test;
      const { window, page, dialog } = await open(test);
      expect(await dialog.getByRole('rowheader', { name: 'Read Device', exact: true }).count()).toBe(1);
      expect(await dialog.getByRole('rowheader', { name: 'Delete Device', exact: true }).count()).toBe(0);
      expect(await dialog.getByText('device.read').count()).toBe(0);
      expect(await cell(dialog, 'Read Device', TENANT).getAttribute('aria-disabled')).toBe('true');
      const create = dialog.getByRole('button', { name: 'Create token' });
      expect(await create.isDisabled()).toBe(true);

      await dialog.getByRole('button', { name: 'Add preset' }).click();
      await page.getByRole('menuitem', { name: 'Agent Installer' }).click();
      const preset = page.getByRole('dialog', { name: 'Preset Agent Installer' });
      await preset.getByText('Adds 2 permissions').waitFor();
      await preset.getByText(`Install Agent at ${TENANT}`).waitFor();
      await preset.getByText("Leaves out 1 that you can't assign").waitFor();
      expect(await window.check.accessibility()).toEqual([]);
      await preset.getByRole('button', { name: 'Select these' }).click();
      await preset.waitFor({ state: 'detached' });
      await dialog.getByText('2 of your 6 permissions selected').waitFor();

      await dialog.getByRole('button', { name: 'Add scope' }).click();
      const picker = page.getByRole('dialog', { name: 'Add scope' });
      // Customers are not offered: the maker may not read their names.
      expect(await picker.getByRole('combobox', { name: 'Type' }).getByRole('option').allInnerTexts()).toEqual(['Device group', 'Device']);
      await picker.getByRole('combobox', { name: 'Type' }).selectOption({ label: 'Device group' });
      await picker.getByRole('combobox', { name: 'Device group' }).fill('Kio');
      await page.getByRole('option', { name: group.name }).click();
      await picker.getByRole('button', { name: 'Add', exact: true }).click();
      await cell(dialog, 'Read Device', group.name).click();
      await dialog.getByRole('button', { name: 'Selected: 3' }).waitFor();
      expect(await window.check.accessibility()).toEqual([]);

      await dialog.getByRole('searchbox').fill('no such permission');
      await dialog.getByRole('searchbox').press('Enter');
      await dialog.getByRole('button', { name: 'Clear' }).first().click();
      await dialog.getByRole('textbox', { name: 'Name' }).fill('Rollout');
      await create.click();
      await page.getByRole('dialog', { name: 'Token created' }).waitFor();
      expect(await scopesOf('Rollout')).toEqual([
        { permission_name: 'agent.install', scope_kind: expect.anything(), scope_id: maker.tenantId },
        { permission_name: 'device.read', scope_kind: expect.anything(), scope_id: group.id },
        { permission_name: 'installer-key.read', scope_kind: expect.anything(), scope_id: maker.tenantId },
      ]);
    },
  );

  it.concurrent('is made on a phone and by keys as well', async (test) => {
    const { expect } = test;
    const { window, page, dialog } = await open(test, PHONE);
    const install = cell(dialog, 'Install Agent', TENANT);
    await install.scrollIntoViewIfNeeded();
    const box = await install.boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(32);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(PHONE.width);
    await install.focus();
    await page.keyboard.press('a');
    await dialog.getByRole('button', { name: 'Selected: 1' }).waitFor();
    expect(await window.check.accessibility()).toEqual([]);
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Phone');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('dialog', { name: 'Token created' }).waitFor();
    expect(await scopesOf('Phone')).toHaveLength(1);
  });

  it.concurrent('says why permissions could not be loaded, and tries again', async (test) => {
    const window = await app.open(test, { user: maker, allowedRefusals: [/^500 GET \/account\/grantable-permissions/] });
    const { page } = window;
    const failing = '**/account/grantable-permissions';
    await page.route(failing, (route) =>
      route.fulfill({ status: 500, contentType: 'application/problem+json', body: JSON.stringify({ status: 500, title: 'Broken.' }) }),
    );
    await window.goTo('/account/tokens');
    await page.getByRole('button', { name: 'Create token' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Create token' });
    const retry = dialog.getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    await page.unroute(failing);
    await retry.click();
    await dialog.getByRole('table', { name: 'Permissions' }).waitFor();
  });
});
