import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { PersonalAccessTokenPermissionMode } from '../../../src/people/personal-access-tokens/personal-access-token.entity.js';
import type { ServerSettingsResponseDto } from '../../../src/system/server-settings/server-settings.dto.js';
import type { ApiClient } from '../../support/application/api-client.js';
import { TestApp } from '../../support/application/app.js';
import {
  at,
  createPersonalAccessToken,
  createServiceAccountWithKey,
  createTenant,
  createUser,
  grant,
  holder,
} from '../../support/fixtures/factories.js';
import { testServer } from '../../support/setup/test-server.js';
import { MAILED_ADDRESS, MailServer } from '../../support/stand-ins/mail-server.js';

const PATH = '/account/server-settings';
const SECRET = 'a-secret-that-is-never-shown';

/** A user who may read the settings, with an address for test mails. */
async function administrator(server: TestApp): Promise<ApiClient> {
  const { id: tenantId } = await createTenant(server);
  const user = await createUser(server, { tenantId, email: 'ann@example.org' });
  await grant(server, { principal: holder.user(user), permission: Permission.ServerSettingsWrite, scope: at.server });
  const { key } = await createPersonalAccessToken(server, user, { permissionMode: PersonalAccessTokenPermissionMode.InheritOwner });
  return server.client({ 'x-personal-token': key });
}

async function settingsAt(client: ApiClient): Promise<ServerSettingsResponseDto> {
  const answer = await client.get(PATH);
  expect(answer.status).toBe(200);
  return answer.body as ServerSettingsResponseDto;
}

describe('the settings of a server with nothing set', () => {
  const server = testServer({ Service_AppOptions__PublicUrl: '' });

  it('say what is missing, with the variables that set it', async () => {
    const { mail, address, registration, providers, providersState } = await settingsAt(await administrator(server));
    expect(mail).toMatchObject({ state: 'NotSetUp', findings: [{ kind: 'MailNotSent' }], encryption: null, lastDelivery: null });
    expect(mail.options.filter(({ isMissing }) => isMissing).map(({ variable }) => variable)).toEqual([
      'Service_AppOptions__SmtpHost',
      'Service_AppOptions__SmtpEmail',
      'Service_AppOptions__SmtpDisplayName',
    ]);
    expect(address).toMatchObject({ state: 'NotSetUp', address: null, findings: [{ kind: 'AddressMissing' }] });
    expect(registration).toMatchObject({ state: 'SetUp', registration: 'Closed' });
    expect(providersState).toBe('NotSetUp');
    // The address that the caller called.
    expect(providers.map(({ callbackAddress }) => callbackAddress)).toEqual(
      ['github', 'microsoft', '<name>'].map((name) => `${server.url}/account/external/${name}/callback`),
    );
  });

  it('are for those with the permission on the server, service accounts included', async () => {
    const tenant = await createTenant(server);
    const user = await createUser(server, { tenantId: tenant.id });
    await grant(server, { principal: holder.user(user), permission: Permission.TenantSettingsWrite, scope: at.tenant(tenant) });
    const { key: token } = await createPersonalAccessToken(server, user, {
      permissionMode: PersonalAccessTokenPermissionMode.InheritOwner,
    });
    expect((await server.client({ 'x-personal-token': token }).get(PATH)).status).toBe(403);

    const { account, key } = await createServiceAccountWithKey(server, {});
    const client = server.client({ 'x-api-key': key });
    expect((await client.get(PATH)).status).toBe(403);
    await grant(server, { principal: holder.serviceAccount(account), permission: Permission.ServerSettingsWrite, scope: at.server });
    expect((await client.get(PATH)).status).toBe(200);
  });
});

