import type { Page } from 'playwright-core';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Permission } from '../../src/access/authorization/permissions/permission.js';
import type { User } from '../../src/people/users/user.entity.js';
import { newGuid } from '../../src/platform/common/identifiers/guid.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { createPerson } from '../support/callers/browser.js';
import { eventually } from '../support/eventually.js';
import { at, createTenant, grant, holder } from '../support/fixtures/factories.js';
import { WebhookReceiver } from '../support/stand-ins/webhook-receiver.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { frontEnd } from './support/front-end.js';
import { storeScreenshot } from './support/screenshots.js';

/* Webhooks as people set them up: against a receiver that answers, fails, leads elsewhere and is gone. */

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;
const without = hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`;

const main = (page: Page) => page.getByRole('main');
const dialog = (page: Page) => page.getByRole('dialog');

/** Takes the secret that a dialog shows, and closes it. */
async function takeSecret(page: Page, title: string): Promise<string> {
  await dialog(page).getByRole('heading', { name: title }).waitFor();
  await eventually('the focus is in the dialog', () => page.evaluate("document.activeElement?.closest('[role=dialog]') !== null"));
  const secret = await dialog(page).getByRole('group', { name: 'Secret' }).innerText();
  await dialog(page).getByLabel("I've stored it").check();
  await dialog(page).locator('button:has-text("Close"):not([aria-label])').click();
  await dialog(page).waitFor({ state: 'detached' });
  return secret;
}

suite(`webhooks in the front end${without}`, () => {
  const app = frontEnd(built, { Service_Webhooks__AllowPrivateAddresses: 'true' });
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
  });
  afterAll(() => receiver.stop());

  /** A person of a tenant of their own who may set up webhooks. */
  async function operator(): Promise<User> {
    const tenant = await createTenant(app.server);
    const user = await createPerson(app.server, { tenantId: tenant.id });
    for (const permission of [Permission.TenantSettingsWrite, Permission.TenantEventsRead, Permission.DeviceRead]) {
      await grant(app.server, { principal: holder.user(user), permission, scope: at.tenant(tenant) });
    }
    return user;
  }

  /** Writes an event as a transaction of the service does. */
  const write = (tenantId: string, kind: string) =>
    app.server.dataSource.query('INSERT INTO events (id, tenant_id, kind, data) VALUES ($1, $2, $3, $4)', [
      newGuid(),
      tenantId,
      kind,
      '{}',
    ]);

  /** Stores a webhook, with the pause that a test needs. */
  async function stored(tenantId: string, path: string, pause: string | null = null): Promise<string> {
    const id = newGuid();
    await app.server.dataSource.query(
      `INSERT INTO webhooks (id, tenant_id, url, kinds, secret_version, last_number, pause, paused_at)
       VALUES ($1, $2, $3, '{device.online}', 1, 0, $4::varchar, CASE WHEN $4::varchar IS NOT NULL THEN now() END)`,
      [id, tenantId, `${receiver.url}${path}`, pause],
    );
    return id;
  }

  it('are created with a secret that is shown once, tested, edited and deleted', async (test) => {
    const user = await operator();
    const window = await app.open(test, { user });
    const { page } = window;
    await window.goTo('/events');
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Webhooks' }).click();
    await main(page).getByText('No webhooks yet').waitFor();
    await main(page).getByText('A tenant can have 20.').waitFor();
    await main(page).getByRole('button', { name: 'Create webhook' }).first().click();
    await dialog(page).getByLabel('URL').fill(`${receiver.url}/story`);
    await dialog(page).getByLabel('Device offline').check();
    await dialog(page).getByRole('button', { name: 'Create webhook' }).click();
    const first = await takeSecret(page, 'Webhook created');
    await main(page)
      .getByRole('row')
      .filter({ hasText: '/story' })
      .filter({ hasText: 'Active' })
      .filter({ hasText: 'Device offline' })
      .waitFor();

    await main(page)
      .getByRole('link', { name: `${receiver.url}/story` })
      .click();
    await main(page)
      .getByRole('heading', { level: 1, name: `127.0.0.1:${receiver.port}` })
      .waitFor();
    await main(page).getByText('No deliveries in the last 7 days').waitFor();
    await main(page).getByRole('button', { name: 'Send test' }).click();
    const deliveries = main(page).getByRole('table', { name: 'Deliveries' });
    await deliveries.getByRole('row').filter({ hasText: 'Test' }).filter({ hasText: 'Delivered (204)' }).waitFor();
    const [sent] = await receiver.gets('/story', 1);
    new StandardWebhook(first).verify(sent.body, sent.headers as Record<string, string>);

    // Events of the chosen kind come by themselves, others do not.
    await write(user.tenantId, 'device.online');
    await write(user.tenantId, 'device.offline');
    const [, event] = await receiver.gets('/story', 2);
    expect(JSON.parse(event.body)).toMatchObject({ type: 'device.offline' });

    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Replace secret' }).click();
    await dialog(page).getByRole('button', { name: 'Replace secret' }).click();
    const second = await takeSecret(page, 'Secret replaced');
    expect(second).not.toBe(first);
    await main(page)
      .getByText(/^The old secret also signs requests until /)
      .waitFor();
    await main(page).getByRole('button', { name: 'Send test' }).click();
    const [, , twice] = await receiver.gets('/story', 3);
    for (const secret of [first, second]) new StandardWebhook(secret).verify(twice.body, twice.headers as Record<string, string>);

    await main(page).getByRole('button', { name: 'Edit webhook' }).click();
    await dialog(page).getByLabel('Device offline').uncheck();
    await dialog(page).getByRole('button', { name: 'Save webhook' }).click();
    await main(page).getByText('All kinds').waitFor();
    await window.untilStill();
    expect(await window.check.accessibility()).toEqual([]);

    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete webhook' }).click();
    await dialog(page).getByRole('textbox').fill(`127.0.0.1:${receiver.port}`);
    await dialog(page).getByRole('button', { name: 'Delete webhook' }).click();
    await main(page).getByText('No webhooks yet').waitFor();
  });

  it('say why deliveries failed, and send them again', async (test) => {
    const user = await operator();
    const id = await stored(user.tenantId, '/faulty');
    receiver.answers.set('/faulty', (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end());
    const window = await app.open(test, { user });
    const { page } = window;
    await window.goTo(`/webhooks/${id}`);
    await main(page).getByRole('button', { name: 'Send test' }).click();
    const rows = main(page).getByRole('table', { name: 'Deliveries' }).getByRole('row');
    await rows.filter({ hasText: 'Waiting' }).filter({ hasText: 'The receiver answered 302: redirects are not followed.' }).waitFor();
    receiver.answers.delete('/faulty');
    await rows
      .getByRole('button', { name: /^Redeliver Test/ })
      .first()
      .click();
    // The first one is also tried again by itself.
    await rows.filter({ hasText: 'Delivered (204)' }).first().waitFor();
    const received = await receiver.gets('/faulty', 2);
    expect(received[1].headers['webhook-id']).toBe(received[0].headers['webhook-id']);

    // Older ones come page by page.
    await app.server.dataSource.query(
      `INSERT INTO webhook_deliveries (id, webhook_id, message_id, kind, body, created_at, delivered_at, last_status, attempts)
       SELECT gen_random_uuid(), $1, 'old-' || n, 'device.online', '{}', now() - n * interval '1 minute', now(), 200, 1
       FROM generate_series(10, 79) n`,
      [id],
    );
    await window.goTo(`/webhooks/${id}`);
    expect(await rows.count()).toBe(51);
    await main(page).getByRole('button', { name: 'Load more' }).click();
    await eventually('all deliveries are shown', async () => (await rows.count()) === 73);
    expect(await main(page).getByRole('button', { name: 'Load more' }).count()).toBe(0);
  });

  it('that the service paused stand out with the reason, and go on when they are resumed', async (test) => {
    const user = await operator();
    receiver.answers.set('/gone', (response) => response.writeHead(410).end());
    const id = await stored(user.tenantId, '/gone');
    const window = await app.open(test, { user });
    const { page } = window;
    await window.goTo(`/webhooks/${id}`);
    await main(page).getByRole('button', { name: 'Send test' }).click();
    await main(page).getByRole('table', { name: 'Deliveries' }).getByText('The receiver answered 410.').waitFor();
    await window.goTo('/webhooks');
    await main(page).getByRole('alert').getByText('1 webhook is paused because its receiver failed.').waitFor();
    const row = main(page).getByRole('row').filter({ hasText: '/gone' });
    await row.getByText('Paused').waitFor();
    await row.getByText('The receiver answered 410').waitFor();
    await window.untilStill();
    expect(await window.check.accessibility()).toEqual([]);
    await row.getByRole('link').click();
    await main(page)
      .getByRole('alert')
      .getByText(/^This webhook is paused because the receiver answered 410/)
      .waitFor();
    expect(await main(page).getByRole('button', { name: 'Send test' }).isDisabled()).toBe(true);
    receiver.answers.delete('/gone');
    await main(page).getByRole('button', { name: 'Resume webhook' }).click();
    await main(page).getByText('Active').waitFor();
    await eventually('the banner is gone', async () => (await main(page).getByRole('alert').count()) === 0);
    await main(page).getByRole('button', { name: 'Send test' }).click();
    await receiver.gets('/gone', 2);

    // One that a person paused is no fault.
    await window.goTo('/webhooks');
    await main(page)
      .getByRole('button', { name: `Actions for 127.0.0.1:${receiver.port}` })
      .click();
    await page.getByRole('menuitem', { name: 'Pause webhook' }).click();
    await row.getByText('By a user').waitFor();
    expect(await main(page).getByRole('alert').count()).toBe(0);
  });

  it('are 20 at most, and the page says so before and then', async (test) => {
    const user = await operator();
    for (let count = 0; count < 20; count += 1) await stored(user.tenantId, `/many/${count}`);
    const window = await app.open(test, { user });
    const { page } = window;
    await window.goTo('/webhooks');
    await main(page).getByText('This tenant has 20 webhooks, the most it can have.').waitFor();
    expect(await main(page).getByRole('button', { name: 'Create webhook' }).isDisabled()).toBe(true);
  });

  it('are for those who may change the settings, and can be loaded again when that fails', async (test) => {
    const user = await operator();
    const nobody = await createPerson(app.server, { tenantId: user.tenantId });
    const refused = await app.open(test, { user: nobody, allowedRefusals: [/^403 GET \/api\/webhooks/] });
    await refused.goTo('/webhooks');
    await refused.page.getByRole('alert').getByText('No access').waitFor();
    expect(await refused.page.getByRole('button', { name: 'Create webhook' }).count()).toBe(0);
    expect(await refused.page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Webhooks' }).count()).toBe(0);

    const window = await app.open(test, { user, allowedRefusals: [/^500 GET \/api\/webhooks/, /^404 GET \/api\/webhooks/] });
    const { page } = window;
    await page.route('**/api/webhooks?*', (route) => route.fulfill({ status: 500, body: '' }));
    await window.goTo('/webhooks');
    const again = main(page).getByRole('button', { name: 'Try again' });
    await again.waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await again.click();
    await main(page).getByText('No webhooks yet').waitFor();
    await window.goTo(`/webhooks/${newGuid()}`);
    await main(page).getByText('Not found').waitFor();
    await main(page).getByRole('link', { name: 'Go to the list' }).click();
    await main(page).getByText('No webhooks yet').waitFor();
  });

  it('say what is missing to someone who may not read all events', async (test) => {
    const tenant = await createTenant(app.server);
    const user = await createPerson(app.server, { tenantId: tenant.id });
    await grant(app.server, { principal: holder.user(user), permission: Permission.TenantSettingsWrite, scope: at.tenant(tenant) });
    const window = await app.open(test, { user, allowedRefusals: ['403 POST /api/webhooks'] });
    const { page } = window;
    await window.goTo('/webhooks');
    await main(page).getByRole('button', { name: 'Create webhook' }).first().click();
    await dialog(page).getByLabel('URL').fill(`${receiver.url}/never`);
    await dialog(page).getByRole('button', { name: 'Create webhook' }).click();
    await dialog(page).getByRole('alert').waitFor();
    expect(await dialog(page).getByRole('alert').innerText()).toContain('Read Events');
  });

  it.each([
    ['light', { width: 1280, height: 900 }],
    ['dark', { width: 1280, height: 900 }],
    ['light', { width: 390, height: 844 }],
  ] as const)('have room in a %s window of %j', async (colorScheme, viewport) => {
    const user = await operator();
    await stored(user.tenantId, '/a-path/that-is/long-enough/to-need-the-width/of-a-wide-column');
    await stored(user.tenantId, '/broken', 'Failing');
    await stored(user.tenantId, '/resting', 'ByCaller');
    const id = await stored(user.tenantId, '/detail');
    await app.server.dataSource.query(
      `INSERT INTO webhook_deliveries (id, webhook_id, message_id, kind, body, created_at, delivered_at, last_status, last_error, attempts, next_attempt_at)
       SELECT gen_random_uuid(), $1, 'old-' || n, 'device.online', '{}', now() - n * interval '1 hour', CASE WHEN n > 1 THEN now() END,
         CASE WHEN n > 1 THEN 200 ELSE 503 END, CASE WHEN n <= 1 THEN 'The receiver answered 503.' END, 3,
         CASE WHEN n = 0 THEN now() + interval '1 hour' END
       FROM generate_series(0, 4) n`,
      [id],
    );
    const window = await app.openForAll({ user, viewport, colorScheme });
    const { page } = window;
    for (const path of ['/webhooks', `/webhooks/${id}`]) {
      await window.goTo(path);
      await main(page).getByText('Active').first().waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      await storeScreenshot(page, `${path === '/webhooks' ? 'webhooks' : 'webhook'}-filled-${viewport.width}-${colorScheme}`);
    }
    if (viewport.width < 500) {
      await window.goTo('/webhooks');
      await main(page).getByRole('button', { name: 'Create webhook' }).click();
      await dialog(page).getByLabel('URL').waitFor();
      await window.untilStill();
      await storeScreenshot(page, 'webhooks-dialog');
    }
    await page.context().close();
    window.expectNoOffences();
  });
});

suite(`webhooks of a server that allows public addresses only${without}`, () => {
  const app = frontEnd(built);

  it.each([
    ['http://hooks.example.org/', 'The URL must be an address that begins with https://.'],
    ['https://10.0.0.7/hook', 'The URL must not lead to an address of a private network.'],
    ['https://user:word@8.8.8.8/', 'The URL must contain no user name and no password.'],
  ])('are refused beside the field: %s', async (url, sentence) => {
    const window = await app.openForAll({ user: await app.administrator(), allowedRefusals: ['400 POST /api/webhooks'] });
    const { page } = window;
    await window.goTo('/webhooks');
    await main(page).getByRole('button', { name: 'Create webhook' }).first().click();
    await dialog(page).getByLabel('URL').fill(url);
    await dialog(page).getByRole('button', { name: 'Create webhook' }).click();
    await dialog(page).getByText(sentence).waitFor();
    const field = dialog(page).getByLabel('URL');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await page.context().close();
    window.expectNoOffences();
  });
});
