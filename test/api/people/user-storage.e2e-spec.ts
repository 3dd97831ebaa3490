import { describe, expect, it } from 'vitest';

import { MAXIMUM_STORED_VALUES } from '../../../src/people/user-storage/user-storage.service.js';
import type { User } from '../../../src/people/users/user.entity.js';
import type { ApiClient } from '../../support/application/api-client.js';
import { duringDeletionOf } from '../../support/fixtures/deletion.js';
import { createPersonalAccessToken, createServiceAccountWithKey, createUser } from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

const PATH = '/api/v1/user-storage';

describe('user storage', () => {
  const server = testServer();
  const tenant = testTenant(server);

  const inTenant = (rest: object = {}) => ({ query: { tenantId: tenant.id }, ...rest });
  const keep = (client: ApiClient, key: unknown, value: unknown) => client.post(PATH, inTenant({ body: { key, value } }));

  async function signedIn(): Promise<{ readonly client: ApiClient; readonly user: User }> {
    const user = await createUser(server, { tenantId: tenant.id });
    const { key } = await createPersonalAccessToken(server, user);
    return { client: server.client({ 'x-personal-token': key }), user };
  }

  it('stores a value under a key, replaces it and deletes it', async () => {
    const { client } = await signedIn();
    const path = `${PATH}/acknowledged-new-version`;
    const missing = await client.get(path, inTenant());
    expect([missing.status, missing.text]).toEqual([204, '']);
    expect((await keep(client, 'acknowledged-new-version', '1.2.3')).as()).toEqual({ key: 'acknowledged-new-version', value: '1.2.3' });
    expect((await keep(client, 'acknowledged-new-version', ' {"a": 1} ')).status).toBe(200);
    expect((await client.get(path, inTenant())).as()).toEqual({ key: 'acknowledged-new-version', value: ' {"a": 1} ' });
    expect((await client.delete(path, inTenant())).status).toBe(204);
    expect((await client.delete(path, inTenant())).status).toBe(404);
    expect((await client.get(path, inTenant())).status).toBe(204);
  });

  it('replaces the value that it is told to, and no other', async () => {
    const { client } = await signedIn();
    const change = async (value: string, replaces: string | null): Promise<number> =>
      (await client.post(PATH, inTenant({ body: { key: 'list', value, replaces } }))).status;
    expect(await change('a', 'b')).toBe(409);
    expect((await client.get(`${PATH}/list`, inTenant())).status).toBe(204);
    expect(await change('a', '')).toBe(200);
    expect(await change('b', '')).toBe(409);
    expect(await change('a,b', 'a')).toBe(200);
    expect(await change('a,c', 'a')).toBe(409);
    expect((await client.get(`${PATH}/list`, inTenant())).as()).toMatchObject({ value: 'a,b' });
    expect(await change('c', null)).toBe(200);
  });

  it('loses nothing of callers that change a value at the same time and begin again', async () => {
    const { client } = await signedIn();
    const add = async (word: string): Promise<void> => {
      for (;;) {
        const read = await client.get(`${PATH}/words`, inTenant());
        const stored = read.status === 204 ? '' : read.as<{ readonly value: string }>().value;
        const answer = await client.post(PATH, inTenant({ body: { key: 'words', value: `${stored} ${word}`, replaces: stored } }));
        if (answer.status === 200) return;
        expect(answer.status).toBe(409);
      }
    };
    const words = ['one', 'two', 'three', 'four', 'five'];
    await Promise.all(words.map((word) => add(word)));
    const { value } = (await client.get(`${PATH}/words`, inTenant())).as<{ readonly value: string }>();
    expect(value.trim().split(' ').sort()).toEqual(words.toSorted());
  });

  it('stores the empty value', async () => {
    const { client } = await signedIn();
    expect((await keep(client, 'empty', '')).as()).toEqual({ key: 'empty', value: '' });
    expect((await client.get(`${PATH}/empty`, inTenant())).as()).toEqual({ key: 'empty', value: '' });
  });

  it('distinguishes keys by case, and accepts the longest key and value', async () => {
    const { client } = await signedIn();
    await keep(client, 'Key', 'a');
    expect((await client.get(`${PATH}/key`, inTenant())).status).toBe(204);
    const [key, value] = ['k'.repeat(256), 'ü'.repeat(2048)];
    expect((await keep(client, key, value)).status).toBe(200);
    expect((await client.get(`${PATH}/${key}`, inTenant())).as()).toEqual({ key, value });
  });

  it.each([
    ['', 'x', 'key'],
    ['a b', 'x', 'key'],
    ['a_b', 'x', 'key'],
    ['é', 'x', 'key'],
  ])('refuses the key %j with the value %j', async (key, value, field) => {
    const { client, user } = await signedIn();
    const answer = await keep(client, key, value);
    expect(answer.status).toBe(400);
    expect(answer.body).toHaveProperty(['errors', field]);
    expect(await server.dataSource.query('SELECT 1 FROM user_storage_items WHERE principal_id = $1', [user.id])).toEqual([]);
  });

  it('refuses invalid keys', async () => {
    const { client } = await signedIn();
    for (const key of ['a_b', 'a%20b', 'k'.repeat(257)]) {
      expect((await client.get(`${PATH}/${key}`, inTenant())).status).toBe(400);
      expect((await client.delete(`${PATH}/${key}`, inTenant())).status).toBe(400);
    }
  });

  it('belongs to one user or service account alone, and is deleted with it', async () => {
    const ann = await signedIn();
    const bob = await signedIn();
    const { account, key } = await createServiceAccountWithKey(server, { tenantId: tenant.id });
    const script = server.client({ 'x-api-key': key });
    for (const [client, value] of [
      [ann.client, 'ann'],
      [bob.client, 'bob'],
      [script, 'script'],
    ] as const) {
      await keep(client, 'who', value);
    }
    expect((await ann.client.get(`${PATH}/who`, inTenant())).as()).toMatchObject({ value: 'ann' });
    expect((await script.get(`${PATH}/who`, inTenant())).as()).toMatchObject({ value: 'script' });
    expect((await bob.client.delete(`${PATH}/who`, inTenant())).status).toBe(204);
    expect((await ann.client.get(`${PATH}/who`, inTenant())).status).toBe(200);
    await server.dataSource.query('DELETE FROM users WHERE id = $1', [ann.user.id]);
    await server.dataSource.query('DELETE FROM service_accounts WHERE id = $1', [account.id]);
    const left = await server.dataSource.query('SELECT 1 FROM user_storage_items WHERE principal_id IN ($1, $2)', [
      ann.user.id,
      account.id,
    ]);
    expect(left).toEqual([]);
  });

  it('is limited in number', async () => {
    const { client, user } = await signedIn();
    await server.dataSource.query(
      `INSERT INTO user_storage_items (id, principal_id, key, value) SELECT gen_random_uuid(), $1, 'k-' || i, 'v' FROM generate_series(2, $2::integer) AS i`,
      [user.id, MAXIMUM_STORED_VALUES],
    );
    const answers = await Promise.all(['one', 'two', 'three'].map((key) => keep(client, key, 'x')));
    expect(answers.map(({ status }) => `${status}`).sort()).toEqual(['200', '400', '400']);
    expect((await keep(client, 'k-2', 'changed')).status).toBe(200);
  });

  it('can be written by parallel callers without a failure, and is deleted by one of them', async () => {
    const { client } = await signedIn();
    const kept = await Promise.all(Array.from({ length: 10 }, (_, i) => keep(client, 'same', String(i))));
    expect(kept.map(({ status }) => status)).toEqual(kept.map(() => 200));
    const deleted = await Promise.all(Array.from({ length: 5 }, () => client.delete(`${PATH}/same`, inTenant())));
    expect(deleted.map(({ status }) => `${status}`).sort()).toEqual(['204', '404', '404', '404', '404']);
  });

  it('leaves nothing behind when its owner is deleted during a write', async () => {
    const { client, user } = await signedIn();
    const answer = await duringDeletionOf(server, user, () => keep(client, 'late', 'x'));
    expect(answer.status).toBe(401);
    expect(await server.dataSource.query('SELECT 1 FROM user_storage_items WHERE principal_id = $1', [user.id])).toEqual([]);
  });
});
