import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Client } from 'pg';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { PersonalAccessTokenPermissionMode } from '../../../src/people/personal-access-tokens/personal-access-token.entity.js';
import type { User } from '../../../src/people/users/user.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import type { ApiClient } from '../../support/application/api-client.js';
import { Browser } from '../../support/callers/browser.js';
import { changesOf } from '../../support/callers/callers.js';
import { eventually } from '../../support/eventually.js';
import {
  at,
  createDevice,
  createPersonalAccessToken,
  createServiceAccountWithKey,
  createTenant,
  createUser,
  grantAll,
  holder,
} from '../../support/fixtures/factories.js';
import { testServer } from '../../support/setup/test-server.js';

/*
 * A thief of a key or a token makes tokens with it, and more tokens with these, for itself and for other users, so as to stay when the
 * theft is noticed. The end of the stolen credential ends all of them, in every way in which a credential can end.
 */

const server = testServer();
const PERMISSIONS = [
  Permission.DeviceRead,
  Permission.DeviceLogonTokenCreate,
  Permission.PersonalAccessTokenSelfWrite,
  Permission.PersonalAccessTokenOthersWrite,
];

/** A second is what is promised. The rest is for a machine that has much else to do. */
const DEADLINE_MS = 20_000;
/** Triggers that called each other could not get through a chain of some hundred links. */
const CHAIN_LENGTH = 2_000;
const COMMIT_LOCK = 4711;

let tenant: Tenant;
let user: User;
let other: User;

beforeEach(async () => {
  tenant = await createTenant(server);
  [user, other] = [await createUser(server, { tenantId: tenant.id }), await createUser(server, { tenantId: tenant.id })];
  for (const principal of [holder.user(user), holder.user(other)]) await grantAll(server, principal, PERMISSIONS, at.tenant(tenant));
});

const inTenant = (): { readonly query: { readonly tenantId: string } } => ({ query: { tenantId: tenant.id } });

/** A stolen credential, with the ids by which its owner can end it. */
interface Stolen {
  readonly id: string;
  readonly ownerId: string;
  readonly client: ApiClient;
}

async function stolenToken(): Promise<Stolen> {
  const { token, key } = await createPersonalAccessToken(server, user, { permissionMode: PersonalAccessTokenPermissionMode.InheritOwner });
  return { id: token.id, ownerId: user.id, client: server.client({ 'x-personal-token': key }) };
}

async function stolenKey(): Promise<Stolen> {
  const { account, credential, key } = await createServiceAccountWithKey(server, { tenantId: tenant.id });
  await grantAll(server, holder.serviceAccount(account), PERMISSIONS, at.tenant(tenant));
  return { id: credential.id, ownerId: account.id, client: server.client({ 'x-api-key': key }) };
}

interface Made {
  readonly id: string;
  readonly client: ApiClient;
}

/** Makes a token that can make others in turn, for the caller or for another user. */
async function makeToken(client: ApiClient, forUser?: User): Promise<Made> {
  const scopes = PERMISSIONS.map(({ name }) => ({ permissionName: name, scopeKind: 'Tenant', scopeId: tenant.id }));
  const path = forUser === undefined ? '/api/v1/personal-access-tokens' : `/api/v1/users/${forUser.id}/personal-access-tokens`;
  const answer = await client.post(path, { ...inTenant(), body: { name: newGuid(), scopes } });
  expect(answer.status).toBe(201);
  const made = answer.as<{ personalAccessToken: { id: string }; plainTextToken: string }>();
  return { id: made.personalAccessToken.id, client: server.client({ 'x-personal-token': made.plainTextToken }) };
}

