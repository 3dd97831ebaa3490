import { describe, expect, it } from 'vitest';
import { DataSource } from 'typeorm';

import { BootstrapService } from '../../../src/people/service-accounts/bootstrap.service.js';
import { ServiceAccountCredentialsService } from '../../../src/people/service-accounts/service-account-credentials.service.js';
import type { ServerServiceAccountsResponseDto } from '../../../src/people/service-accounts/service-account.dto.js';
import { ServiceAccount } from '../../../src/people/service-accounts/service-account.entity.js';
import { ServiceAccountsService } from '../../../src/people/service-accounts/service-accounts.service.js';
import { ConfigurationError, loadSettings } from '../../../src/platform/config/load-settings.js';
import { UnitOfWork } from '../../../src/platform/database/queries/unit-of-work.js';
import { testServer } from '../../support/setup/test-server.js';

const PREFIX = 'Service_Bootstrap__ServerServiceAccount';
const TOKEN_ID = '0a1b2c3d-4e5f-4071-8293-a4b5c6d7e8f9';
/** Token id derived by hand: the bytes of the first three groups are reversed. */
const TOKEN_HEX = '3D2C1B0A5F4E71408293A4B5C6D7E8F9';
const SECRET = 'the-configured-secret-of-32-chars-or-more';
const NONE = { [`${PREFIX}Name`]: '', [`${PREFIX}TokenId`]: '', [`${PREFIX}TokenSecret`]: '' };

const configured = (changes: Record<string, string> = {}): Record<string, string> => ({
  [`${PREFIX}Name`]: 'provisioning',
  [`${PREFIX}TokenId`]: TOKEN_ID,
  [`${PREFIX}TokenSecret`]: SECRET,
  ...changes,
});

const server = testServer(NONE);

/** Bootstraps the running application as a start with this configuration would. */
function bootstrap(env: Record<string, string>): Promise<{ readonly sentence: string }> {
  const { settings } = loadSettings({ env, cwd: '/nonexistent' });
  const { app } = server;
  const service = new BootstrapService(
    settings,
    app.get(UnitOfWork),
    app.get(ServiceAccountsService),
    app.get(ServiceAccountCredentialsService),
    app.get(DataSource),
  );
  return service.run();
}

const status = async (key: string): Promise<number> => (await server.client({ 'x-api-key': key }).get('/api/v1/tenants')).status;

async function accounts(key: string): Promise<ServerServiceAccountsResponseDto['items']> {
  const answer = await server.client({ 'x-api-key': key }).get('/api/v1/server-service-accounts');
  return answer.as<ServerServiceAccountsResponseDto>().items;
}

describe('bootstrap', () => {
  it.each([['Name'], ['TokenId'], ['TokenSecret']])('rule 1: refuses to start without %s when the other two are set', (missing) => {
    const load = (): unknown => loadSettings({ env: configured({ [`${PREFIX}${missing}`]: '' }), cwd: '/nonexistent' });
    expect(load).toThrow(ConfigurationError);
    expect(load).toThrow(`${PREFIX}${missing}`);
    expect(load).not.toThrow(SECRET);
  });

  it('rule 4: creates no credential without configuration, and tells the operator how to get one', async () => {
    const { sentence } = await bootstrap({});
    for (const part of ['Name', 'TokenId', 'TokenSecret']) expect(sentence).toContain(`${PREFIX}${part}`);
    const anonymous = server.client({});
    const body = { name: 'mine', accessMode: 'Unrestricted' };
    expect((await anonymous.post('/api/v1/server-service-accounts', { body })).status).toBe(401);
    expect(await server.dataSource.manager.count(ServiceAccount)).toBe(0);
  });

  it('rule 3: creates the Unrestricted account with a key of the configured id and secret', async () => {
    const id = '11111112-3333-4444-8555-666666666666';
    const { sentence } = await bootstrap(configured({ [`${PREFIX}Id`]: id, [`${PREFIX}Description`]: 'First of all' }));
    expect(sentence).toContain('provisioning');
    expect(sentence).not.toContain(SECRET);
    const key = `${TOKEN_HEX}:${SECRET}`;
    expect(await accounts(key)).toMatchObject([
      {
        id,
        name: 'provisioning',
        description: 'First of all',
        accessMode: 'Unrestricted',
        isEnabled: true,
        credentials: [{ id: TOKEN_ID, name: 'Bootstrap Credential', expiresAt: null, revokedAt: null }],
      },
    ]);
    const withoutReordering = `${TOKEN_ID.replaceAll('-', '')}:${SECRET}`;
    expect(await status(withoutReordering)).toBe(401);
  });

  it('rule 2: does not change an existing account with the configured name', async () => {
    const key = `${TOKEN_HEX}:${SECRET}`;
    const before = await accounts(key);
    const other = configured({
      [`${PREFIX}TokenId`]: '00000000-0000-4000-8000-0000000000ff',
      [`${PREFIX}TokenSecret`]: 'another-secret-of-at-least-32-characters',
      [`${PREFIX}Id`]: '11111112-3333-4444-8555-777777777777',
    });
    expect((await bootstrap(other)).sentence).toContain('nothing was changed');
    const after = await accounts(key);
    expect(after.map(({ id, credentials }) => [id, credentials.map((credential) => credential.id)])).toEqual(
      before.map(({ id, credentials }) => [id, credentials.map((credential) => credential.id)]),
    );
    expect(await status('000000000000004080000000000000FF:another-secret-of-at-least-32-characters')).toBe(401);
  });

  it.each([
    ['TokenId', { [`${PREFIX}TokenId`]: TOKEN_ID }],
    ['Id', { [`${PREFIX}TokenId`]: '00000000-0000-4000-8000-0000000000fe', [`${PREFIX}Id`]: '11111112-3333-4444-8555-666666666666' }],
  ])('names the option whose id another account has: %s', async (option, ids) => {
    const before = await accounts(`${TOKEN_HEX}:${SECRET}`);
    await expect(bootstrap(configured({ [`${PREFIX}Name`]: 'a new name', ...ids }))).rejects.toThrow(`${PREFIX}${option} is the id of`);
    expect(await accounts(`${TOKEN_HEX}:${SECRET}`)).toEqual(before);
  });

  it('creates one account when several nodes start at once', async () => {
    const env = configured({ [`${PREFIX}Name`]: 'at once', [`${PREFIX}TokenId`]: '0a1b2c3d-4e5f-4071-8293-a4b5c6d7e8fa' });
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => bootstrap(env)));
    expect(outcomes.filter(({ sentence }) => sentence.includes('created'))).toHaveLength(1);
    expect((await accounts(`${TOKEN_HEX}:${SECRET}`)).filter(({ name }) => name === 'at once')).toHaveLength(1);
  });
});
