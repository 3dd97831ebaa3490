import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';

import { Permission } from '../../src/access/authorization/permissions/permission.js';
import type { ServerBackupsResponseDto } from '../../src/system/backups/running/server-backups.dto.js';
import { NodeStateName, type ServerNodesResponseDto } from '../../src/system/server/server-nodes.dto.js';
import type { User } from '../../src/people/users/user.entity.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { at, createTenant, createUser, grant, holder } from '../support/fixtures/factories.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { AT_ITS_PORT, frontEnd } from './support/front-end.js';
import { storeScreenshot } from './support/screenshots.js';

/*
 * The backups that the server makes: made and verified from the page, and its states.
 */

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;
const without = hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`;
const OPTIONS = { ...AT_ITS_PORT, Service_AgentBundle__BuildAtStart: 'false' };

/** Three nodes, one of which is about to stop and one that does not report. */
const NODES = [NodeStateName.Running, NodeStateName.Draining, NodeStateName.Overdue].map(
  (state, index): ServerNodesResponseDto['nodes'][number] => ({
    id: `node-${index}`,
    isThis: index === 0,
    address: `10.0.0.${11 + index}:8091`,
    release: '1.4.0',
    state,
    connections: 100,
    startedAt: new Date('2026-11-27T02:30:05Z'),
    reportedAt: new Date('2026-11-28T02:30:05Z'),
    heardAt: null,
  }),
);

const backUp = (page: Page) => page.getByRole('button', { name: 'Back up now' });

suite(`the backups of a server${without}`, () => {
  const app = frontEnd(built, OPTIONS);
  let administrator: User;

  beforeAll(async () => {
    administrator = await app.administrator();
  });

  it('are made and verified, and say how to restore them', async (test) => {
    const window = await app.open(test, { user: administrator, viewport: { width: 1280, height: 900 } });
    const { page } = window;
    await window.goTo('/devices');
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Backups' }).click();
    await page.getByRole('heading', { level: 1, name: 'Backups' }).waitFor();
    await page.getByText('No backups yet').waitFor();
    await backUp(page).click();
    await page.getByText('Backup started').waitFor();
    const files = page.getByRole('table', { name: 'Backups' });
    const row = files.getByRole('row').filter({ hasText: 'On request' });
    await row.getByText('Not verified').waitFor();
    await page.getByText('A backup is running.').waitFor({ state: 'detached' });
    await row.getByRole('button', { name: /^Verify manual-/ }).click();
    await row.getByText('Verified', { exact: true }).waitFor();
    const folder = join(app.server.dataPath, 'backups');
    const name = (await row.getByText(/^manual-.*\.backup$/).innerText()).trim();
    await page.getByText(`npm run restore -- --verify ${join(folder, name)}`).waitFor();
    await page.getByText(`npm run restore -- ${join(folder, name)}`, { exact: true }).waitFor();
    await page
      .getByRole('region', { name: 'Schedule' })
      .getByText(/^Completed/)
      .waitFor();

    const content = await readFile(join(folder, name));
    content[Math.floor(content.length / 2)] ^= 0x10;
    await writeFile(join(folder, name), content);
    await row.getByRole('button', { name: /^Verify manual-/ }).click();
    await row.getByText('Damaged', { exact: true }).waitFor();
    await row.getByText(/is (cut off or )?damaged|differs from/).waitFor();
    await window.untilStill();
    expect(await window.check.accessibility({})).toEqual([]);
    await rm(folder, { recursive: true });
  });

  it('that fail say why, here and in the settings', async (test) => {
    const folder = join(app.server.dataPath, 'backups');
    await writeFile(folder, 'no folder');
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    await window.goTo('/server/backups');
    await backUp(page).click();
    await page.getByRole('alert').getByText('The last backup failed.').waitFor();
    await page
      .getByRole('region', { name: 'History' })
      .getByText(/cannot be written to/)
      .first()
      .waitFor();
    await window.goTo('/server/settings');
    const settings = page.getByRole('region', { name: 'Backups', exact: true });
    await settings.getByText('Needs attention').waitFor();
    await settings.getByText(/cannot be written to/).waitFor();
    await settings.getByRole('link', { name: 'View backups' }).click();
    await rm(folder);
    await backUp(page).click();
    await page
      .getByRole('region', { name: 'Schedule' })
      .getByText(/^Completed/)
      .waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('that are under way cannot be started twice', async (test) => {
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    await page.route('**/account/server-backups', async (route) => {
      const json = (await (await route.fetch()).json()) as object;
      await route.fulfill({ json: { ...json, running: { task: 'Backup', file: null, startedAt: new Date().toISOString() } } });
    });
    await page.goto(`${app.origin}/server/backups`);
    await page.getByText('A backup is running. The server works as usual.').waitFor();
    expect(await backUp(page).getAttribute('aria-busy')).toBe('true');
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('are for those who may change the settings, and can be loaded again when that fails', async (test) => {
    const tenant = await createTenant(app.server);
    const user = await createUser(app.server, { tenantId: tenant.id });
    await grant(app.server, { principal: holder.user(user), permission: Permission.TenantSettingsWrite, scope: at.tenant(tenant) });
    const window = await app.open(test, { user, allowedRefusals: [/^403 GET \/account\/server-backups/] });
    await window.goTo('/server/backups');
    await window.page.getByText('You need the permission “Manage Server Settings”').waitFor();
    expect(await backUp(window.page).count()).toBe(0);
    expect(await window.page.getByRole('link', { name: 'Backups' }).count()).toBe(0);

    const other = await app.open(test, { user: administrator, allowedRefusals: [/^500 GET \/account\/server-backups/] });
    await other.page.route('**/account/server-backups', (route) => route.fulfill({ status: 500, body: '' }));
    await other.goTo('/server/backups');
    await other.page.getByRole('button', { name: 'Try again' }).waitFor();
    await other.page.unrouteAll();
    await other.page.getByRole('button', { name: 'Try again' }).click();
    await other.page.getByRole('region', { name: 'Schedule' }).waitFor();
  });

  it.each([
    ['light', { width: 1280, height: 900 }],
    ['dark', { width: 1280, height: 900 }],
    ['light', { width: 390, height: 844 }],
  ] as const)('have room in a %s window of %j', async (colorScheme, viewport) => {
    const folder = join(app.server.dataPath, 'backups');
    const window = await app.openForAll({ user: administrator, viewport, colorScheme });
    const { page } = window;
    await rm(folder, { recursive: true, force: true });
    await window.goTo('/server/backups');
    await page.getByText('No backups yet').waitFor();
    await backUp(page).click();
    // A phone shows the files as a list.
    await page.getByRole('region', { name: 'Backups', exact: true }).getByText('On request').waitFor();
    await page.getByText('A backup is running.').waitFor({ state: 'detached' });
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.context().close();
    window.expectNoOffences();
  });
});

suite(`the backups of a server of several nodes${without}`, () => {
  const app = frontEnd(built, OPTIONS);
  let administrator: User;

  beforeAll(async () => {
    administrator = await app.administrator();
  });

  const choice = (page: Page) => page.getByRole('combobox', { name: 'Node' });
  const folder = (page: Page, text: string) => page.getByRole('region', { name: 'Schedule' }).getByText(text, { exact: true });

  /** Lets three nodes answer in turn where a request names none. Notes the node of each request. The second node can make a backup. */
  async function answerAsNodes(page: Page): Promise<{ readonly asked: string[]; isBackingUp: boolean }> {
    const asked: string[] = [];
    const nodes = { asked, isBackingUp: false };
    const addresses = NODES.flatMap(({ address }) => address ?? []);
    await page.route('**/account/server-nodes', (route) => route.fulfill({ json: { nodes: NODES, nats: null } }));
    await page.route('**/account/server-backups**', async (route) => {
      const request = route.request();
      const named = new URL(request.url()).searchParams.get('node');
      asked.push(`${request.method()} ${named}`);
      const node = named ?? addresses[asked.length % addresses.length];
      if (!addresses.includes(node)) return route.fulfill({ status: 404, json: { status: 404, detail: 'The node was not found.' } });
      const answer = (await (await route.fetch({ method: 'GET' })).json()) as ServerBackupsResponseDto;
      const run = { kind: 'Manual', startedAt: new Date(), finishedAt: null, outcome: 'Running', file: null, failure: null };
      const running = nodes.isBackingUp && node === addresses[1] ? { task: 'Backup', file: null, startedAt: new Date() } : null;
      await route.fulfill({
        json: { ...answer, node, folder: `/backups of ${node}`, nextAt: null, running, runs: nodes.isBackingUp ? [run] : [] },
      });
    });
    return nodes;
  }

  it('are those of the node that answered first, and of those that are chosen', async (test) => {
    const window = await app.open(test, { user: administrator, allowedRefusals: [/^404 GET \/account\/server-backups/] });
    const { page } = window;
    const nodes = await answerAsNodes(page);
    await window.goTo('/server/backups');
    await page.waitForURL(/\?node=10\./);
    const first = new URL(page.url()).searchParams.get('node') ?? '';
    await folder(page, `/backups of ${first}`).waitFor();
    for (const _ of [1, 2, 3]) {
      await page.reload();
      await folder(page, `/backups of ${first}`).waitFor();
    }
    expect(nodes.asked.filter((each) => each === 'GET null')).toHaveLength(1);

    nodes.isBackingUp = true;
    await choice(page).selectOption('10.0.0.13:8091');
    await folder(page, '/backups of 10.0.0.13:8091').waitFor();
    await page.getByText('Another node is making a backup. The server works as usual.').waitFor();
    expect(await backUp(page).getAttribute('aria-busy')).toBe('true');
    await choice(page).selectOption('10.0.0.12:8091 (stopping)');
    await page.getByText('A backup is running. The server works as usual.').waitFor();
    expect(new URL(page.url()).searchParams.get('node')).toBe('10.0.0.12:8091');

    nodes.isBackingUp = false;
    await window.goTo('/server/backups?node=10.0.0.99:8091');
    await page.getByText('Node not found').waitFor();
    await choice(page).selectOption('10.0.0.11:8091');
    await folder(page, '/backups of 10.0.0.11:8091').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('are made and verified at the chosen node', async (test) => {
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    const { asked } = await answerAsNodes(page);
    const name = 'manual-20261127T023005Z.backup';
    await page.route('**/account/server-backups?**', async (route) => {
      const file = { name, path: `/b/${name}`, kind: 'Manual', startedAt: new Date(), size: 1, isEncrypted: false, check: 'NotVerified' };
      const answer = { node: '10.0.0.13:8091', folder: '/b', folderFault: null, nextAt: null, keep: 14, isEncrypted: false, running: null };
      asked.push(`${route.request().method()} ${new URL(route.request().url()).searchParams.get('node')}`);
      await route.fulfill({ json: { ...answer, runs: [], files: [{ ...file, verifiedAt: null, fault: null }] } });
    });
    await window.goTo('/server/backups?node=10.0.0.13:8091');
    await backUp(page).click();
    await page.getByText('Backup started').waitFor();
    await page.getByRole('button', { name: `Verify ${name}` }).click();
    await expect.poll(() => asked.filter((each) => each === 'POST 10.0.0.13:8091').length).toBe(2);
    await page.unrouteAll({ behavior: 'wait' });
  });

  it.each([
    ['light', { width: 1280, height: 900 }],
    ['dark', { width: 1280, height: 900 }],
    ['light', { width: 390, height: 844 }],
  ] as const)('have room in a %s window of %j', async (colorScheme, viewport) => {
    const window = await app.openForAll({ user: administrator, viewport, colorScheme });
    const { page } = window;
    const nodes = await answerAsNodes(page);
    await window.goTo('/server/backups?node=10.0.0.12:8091');
    nodes.isBackingUp = true;
    await choice(page).selectOption('10.0.0.11:8091');
    await page.getByText('Another node is making a backup.').waitFor();
    expect(await choice(page).locator('option').allInnerTexts()).toEqual([
      '10.0.0.11:8091',
      '10.0.0.12:8091 (stopping)',
      '10.0.0.13:8091 (not reporting)',
    ]);
    expect(await window.check.accessibility({})).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await storeScreenshot(page, `server-backups-nodes-${viewport.width}-${colorScheme}`, { fullPage: true });
    await page.unrouteAll({ behavior: 'wait' });
    await page.context().close();
    window.expectNoOffences();
  });
});

suite(`the backups of a server with nightly ones off${without}`, () => {
  const app = frontEnd(built, { ...OPTIONS, Service_Backup__At: '' });

  it('say how to turn them on', async (test) => {
    const window = await app.open(test, { user: await app.administrator() });
    await window.goTo('/server/backups');
    await window.page.getByText('Nightly backups are off. To turn them on, set Service_Backup__At').waitFor();
    await backUp(window.page).waitFor();
  });
});