/** Makes a logon token, and opens its link in a browser. */
async function makeLogonToken(client: ApiClient): Promise<{ readonly id: string; readonly browser: Browser }> {
  const device = await createDevice(server, { tenantId: tenant.id });
  const body = { tenantId: tenant.id, deviceId: device.id, userId: other.id, expirationMinutes: 60, permissions: ['device.read'] };
  const answer = await client.post('/api/v1/logon-tokens/user', { body });
  expect(answer.status).toBe(200);
  const [row] = await server.dataSource.query<{ id: string }[]>('SELECT id FROM logon_tokens WHERE device_id = $1', [device.id]);
  const browser = new Browser(server);
  expect((await browser.get(answer.as<{ deviceAccessUrl: string }>().deviceAccessUrl)).status).toBe(303);
  return { id: row.id, browser };
}

/** A stolen credential makes a token for another user, that token makes another one, and this one a third and a logon token. */
async function makeChain({
  client,
}: Stolen): Promise<{ readonly tokens: readonly Made[]; readonly logonTokenId: string; readonly browser: Browser }> {
  const first = await makeToken(client, other);
  const second = await makeToken(first.client);
  const third = await makeToken(second.client);
  const { id, browser } = await makeLogonToken(second.client);
  return { tokens: [first, second, third], logonTokenId: id, browser };
}

const statusOf = async ({ client }: { readonly client: Pick<Browser, 'get'> }): Promise<number> =>
  (await client.get('/api/v1/user-server-settings/file-upload-max-size')).status;

const statusesOf = (tokens: readonly Made[]): Promise<number[]> => Promise.all(tokens.map(statusOf));

async function countOf(table: string, column: string, id: string): Promise<number> {
  const rows = await server.dataSource.query<{ count: number }[]>(`SELECT count(*)::integer AS count FROM ${table} WHERE ${column} = $1`, [
    id,
  ]);
  return rows[0].count;
}

const remove = async (path: string): Promise<void> =>
  expect((await server.client().delete(`/api/v1/${path}`, inTenant())).status).toBe(204);

type End = (stolen: Stolen) => Promise<unknown>;

const keyPath = ({ id, ownerId }: Stolen): string => `tenant-service-accounts/${tenant.id}/${ownerId}/credentials/${id}`;

const ENDS: [string, () => Promise<Stolen>, End][] = [
  ['a token that is deleted by an administrator', stolenToken, ({ id }) => remove(`users/${user.id}/personal-access-tokens/${id}`)],
  [
    'a token that deletes itself',
    stolenToken,
    async ({ id, client }) => expect((await client.delete(`/api/v1/personal-access-tokens/${id}`, inTenant())).status).toBe(204),
  ],
  ['a token whose user is deleted', stolenToken, ({ ownerId }) => remove(`users/${ownerId}`)],
  ['a key that is revoked', stolenKey, (stolen) => remove(keyPath(stolen))],
  ['a key whose account is deleted', stolenKey, ({ ownerId }) => remove(`tenant-service-accounts/${tenant.id}/${ownerId}`)],
];

