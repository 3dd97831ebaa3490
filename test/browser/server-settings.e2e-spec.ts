import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Permission } from '../../src/access/authorization/permissions/permission.js';
import type { User } from '../../src/people/users/user.entity.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { at, createTenant, createUser, grant, holder } from '../support/fixtures/factories.js';
import { MailServer } from '../support/stand-ins/mail-server.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { ADMINISTRATOR, AT_ITS_PORT, frontEnd } from './support/front-end.js';

/*
 * The settings of the server: what is set, what is missing and how to set it, and a test of its mail.
 */

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const mailServer = await MailServer.start();
const suite = hasChromium ? describe : describe.skip;
const without = hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`;
const SECRET = 'a-secret-that-no-page-shows';
const NO_MAIL_SERVER = {
  Service_AppOptions__SmtpHost: '',
  Service_AppOptions__SmtpPort: '',
  Service_AppOptions__SmtpEmail: '',
  Service_AppOptions__SmtpDisplayName: '',
};

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

afterAll(() => mailServer.stop());

suite(`the settings of a server with mail and providers${without}`, () => {
  const app = frontEnd(built, {
    ...mailServer.env,
    Service_AppOptions__PublicUrl: 'http://service.localhost',
    Service_AppOptions__GitHubClientId: 'github-id',
    Service_AppOptions__GitHubClientSecret: SECRET,
    Service_AppOptions__MicrosoftClientId: 'microsoft-id',
    Service_AgentBundle__BuildAtStart: 'false',
  });
  let administrator: User;

  beforeAll(async () => {
    administrator = await app.administrator();
  });

  it('say what is set up, and which half of a provider is missing', async (test) => {
    const window = await app.open(test, { user: administrator, viewport: { width: 1280, height: 900 } });
    const { page } = window;
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (/^\/account\/(server-settings|agent-bundles)/.test(pathname)) asked.push(pathname);
    });
    await window.goTo('/devices');
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Server settings' }).click();
    await page.getByRole('heading', { level: 1, name: 'Server settings' }).waitFor();
    const mail = part(page, 'E-mail');
    await mail.getByText('Set up', { exact: true }).waitFor();
    await mail.getByText(`127.0.0.1:${mailServer.port}`).waitFor();
    await mail.getByText('Devices <service@example.org>').waitFor();
    await part(page, 'Public address').getByText('Set up', { exact: true }).waitFor();
    await part(page, 'Registration').getByText('No one: users join by invitation').waitFor();
    const providers = part(page, 'Sign-in providers');
    await providers.getByText('ID and secret belong together.').waitFor();
    await providers.getByText('Service_AppOptions__MicrosoftClientSecret', { exact: true }).waitFor();
    await providers.getByText('Missing', { exact: true }).waitFor();
    await providers.getByText('http://service.localhost/account/external/github/callback').waitFor();
    await part(page, 'Agents').getByRole('link', { name: 'Go to Deploy' }).waitFor();
    await window.untilStill();
    expect(asked.sort()).toEqual(['/account/agent-bundles', '/account/server-settings']);
    await page.locator('details').evaluateAll((all) => all.forEach((each) => each.setAttribute('open', '')));
    expect(await page.locator('main').innerText()).not.toContain(SECRET);
    expect(await window.check.accessibility({})).toEqual([]);
  });

  it('send a test mail, and say how the last one went', async (test) => {
    const window = await app.open(test, { user: administrator, allowedRefusals: ['503 POST /api/v1/test-email'] });
    const { page } = window;
    await window.goTo('/server/settings');
    const mail = part(page, 'E-mail');
    await mail.getByText('None since the server started').waitFor();
    await mail.getByRole('button', { name: 'Send test mail' }).click();
    await page.getByText(`The mail server accepted the message to ${ADMINISTRATOR.email}`).waitFor();
    await mail.getByText('Accepted by the mail server').waitFor();
    expect((await mailServer.mailTo(ADMINISTRATOR.email)).subject).toBe('Test mail');

    mailServer.handlers = { onMailFrom: (_address, _session, done) => done(new Error('Not you.')) };
    await mail.getByRole('button', { name: 'Send test mail' }).click();
    await mail.getByText('Needs attention').waitFor();
    await mail.getByText('The mail could not be sent: the mail server refused the sender or the recipient.').waitFor();
    mailServer.reset();
  });

  it('say that the public address is another one than that of the browser', async (test) => {
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    await window.goTo('/account/data');
    // Browsers of tests reach the service at one address only.
    const answer = await page.evaluate<{ readonly address: object }>(`fetch('/account/server-settings').then((each) => each.json())`);
    const elsewhere = { ...answer, address: { ...answer.address, address: 'https://devices.example.org' } };
    await page.route('**/account/server-settings', (route) => route.fulfill({ json: elsewhere }));
    await window.goTo('/server/settings');
    const address = part(page, 'Public address');
    await address.getByText('Needs attention').waitFor();
    await address.getByText('This browser uses another address.').waitFor();
    await address.getByText('http://service.localhost', { exact: true }).first().waitFor();
  });

  it('leave only the message on the page of the alert', async (test) => {
    const window = await app.open(test, { user: administrator });
    await window.goTo('/server/alert');
    await window.page.getByRole('heading', { level: 2, name: 'Message' }).waitFor();
    expect(await window.page.getByRole('button', { name: 'Send test mail' }).count()).toBe(0);
  });

  it('are for those who may change them, and can be loaded again when that fails', async (test) => {
    const tenant = await createTenant(app.server);
    const user = await createUser(app.server, { tenantId: tenant.id });
    await grant(app.server, { principal: holder.user(user), permission: Permission.TenantSettingsWrite, scope: at.tenant(tenant) });
    const window = await app.open(test, { user, allowedRefusals: [/^403 GET \/account\/server-settings/] });
    await window.goTo('/server/settings');
    await window.page.getByText('You need the permission “Manage Server Settings”').waitFor();
    expect(await window.page.getByRole('link', { name: 'Server settings' }).count()).toBe(0);

    const other = await app.open(test, { user: administrator, allowedRefusals: [/^500 GET \/account\/server-settings/] });
    await other.page.route('**/account/server-settings', (route) => route.fulfill({ status: 500, body: '' }));
    await other.goTo('/server/settings');
    await other.page.getByRole('button', { name: 'Try again' }).waitFor();
    await other.page.unrouteAll();
    await other.page.getByRole('button', { name: 'Try again' }).click();
    await part(other.page, 'E-mail').waitFor();
  });

  it.each([
    ['light', { width: 1280, height: 900 }],
    ['dark', { width: 1280, height: 900 }],
    ['light', { width: 390, height: 844 }],
  ] as const)('have room in a %s window of %j', async (colorScheme, viewport) => {
    const window = await app.openForAll({ user: administrator, viewport, colorScheme });
    await window.goTo('/server/settings');
    await part(window.page, 'Agents').getByRole('link', { name: 'Go to Deploy' }).waitFor();
    expect(await window.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await window.page.context().close();
    window.expectNoOffences();
  });
});

suite(`the settings of a server with nothing set${without}`, () => {
  const app = frontEnd(built, { ...AT_ITS_PORT, ...NO_MAIL_SERVER, Service_AgentBundle__BuildAtStart: 'false' });

  it('say what is missing, what does not work without it, and what to set', async (test) => {
    const window = await app.open(test, { user: await app.administrator(), viewport: { width: 1280, height: 900 } });
    const { page } = window;
    await window.goTo('/server/settings');
    const mail = part(page, 'E-mail');
    await mail.getByText('Not set up').waitFor();
    await mail.getByText("The server can't send invitations or links for new passwords.").waitFor();
    await mail.getByText('Service_AppOptions__SmtpHost', { exact: true }).waitFor();
    await mail.getByText('Mail is sent when SmtpHost, SmtpEmail and SmtpDisplayName are set.').waitFor();
    expect(await mail.getByText('Missing', { exact: true }).count()).toBe(3);
    expect(await mail.getByRole('button', { name: 'Send test mail' }).count()).toBe(0);
    await part(page, 'Public address').getByText(`Service_AppOptions__PublicUrl=${app.origin}`).waitFor();
    expect(await window.check.accessibility({})).toEqual([]);
  });
});
