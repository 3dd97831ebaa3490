import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Permission } from '../../src/access/authorization/permissions/permission.js';
import type { User } from '../../src/people/users/user.entity.js';
import { NodeStateName, type ServerNodesResponseDto } from '../../src/system/server/server-nodes.dto.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { at, createTenant, createUser, grant, holder } from '../support/fixtures/factories.js';
import { MailServer } from '../support/stand-ins/mail-server.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { AT_ITS_PORT, frontEnd } from './support/front-end.js';
import { storeScreenshot } from './support/screenshots.js';

/*
 * The health of the server: its examination, and the faults with their remedies.
 */

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const mailServer = await MailServer.start();
const suite = hasChromium ? describe : describe.skip;
const without = hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`;
const PATH = '**/account/server-health';

afterAll(() => mailServer.stop());

suite(`the health of a server${without}`, () => {
  const app = frontEnd(built, {
    ...AT_ITS_PORT,
    ...mailServer.env,
    Service_AppOptions__PublicUrl: '',
    Service_AppOptions__EnableNetworkTrust: 'true',
    Service_AppOptions__SmtpEmail: '',
    Service_AgentBundle__BuildAtStart: 'false',
  });
  let administrator: User;

  beforeAll(async () => {
    administrator = await app.administrator();
  });

  it('is examined on demand, and each fault says why it matters and what to do', async (test) => {
    const window = await app.open(test, { user: administrator, viewport: { width: 1280, height: 900 } });
    const { page } = window;
    await window.goTo('/server/settings');
    await page.getByRole('link', { name: 'Check health' }).click();
    await page.getByRole('heading', { level: 1, name: 'Health' }).waitFor();
    await page.getByText('Not checked since the server started').waitFor();
    expect(await window.check.accessibility({})).toEqual([]);

    let go: (() => void) | undefined;
    const isHeld = new Promise<void>((resolve) => {
      go = resolve;
    });
    await page.route(PATH, async (route) => {
      await isHeld;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Start the checks' }).click();
    await page.getByText('Checking… This can take a minute.').waitFor();
    go?.();
    const configuration = page.getByRole('region', { name: 'Configuration', exact: true });
    await configuration.getByText('AppOptions:EnableNetworkTrust is on.').waitFor();
    await configuration.getByText('Every client can name any address as its own').waitFor();
    await configuration.getByText('Turn AppOptions:EnableNetworkTrust off').waitFor();
    await configuration.getByText('Described in docs/operations.md#doctor-network-trusted').waitFor();
    const mail = page.getByRole('region', { name: 'Mail server', exact: true });
    await mail.getByText('Failure', { exact: true }).waitFor();
    await mail.getByText('These options of mail are missing: AppOptions:SmtpEmail.').waitFor();
    await page
      .getByText(/\d failures?/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Check again' }).waitFor();
    expect(await page.getByText('Checking…').count()).toBe(0);
    expect(await window.check.accessibility({})).toEqual([]);

    await page.unrouteAll();
    await window.goTo('/devices');
    await window.goTo('/server/health');
    await configuration.getByText('AppOptions:EnableNetworkTrust is on.').waitFor();
  });

  it('is for those who may manage the settings of the server', async (test) => {
    const tenant = await createTenant(app.server);
    const user = await createUser(app.server, { tenantId: tenant.id });
    await grant(app.server, { principal: holder.user(user), permission: Permission.TenantSettingsWrite, scope: at.tenant(tenant) });
    const window = await app.open(test, { user, allowedRefusals: [/^403 GET \/account\/server-health/] });
    await window.goTo('/server/health');
    await window.page.getByText('You need the permission “Manage Server Settings”').waitFor();
  });

  it('can be loaded and examined again when that fails', async (test) => {
    const window = await app.open(test, { user: administrator, allowedRefusals: [/^500 (GET|POST) \/account\/server-health/] });
    const { page } = window;
    await page.route(PATH, (route) => route.fulfill({ status: 500, body: '' }));
    await window.goTo('/server/health');
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    const button = page.getByRole('button', { name: /Start the checks|Check again/ });
    await button.waitFor();
    await page.route(PATH, (route) => (route.request().method() === 'POST' ? route.fulfill({ status: 500, body: '' }) : route.continue()));
    await button.click();
    await page.locator('[aria-live="assertive"], [aria-live="polite"]').getByText(/\S/).first().waitFor();
    await page.unrouteAll();
    await button.click();
    await page.getByRole('region', { name: 'Configuration', exact: true }).waitFor();
  });

  it('lists the one process of the service', async (test) => {
    const window = await app.open(test, { user: administrator });
    await window.goTo('/server/health');
    const nodes = window.page.getByRole('region', { name: 'Nodes of this server' });
    await nodes.getByText('answers this page').waitFor();
    expect(await nodes.getByRole('listitem').count()).toBe(1);
    expect(await nodes.getByText('NATS').count()).toBe(0);
  });

  it.each([
    ['light', { width: 1280, height: 900 }],
    ['dark', { width: 390, height: 844 }],
  ] as const)('shows several nodes and NATS in a %s window of %j', async (colorScheme, viewport) => {
    const window = await app.openForAll({ user: administrator, viewport, colorScheme });
    const { page } = window;
    await page.route('**/account/server-nodes', (route) => route.fulfill({ json: severalNodes(new Date()) }));
    await window.goTo('/server/health');
    const nodes = page.getByRole('region', { name: 'Nodes of this server' });
    await nodes.getByText('NATS', { exact: true }).waitFor();
    expect(await nodes.getByRole('listitem').count()).toBe(3);
    for (const text of [
      'Running',
      'Stopping',
      'Not reporting',
      '3,412',
      'Not yet',
      '10.0.0.12:8091',
      'nats-1.example.org:4222',
      '0.6 ms',
    ]) {
      await nodes.getByText(text, { exact: true }).first().waitFor();
    }
    await window.untilStill();
    expect(await window.check.accessibility({})).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await storeScreenshot(page, `server-health-nodes-${viewport.width}-${colorScheme}`, { fullPage: true });
    await page.context().close();
    window.expectNoOffences();
  });

  it.each([
    ['light', { width: 1280, height: 900 }],
    ['dark', { width: 1280, height: 900 }],
    ['light', { width: 390, height: 844 }],
    ['dark', { width: 390, height: 844 }],
  ] as const)('has room in a %s window of %j', async (colorScheme, viewport) => {
    const window = await app.openForAll({ user: administrator, viewport, colorScheme });
    const { page } = window;
    await window.goTo('/server/health');
    await page.getByRole('button', { name: /Start the checks|Check again/ }).click();
    await page.getByRole('region', { name: 'Configuration', exact: true }).waitFor();
    await window.untilStill();
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await storeScreenshot(page, `server-health-checked-${viewport.width}-${colorScheme}`, { fullPage: true });
    await page.context().close();
    window.expectNoOffences();
  });
});

/** Three nodes as a node of an installation with NATS answers. The test of nodes reads a real answer. */
function severalNodes(now: Date): ServerNodesResponseDto {
  const startedAt = new Date(now.getTime() - 86_400_000);
  const node = {
    isThis: false,
    release: '1.4.0',
    state: NodeStateName.Running,
    connections: 3412,
    startedAt,
    reportedAt: now,
    heardAt: now,
  };
  return {
    nodes: [
      { ...node, id: 'q3Zp0aVY1c7x', isThis: true, address: '10.0.0.11:8091' },
      { ...node, id: 'Lx8vT2mB9dQe', address: '10.0.0.12:8091', state: NodeStateName.Draining, connections: 17 },
      { ...node, id: 'aa1nR5yW0kUz', address: null, state: NodeStateName.Overdue, heardAt: null },
    ],
    nats: {
      server: 'nats-1.example.org:4222',
      release: '2.14.0',
      cluster: 'devices',
      addresses: ['nats-1.example.org:4222', 'nats-2.example.org:4222', 'nats-3.example.org:4222'],
      roundTripMs: 0.62,
    },
  };
}
