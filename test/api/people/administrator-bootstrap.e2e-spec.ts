import { describe, expect, it } from 'vitest';

import { AdministratorBootstrap } from '../../../src/people/registration/administrator-bootstrap.js';
import { User } from '../../../src/people/users/user.entity.js';
import { formatKey } from '../../../src/platform/common/identifiers/secret.js';
import { Browser, createPerson, PASSWORD } from '../../support/callers/browser.js';
import { changesOf } from '../../support/callers/callers.js';
import { createTenant } from '../../support/fixtures/factories.js';
import { testServer } from '../../support/setup/test-server.js';

const EMAIL = 'admin@example.org';
const TOKEN_ID = '0a1b2c3d-4e5f-4071-8293-a4b5c6d7e8f9';
const SECRET = 'the-configured-secret-of-32-chars-or-more';
const ADMINISTRATOR = { Service_Bootstrap__AdminEmail: EMAIL, Service_Bootstrap__AdminPassword: PASSWORD };
const TOKEN = { Service_Bootstrap__AdminPatTokenId: TOKEN_ID, Service_Bootstrap__AdminPatSecret: SECRET };

describe('a configured administrator', () => {
  const server = testServer({ ...ADMINISTRATOR, ...TOKEN });

  it('is made at the first start, confirmed, with all rights and the token', async () => {
    const user = await server.dataSource.manager.findOneByOrFail(User, { userName: EMAIL });
    expect(user.emailConfirmed).toBe(true);
    const browser = new Browser(server);
    expect((await browser.signIn(user)).body).toEqual({ outcome: 'SignedIn', mustChangePassword: false });
    expect((await browser.get('/api/v1/tenants')).status).toBe(200);
    const client = server.client({ 'x-personal-token': formatKey(TOKEN_ID, SECRET) });
    expect((await client.get('/api/v1/users', { query: { tenantId: user.tenantId } })).status).toBe(200);
    expect((await changesOf(server, TOKEN_ID)).map(({ action }) => action)).toEqual(['personal-access-token-created']);
    expect((await browser.get('/account/registration')).body).toMatchObject({ isOpen: false, isFirstUser: false, hasUsers: true });
  });

  it('is left alone at the next start', async () => {
    const outcome = await server.app.get(AdministratorBootstrap).run();
    expect(outcome).toEqual({ sentence: expect.stringContaining('there are users already'), isWarning: false });
    expect(await server.dataSource.manager.countBy(User, {})).toBe(1);
  });
});

describe('an administrator with a bad password', () => {
  const server = testServer({ ...ADMINISTRATOR, Service_Bootstrap__AdminPassword: 'short1A' });

  it('is not made, which a warning says, and the service runs', async () => {
    expect(await server.app.get(AdministratorBootstrap).run()).toEqual({
      sentence: expect.stringContaining('at least 8 characters'),
      isWarning: true,
    });
    expect(await server.dataSource.manager.countBy(User, {})).toBe(0);
    expect((await server.client().get('/health')).status).toBe(200);
  });
});

describe('without a configured administrator', () => {
  const server = testServer();

  it('nobody is made, and the operator learns who will administer the server, while it has no user', async () => {
    const run = () => server.app.get(AdministratorBootstrap).run();
    const outcome = await run();
    expect(outcome).toEqual({ sentence: expect.stringContaining('registers first administers it') as string, isWarning: false });
    expect(outcome?.sentence).toContain('DisableFirstUserSelfRegistration');
    await createPerson(server, { tenantId: (await createTenant(server)).id });
    expect(await run()).toBeNull();
  });
});

describe('where the first user may not register', () => {
  const server = testServer({ Service_AppOptions__DisableFirstUserSelfRegistration: 'true' });

  it('nothing is said of it', async () => {
    expect(await server.app.get(AdministratorBootstrap).run()).toBeNull();
  });
});

describe('where anyone may register and nobody becomes the administrator', () => {
  const OPTIONS = {
    Service_AppOptions__DisableFirstUserSelfRegistration: 'true',
    Service_AppOptions__EnablePublicRegistration: 'true',
  };
  const server = testServer(OPTIONS);
  const withAdministrator = testServer({ ...OPTIONS, ...ADMINISTRATOR });

  it('a warning says how to get one, until a user is the administrator', async () => {
    const run = () => server.app.get(AdministratorBootstrap).run();
    expect(await run()).toEqual({
      sentence: expect.stringMatching(/no user administers.* Set Service_Bootstrap__AdminEmail/),
      isWarning: true,
    });
    const tenant = await createTenant(server);
    const user = await createPerson(server, { tenantId: tenant.id });
    expect(await run()).toEqual({ sentence: expect.stringMatching(/no user administers.* Grant a user the preset/), isWarning: true });

    // As docs/operations.md says.
    const body = { principalKind: 'User', principalId: user.id, presetNames: ['Server Administrator'] };
    const applied = await server.client().post('/api/v1/permission-assignments/presets/apply', { query: { tenantId: tenant.id }, body });
    expect(applied.status).toBe(200);
    expect(await run()).toBeNull();
  });

  it('none is needed where the configured one administers the server', async () => {
    const run = () => withAdministrator.app.get(AdministratorBootstrap).run();
    expect(await run()).toMatchObject({ sentence: expect.stringContaining('there are users already') as string, isWarning: false });
    const administrator = await withAdministrator.dataSource.manager.findOneByOrFail(User, { userName: EMAIL });
    await withAdministrator.dataSource.manager.update(User, { id: administrator.id }, { suspendedAt: new Date() });
    expect(await run()).toMatchObject({ sentence: expect.stringContaining('no user administers') as string, isWarning: true });
  });
});
