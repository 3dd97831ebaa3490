import { beforeAll, describe, expect, it } from 'vitest';

import { Permission } from '../../src/access/authorization/permissions/permission.js';
import type { Device } from '../../src/devices/devices/device.entity.js';
import type { User } from '../../src/people/users/user.entity.js';
import { newGuid } from '../../src/platform/common/identifiers/guid.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { createPerson } from '../support/callers/browser.js';
import { at, createDevice, createTenant, grant, holder } from '../support/fixtures/factories.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { clickAtOnce } from './support/clicks.js';
import { frontEnd } from './support/front-end.js';

/* Events as people see them: newest first, and as they happen. */

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;

suite(`events in the front end${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built);
  let administrator: User;
  let device: Device;

  /** Writes an event as a transaction of the service does. */
  const write = (
    kind: string,
    data: object,
    more: { readonly deviceId?: string; readonly actor?: string; readonly tenantId?: string } = {},
  ) =>
    app.server.dataSource.query(
      `INSERT INTO events (id, tenant_id, kind, device_id, actor_kind, actor_id, actor_name, data) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        newGuid(),
        more.tenantId ?? administrator.tenantId,
        kind,
        more.deviceId ?? null,
        more.actor === undefined ? null : 'User',
        more.actor === undefined ? null : administrator.id,
        more.actor ?? null,
        JSON.stringify(data),
      ],
    );

  beforeAll(async () => {
    administrator = await app.administrator();
    device = await createDevice(app.server, { tenantId: administrator.tenantId, name: 'PC-0042' });
    const other = await createDevice(app.server, { tenantId: administrator.tenantId, name: 'Front desk' });
    const onDevice = { deviceId: device.id };
    await write('device.registered', { name: 'PC-0042', isNew: true }, onDevice);
    await write('installer-key.used', { name: 'PC-0042' }, onDevice);
    await write('device.online', { name: 'PC-0042' }, onDevice);
    await write('device.key-changed', { name: 'Front desk', state: 'waiting' }, { deviceId: other.id });
    await write('session.begun', { name: 'PC-0042', session: 'Terminal' }, { ...onDevice, actor: 'anna@example.org' });
    await write(
      'session.ended',
      { name: 'PC-0042', session: 'Terminal', outcome: 'Completed' },
      { ...onDevice, actor: 'anna@example.org' },
    );
    const changes = [
      { action: 'created', permission: 'device.read', effect: 'Allow', scopeKind: 'Tenant', scopeId: null, isEnabled: true },
    ];
    const permission = { principalKind: 'User', principalId: administrator.id, principalName: 'ben@example.org', changes, count: 1 };
    await write('permission.changed', permission, { actor: 'anna@example.org' });
    const signIn = { isNewBrowser: true, isNewNetwork: false, client: 'Firefox on Linux', address: '203.0.113.17' };
    await write('user.signed-in', signIn, { actor: 'anna@example.org' });
  });

  it('are sentences, newest first, and new ones come by themselves', async (test) => {
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    await window.goTo('/events');
    const lines = page.getByRole('main').getByRole('listitem');
    await lines
      .filter({ hasText: 'anna@example.org signed in' })
      .filter({ hasText: 'New browser · Firefox on Linux · 203.0.113.17' })
      .first()
      .waitFor();
    await lines.filter({ hasText: 'PC-0042 was registered with an installer key' }).waitFor();
    await lines
      .filter({ hasText: 'anna@example.org changed 1 permission of ben@example.org' })
      .filter({ hasText: 'Read Device' })
      .waitFor();
    await page.getByRole('main').getByText('Live', { exact: true }).waitFor();
    await write('device.offline', { name: 'PC-0042', since: new Date().toISOString() }, { deviceId: device.id });
    await lines.filter({ hasText: 'PC-0042 went offline' }).waitFor();
    expect(await lines.first().innerText()).toContain('PC-0042 went offline');
    expect(await window.check.accessibility()).toEqual([]);
    await lines.filter({ hasText: 'PC-0042 went offline' }).getByRole('link').click();
    await page.waitForURL(`**/devices/${device.id}`);
  });

  it('are narrowed down to a kind and a device, which the address brings back', async (test) => {
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    await window.goTo('/events');
    const lines = page.getByRole('main').getByRole('listitem');
    await page.getByLabel('Type').selectOption('device.key-changed');
    await lines.filter({ hasText: 'The new key of Front desk waits for approval' }).waitFor();
    expect(await lines.count()).toBe(1);
    await page.getByRole('button', { name: 'Device', exact: true }).click();
    await page.getByRole('combobox', { name: 'Device' }).fill('PC-0042');
    await page.getByRole('option', { name: 'PC-0042' }).click();
    await page.getByRole('button', { name: 'Clear filters' }).waitFor();
    await page.getByLabel('Type').selectOption('session.begun');
    await lines.filter({ hasText: 'anna@example.org opened a terminal on PC-0042' }).waitFor();
    await page.reload();
    await page.getByText('Device: PC-0042').waitFor();
    await lines.filter({ hasText: 'opened a terminal' }).waitFor();
    await page.getByRole('main').getByText('Live', { exact: true }).waitFor();
    // Events of other kinds stay out.
    await write('device.online', { name: 'PC-0042' }, { deviceId: device.id });
    await write('session.begun', { name: 'PC-0042', session: 'Vnc' }, { deviceId: device.id, actor: 'ben@example.org' });
    await lines.filter({ hasText: 'ben@example.org opened a VNC session on PC-0042' }).waitFor();
    expect(await lines.count()).toBe(2);
    await clickAtOnce(page, page.getByRole('button', { name: 'Remove Device: PC-0042' }), [page.getByLabel('Type'), 'device.online']);
    await expect.poll(() => new URL(page.url()).search).toBe('?kind=device.online');
  });

  it('of a tenant in which nothing has happened say so, and those without the right see whom to ask', async (test) => {
    const tenant = await createTenant(app.server);
    const reader = await createPerson(app.server, { tenantId: tenant.id });
    await grant(app.server, { principal: holder.user(reader), permission: Permission.TenantEventsRead, scope: at.tenant(tenant) });
    const window = await app.open(test, { user: reader });
    await window.goTo('/events');
    await window.page.getByText('No events yet').waitFor();
    await window.page.getByRole('main').getByText('Live', { exact: true }).waitFor();
    await write('user.signed-in', { isNewBrowser: true, isNewNetwork: true }, { actor: 'carla@example.org', tenantId: tenant.id });
    // The list was empty: the first event fills it.
    await window.page.getByText('carla@example.org signed in').waitFor();

    const nobody = await createPerson(app.server, { tenantId: tenant.id });
    const refused = await app.open(test, { user: nobody, allowedRefusals: ['403 GET /api/events'] });
    await refused.goTo('/events');
    await refused.page.getByRole('alert').getByText('No access').waitFor();
    expect(await refused.page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Events' }).count()).toBe(0);
  });
});
