import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it, type TestContext } from 'vitest';

import type { HeldPermission } from '../../web/components/shown.js';
import { hasChromium, WITHOUT_CHROMIUM } from '../browser/support/chromium.js';
import { componentPages, focused, soon, untilVisible } from './component-pages.js';

const WRITE = 'tenant.permissions.write';
const DENY = 'tenant.permissions.deny';

const suite = hasChromium ? describe : describe.skip;

suite(`the matrix of permissions${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const pages = componentPages();

  beforeEach(() => pages.answer('/api/v1/permission-assignments/presets', { items: [] }));

  /** Opens the matrix for a user who has these permissions. */
  const open = async (context: TestContext, may: readonly string[], held: readonly HeldPermission[] = []): Promise<Page> => {
    pages.answer('/account/session', {
      user: { id: 'caller' },
      tenant: { id: 'tenant', name: 'Northwind' },
      serverPermissions: [],
      tenantPermissions: may,
      devicePermissions: [],
    });
    const page = await pages.open(context, { name: 'matrix', held });
    if (held.length > 0) await page.getByRole('button', { name: 'Granted or denied' }).click();
    return page;
  };
  const cell = (page: Page, permission: string) => page.getByRole('button', { name: `${permission}, Northwind: ` });
  const stateOf = async (page: Page, permission: string): Promise<string> =>
    (await cell(page, permission).getAttribute('title'))?.replace(`${permission}, Northwind: `, '') ?? '';
  const press = async (page: Page, ...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const unsaved = (page: Page): Promise<string[]> => page.getByRole('status').filter({ hasText: 'unsaved' }).allInnerTexts();

  it('shows only what is granted or denied at first, a search looks at all, and what is changed stays', async (context) => {
    const page = await open(context, [WRITE, DENY], [{ permission: 'device.read', effect: 'Allow' }]);
    await cell(page, 'Delete Device').click();
    await page.getByRole('button', { name: 'Granted or denied: 2' }).click();
    await cell(page, 'Manage Tenant Users').waitFor({ state: 'detached' });
    expect(await cell(page, 'Delete Device').count()).toBe(1);
    await page.getByRole('searchbox').fill('users');
    await cell(page, 'Manage Tenant Users').waitFor();
    await page.getByRole('searchbox').fill('');
    await cell(page, 'Manage Tenant Users').waitFor({ state: 'detached' });
  });

  it('takes a cell from unassigned to Allow, to Deny and back', async (context) => {
    const page = await open(context, [WRITE, DENY]);
    expect(await stateOf(page, 'Read Device')).toBe('Not assigned');
    for (const state of ['Allow, not saved yet', 'Deny, not saved yet', 'Not assigned']) {
      await cell(page, 'Read Device').click();
      await soon(() => stateOf(page, 'Read Device')).toBe(state);
    }
    expect(await unsaved(page)).toEqual([]);
  });

  it('leaves out Deny for those who may not deny, and leaves a Deny alone', async (context) => {
    const page = await open(context, [WRITE], [{ permission: 'device.delete', effect: 'Deny' }]);
    for (const state of ['Allow, not saved yet', 'Not assigned']) {
      await cell(page, 'Read Device').press('Space');
      await soon(() => stateOf(page, 'Read Device')).toBe(state);
    }
    await press(page, 'd');
    expect(await page.getByRole('toolbar').getByRole('button', { name: 'Deny' }).count()).toBe(0);
    await cell(page, 'Delete Device').press('Space');
    expect(await cell(page, 'Delete Device').getAttribute('aria-disabled')).toBe('true');
    expect(await stateOf(page, 'Delete Device')).toBe('Deny');
    expect(await stateOf(page, 'Read Device')).toBe('Not assigned');
  });

  it('changes nothing for those who may only read', async (context) => {
    const page = await open(context, [], [{ permission: 'device.read', effect: 'Allow' }]);
    // Playwright waits until what it clicks takes clicks. This never does.
    await cell(page, 'Read Device').click({ force: true });
    await press(page, 'Space', 'd', 'Delete', 'e');
    expect(await stateOf(page, 'Read Device')).toBe('Allow');
    expect(await unsaved(page)).toEqual([]);
    expect(await page.getByRole('toolbar').count()).toBe(0);
  });

  it('shows what a group brings beside what the user holds, and changes only the latter', async (context) => {
    const page = await open(
      context,
      [WRITE, DENY],
      [
        { permission: 'device.read', effect: 'Allow', group: 'Helpdesk' },
        { permission: 'device.delete', effect: 'Deny', group: 'Interns' },
        { permission: 'device.delete', effect: 'Allow' },
      ],
    );
    expect(await stateOf(page, 'Read Device')).toBe('Allow through Helpdesk');
    expect(await stateOf(page, 'Delete Device')).toBe('Allow, Deny through Interns');
    await cell(page, 'Read Device').press('d');
    await soon(() => stateOf(page, 'Read Device')).toBe('Deny, Allow through Helpdesk, not saved yet');
    await press(page, 'Delete');
    await soon(() => stateOf(page, 'Read Device')).toBe('Allow through Helpdesk');
  });

  it('is changed by keys: A, D, E and Delete', async (context) => {
    const page = await open(context, [WRITE, DENY], [{ permission: 'device.read', effect: 'Allow', isEnabled: false }]);
    expect(await stateOf(page, 'Read Device')).toBe('Allow, disabled');
    await cell(page, 'Read Device').focus();
    for (const [key, state] of [
      ['e', 'Allow, not saved yet'],
      ['e', 'Allow, disabled'],
      ['d', 'Deny, not saved yet'],
      ['e', 'Deny, disabled, not saved yet'],
      ['a', 'Allow, not saved yet'],
      ['Delete', 'Not assigned, not saved yet'],
    ] as const) {
      await press(page, key);
      await soon(() => stateOf(page, 'Read Device')).toBe(state);
    }
    await page.getByRole('button', { name: 'Discard' }).click();
    await soon(() => stateOf(page, 'Read Device')).toBe('Allow, disabled');
  });

  it('is one stop of the Tab key, and the arrow keys lead from cell to cell', async (context) => {
    const page = await open(context, [WRITE, DENY]);
    await cell(page, 'Read Device').focus();
    for (const [key, name] of [
      ['ArrowDown', 'Delete Device'],
      ['ArrowDown', 'All of Users'],
      ['ArrowDown', 'Manage Tenant Users'],
      ['ArrowDown', 'Manage Tenant Users'],
      ['ArrowUp', 'All of Users'],
    ] as const) {
      await press(page, key);
      await soon(() => focused(page)).toContain(name);
    }
    await press(page, 'Tab');
    expect(await page.evaluate(`document.activeElement.closest('table') === null`)).toBe(true);
    await press(page, 'Shift+Tab');
    await soon(() => focused(page)).toContain('All of Users');
  });

  it.for(['ltr', 'rtl'])('has arrow keys that lead to the cell at their side, from %s', async (direction, context) => {
    const page = await open(context, [WRITE, DENY], [{ permission: 'device.read', effect: 'Allow', customer: 'Acme Dental' }]);
    await page.evaluate(`document.documentElement.dir = '${direction}'`);
    const left = async (customer: string): Promise<number> =>
      (await page.getByRole('button', { name: `Read Device, ${customer}: ` }).boundingBox())?.x ?? NaN;
    await cell(page, 'Read Device').focus();
    const isAtRight = (await left('Acme Dental')) > (await left('Northwind'));
    expect(isAtRight).toBe(direction === 'ltr');
    const [forth, back] = isAtRight ? ['ArrowRight', 'ArrowLeft'] : ['ArrowLeft', 'ArrowRight'];
    for (const [key, customer] of [
      [forth, 'Acme Dental'],
      [back, 'Northwind'],
      ['End', 'Acme Dental'],
      ['Home', 'Northwind'],
    ]) {
      await press(page, key);
      await soon(() => focused(page)).toContain(`Read Device, ${customer}: `);
    }
  });

  it('sets all cells that Shift and the arrow keys have selected, and all of a category', async (context) => {
    const page = await open(context, [WRITE, DENY]);
    await cell(page, 'Read Device').focus();
    await press(page, 'Shift+ArrowDown');
    await untilVisible(page.getByText('2 cells'));
    await press(page, 'a');
    await soon(() => stateOf(page, 'Read Device')).toBe('Allow, not saved yet');
    expect(await stateOf(page, 'Delete Device')).toBe('Allow, not saved yet');
    expect(await stateOf(page, 'Manage Tenant Users')).toBe('Not assigned');
    expect(await unsaved(page)).toEqual([expect.stringContaining('2 unsaved changes')]);
    const category = page.getByRole('button', { name: 'All of Devices, Northwind' });
    expect(await category.getAttribute('title')).toContain('2 of 2 allowed');
    await category.click();
    await soon(() => category.getAttribute('title')).toContain('2 denied');
    expect(await stateOf(page, 'Delete Device')).toBe('Deny, not saved yet');
  });
});