describe('the settings of a server on which anyone may register', () => {
  const server = testServer({
    Service_AppOptions__DisableFirstUserSelfRegistration: 'true',
    Service_AppOptions__EnablePublicRegistration: 'true',
    Service_AppOptions__RequireUserEmailConfirmation: 'true',
    Service_AppOptions__DisableEmailSending: 'true',
  });

  it('warn until a user administers it; a service account of the server is none', async () => {
    const client = await administrator(server);
    // Without mail, nobody has to confirm an address.
    const unconfirmed = { kind: 'RegistrationUnconfirmed' };
    const findings = async (): Promise<unknown> => (await settingsAt(client)).registration.findings;
    expect(await findings()).toEqual([{ kind: 'RegistrationWithoutAdministrator' }, unconfirmed]);

    const { id: tenantId } = await createTenant(server);
    const user = await createUser(server, { tenantId, passwordHash: 'a hash' });
    await grant(server, { principal: holder.user(user), permission: Permission.ServerPermissionsWrite, scope: at.server });
    expect(await findings()).toEqual([unconfirmed]);
  });
});

describe('the settings of a server with mail and providers', () => {
  let mailServer: MailServer;
  let server: TestApp;

  beforeAll(async () => {
    mailServer = await MailServer.start();
    server = await TestApp.start({
      ...mailServer.env,
      Service_AppOptions__SmtpUserName: 'service',
      Service_AppOptions__SmtpPassword: SECRET,
      Service_AppOptions__GitHubClientId: 'github-id',
      Service_AppOptions__GitHubClientSecret: SECRET,
      Service_AppOptions__MicrosoftClientId: 'microsoft-id',
      Service_OpenIdConnect__3__Name: 'corporate',
      Service_OpenIdConnect__3__Issuer: 'https://id.example.org',
      Service_OpenIdConnect__3__ClientId: 'service',
      Service_OpenIdConnect__3__ClientSecret: SECRET,
    });
  });

  afterAll(async () => {
    await server.stop();
    await mailServer.stop();
  });

  it('never hold the value of a secret', async () => {
    const answer = await (await administrator(server)).get(PATH);
    expect(answer.text).toContain('Service_AppOptions__SmtpPassword');
    expect(answer.text).not.toContain(SECRET);
  });

  it('say what is set up, and which half of a provider is missing', async () => {
    const { address, providers, providersState } = await settingsAt(await administrator(server));
    expect(address).toMatchObject({ address: MAILED_ADDRESS, state: 'NeedsAttention', findings: [{ kind: 'AddressUnencrypted' }] });
    expect(providersState).toBe('NeedsAttention');
    expect(providers.map(({ displayName, state }) => [displayName, state])).toEqual([
      ['GitHub', 'SetUp'],
      ['Microsoft', 'NeedsAttention'],
      ['corporate', 'SetUp'],
      [null, 'NotSetUp'],
    ]);
    const [, microsoft, corporate] = providers;
    expect(microsoft?.options.find(({ isMissing }) => isMissing)?.variable).toBe('Service_AppOptions__MicrosoftClientSecret');
    expect(corporate?.callbackAddress).toBe(`${MAILED_ADDRESS}/account/external/corporate/callback`);
    expect(corporate?.options[0]).toMatchObject({ variable: 'Service_OpenIdConnect__3__Name', value: 'corporate' });
  });

  it('tell the outcome of the last mail: not accepted, then accepted', async () => {
    const client = await administrator(server);
    expect((await settingsAt(client)).mail).toMatchObject({ state: 'SetUp', encryption: 'IfOffered', lastDelivery: null });
    mailServer.handlers = { onMailFrom: (_address, _session, done) => done(new Error('Not you.')) };
    expect((await client.post('/api/v1/test-email')).status).toBe(503);
    expect((await settingsAt(client)).mail).toMatchObject({
      state: 'NeedsAttention',
      findings: [{ kind: 'MailFailed' }],
      lastDelivery: { failure: 'The mail could not be sent: the mail server refused the sender or the recipient.' },
    });
    mailServer.reset();
    expect((await client.post('/api/v1/test-email')).status).toBe(200);
    expect((await settingsAt(client)).mail).toMatchObject({ state: 'SetUp', findings: [], lastDelivery: { failure: null } });
  });
});