describe('tokens that a credential has made end with it', () => {
  it.each(ENDS)('%s', async (_what, steal, end) => {
    const stolen = await steal();
    const { tokens, logonTokenId, browser } = await makeChain(stolen);
    const bystander = await makeToken((await stolenKey()).client, other);
    expect(await statusesOf([...tokens, bystander])).toEqual([200, 200, 200, 200]);
    expect(await statusOf({ client: browser })).toBe(200);

    await end(stolen);
    expect(await statusesOf([...tokens, bystander])).toEqual([401, 401, 401, 200]);
    await eventually('the session ends', async () => (await statusOf({ client: browser })) === 401, DEADLINE_MS);
    expect(await countOf('logon_tokens', 'id', logonTokenId)).toBe(0);
    for (const id of [...tokens.map((token) => token.id), logonTokenId]) {
      expect(await countOf('permission_assignments', 'principal_id', id)).toBe(0);
    }
    const last = async (id: string): Promise<unknown> => (await changesOf(server, id)).at(-1);
    expect(await last(tokens[2].id)).toMatchObject({
      action: 'personal-access-token-deleted',
      before: { userId: other.id, madeWithCredentialId: tokens[1].id },
    });
    expect(await last(tokens[0].id)).toMatchObject({
      action: 'personal-access-token-deleted',
      before: { madeWithCredentialId: stolen.id },
    });
    expect(await last(logonTokenId)).toMatchObject({ action: 'logon-token-deleted', before: { madeWithCredentialId: tokens[1].id } });
  });

  it.each([
    ['deleted', 'DELETE FROM personal_access_tokens WHERE id = $1'],
    ['revoked', 'UPDATE personal_access_tokens SET revoked_at = now() WHERE id = $1'],
  ])('on every node, also where another node or an operator has %s it', async (_what, sql) => {
    const stolen = await stolenToken();
    const { tokens } = await makeChain(stolen);
    expect(await statusesOf(tokens)).toEqual([200, 200, 200]);
    await server.dataSource.query(sql, [stolen.id]);
    await eventually('the tokens are refused', async () => (await statusesOf(tokens)).every((status) => status === 401), DEADLINE_MS);
  });

  it('in a chain of any length', async () => {
    const stolen = await stolenToken();
    const links = [stolen.id, ...Array.from({ length: CHAIN_LENGTH }, newGuid)];
    await server.dataSource.query(
      `INSERT INTO personal_access_tokens (id, user_id, name, hashed_secret, made_with_credential_id)
       SELECT id, $1, 'link ' || id, '', made_with FROM unnest($2::uuid[], $3::uuid[]) AS link(id, made_with)`,
      [user.id, links.slice(1), links.slice(0, -1)],
    );
    await remove(`users/${user.id}/personal-access-tokens/${stolen.id}`);
    expect(await countOf('personal_access_tokens', 'user_id', user.id)).toBe(0);
    expect((await changesOf(server, links[CHAIN_LENGTH])).map(({ action }) => action)).toEqual(['personal-access-token-deleted']);
  });

  describe('while it makes one more', () => {
    let observer: Client;

    beforeEach(async () => {
      observer = new Client(server.database.connection);
      await observer.connect();
      // A token waits here when it is as good as made: everything has been checked, and the commit has begun.
      await observer.query(`
        CREATE FUNCTION wait_at_commit() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN PERFORM pg_advisory_xact_lock(${COMMIT_LOCK}); RETURN NULL; END $$`);
      await observer.query(`
        CREATE CONSTRAINT TRIGGER wait_at_commit AFTER INSERT ON personal_access_tokens DEFERRABLE INITIALLY DEFERRED
          FOR EACH ROW EXECUTE FUNCTION wait_at_commit()`);
    });

    afterEach(async () => {
      await observer.query('DROP FUNCTION wait_at_commit CASCADE');
      await observer.end();
    });

    const waiting = async (): Promise<number> => {
      const { rows } = await observer.query<{ count: number }>(
        `SELECT count(*)::integer AS count FROM pg_stat_activity
         WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`,
      );
      return rows[0].count;
    };

    it.each([ENDS[0], ENDS[3]])('%s', async (_what, steal, end) => {
      const stolen = await steal();
      await observer.query(`SELECT pg_advisory_lock(${COMMIT_LOCK})`);
      const making = makeToken(stolen.client, other);
      await eventually('the token is about to be made', async () => (await waiting()) === 1);
      const state = { isOver: false };
      const ending = end(stolen).finally(() => (state.isOver = true));
      await eventually('the end has come as far as it can', async () => state.isOver || (await waiting()) === 2);
      await observer.query(`SELECT pg_advisory_unlock(${COMMIT_LOCK})`);
      const made = await making;
      await ending;
      expect(await statusOf(made)).toBe(401);
    });
  });
});

describe('tokens that a credential has made stay', () => {
  it('when a token that was made with it is deleted, and when its account is disabled', async () => {
    const stolen = await stolenKey();
    const { tokens } = await makeChain(stolen);
    await remove(`users/${other.id}/personal-access-tokens/${tokens[1].id}`);
    expect(await statusesOf(tokens)).toEqual([200, 401, 401]);
    await server.dataSource.query('UPDATE service_accounts SET is_enabled = false WHERE id = $1', [stolen.ownerId]);
    expect(await statusesOf(tokens)).toEqual([200, 401, 401]);
  });
});
