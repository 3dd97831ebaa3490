import { describe, expect, it } from 'vitest';

import {
  MAXIMUM_CREDENTIALS,
  type CreateServiceAccountCredentialResponseDto,
  type ServerServiceAccountDto,
} from '../../../src/people/service-accounts/service-account.dto.js';
import { ServiceAccountCredential } from '../../../src/people/service-accounts/service-account.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { statusesOf } from '../../support/callers/callers.js';
import { createServiceAccountWithKey } from '../../support/fixtures/factories.js';
import { testServer } from '../../support/setup/test-server.js';

describe('server service accounts', () => {
  const server = testServer();

  it('lists the bootstrapped account with its first credential', async () => {
    const { status, body } = await server.client().get('/api/v1/server-service-accounts');
    expect(status).toBe(200);
    expect(body).toMatchObject({ items: [{ name: 'root', accessMode: 'Unrestricted', credentials: [{ name: 'Bootstrap Credential' }] }] });
  });

  it('creates, changes and deletes an account', async () => {
    const root = server.client();
    const created = await root.post('/api/v1/server-service-accounts', {
      body: { NAME: 'rmm', description: 'Remote management', accessMode: 'restricted' },
    });
    expect(created.status).toBe(201);
    const account = created.as<ServerServiceAccountDto>();
    expect(account).toMatchObject({
      name: 'rmm',
      description: 'Remote management',
      isEnabled: true,
      accessMode: 'Restricted',
      credentials: [],
    });

    const path = `/api/v1/server-service-accounts/${account.id}`;
    const updated = await root.put(path, { body: { name: 'rmm 2', isEnabled: false } });
    expect(updated.status).toBe(200);
    expect(updated.body).toMatchObject({
      id: account.id,
      name: 'rmm 2',
      description: 'Remote management',
      isEnabled: false,
      accessMode: 'Restricted',
    });
    expect((await root.get(path)).body).toEqual(updated.body);
    // Only the name is required.
    expect((await root.put(path, { body: { name: 'rmm 3' } })).as()).toMatchObject({ name: 'rmm 3', isEnabled: false });
    expect((await root.put(path, { body: { name: 'rmm 3', isEnabled: true } })).as()).toMatchObject({ isEnabled: true });
    expect((await root.put(path, { body: { name: 'rmm 3', isEnabled: null } })).as()).toMatchObject({ isEnabled: true });

    expect((await root.delete(path)).status).toBe(204);
    expect((await root.get(path)).status).toBe(404);
  });

  it('refuses a second account of the same name with 409', async () => {
    const root = server.client();
    const body = { name: 'twice', accessMode: 'Restricted' };
    expect((await root.post('/api/v1/server-service-accounts', { body })).status).toBe(201);
    const second = await root.post('/api/v1/server-service-accounts', { body });
    expect(second.status).toBe(409);
    expect(second.headers.get('content-type')).toContain('application/problem+json');
    expect(second.body).toEqual({
      type: 'about:blank',
      title: 'Conflict.',
      status: 409,
      detail: 'A service account with this name already exists.',
    });
  });

  it('refuses a credential of an account that has a thousand, also among parallel calls', async () => {
    const { account, credential } = await createServiceAccountWithKey(server);
    const more = Array.from({ length: MAXIMUM_CREDENTIALS - 2 }, () => ({ ...credential, id: newGuid(), revokedAt: server.clock.now() }));
    await server.dataSource.manager.insert(ServiceAccountCredential, more);
    const path = `/api/v1/server-service-accounts/${account.id}/credentials`;
    const answers = await Promise.all(Array.from({ length: 3 }, () => server.client().post(path, { body: { name: 'one more' } })));
    expect(statusesOf(answers)).toEqual([200, 400, 400]);
    const refused = answers.find(({ status }) => status === 400);
    expect(refused?.body).toMatchObject({
      detail: 'A service account can have at most 1000 credentials. Delete a revoked or expired one first.',
    });
  });

  it('walks a credential through its states', async () => {
    const root = server.client();
    const account = (
      await root.post('/api/v1/server-service-accounts', { body: { name: 'states', accessMode: 'Unrestricted' } })
    ).as<ServerServiceAccountDto>();
    const credentials = `/api/v1/server-service-accounts/${account.id}/credentials`;
    const { credential, plainTextSecretKey } = (
      await root.post(credentials, { body: { name: 'first' } })
    ).as<CreateServiceAccountCredentialResponseDto>();
    const caller = server.client({ 'x-api-key': plainTextSecretKey });
    expect((await caller.get('/api/v1/tenants')).status).toBe(200);

    const tooEarly = await root.delete(`${credentials}/${credential.id}/purge`);
    expect(tooEarly.status).toBe(400);
    expect(tooEarly.body).toMatchObject({ detail: 'Only revoked or expired credentials can be deleted. Revoke the credential first.' });

    expect((await root.delete(`${credentials}/${credential.id}`)).status).toBe(204);
    expect((await caller.get('/api/v1/tenants')).status).toBe(401);
    expect((await root.delete(`${credentials}/${credential.id}`)).status).toBe(204);
    expect((await root.delete(`${credentials}/${credential.id}/purge`)).status).toBe(204);
    expect((await root.delete(`${credentials}/${credential.id}/purge`)).status).toBe(404);
  });
});
