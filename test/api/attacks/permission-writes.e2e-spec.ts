import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Client } from 'pg';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { ServiceAccountAccessMode } from '../../../src/people/service-accounts/service-account.entity.js';
import type { User } from '../../../src/people/users/user.entity.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import type { ApiAnswer } from '../../support/application/api-client.js';
import { callingUser, detailOf, statusesOf } from '../../support/callers/callers.js';
import { createKeyedDevice, FakeAgent } from '../../support/devices/agents.js';
import { eventually, settled } from '../../support/eventually.js';
import { createServiceAccountWithKey, createTenant, createUser } from '../../support/fixtures/factories.js';
import { testServer } from '../../support/setup/test-server.js';

/*
 * One tenant writes permissions as fast as it can, while the first of these writes cannot end. It tries to take all database
 * connections with the others, which wait for the same lock, so that other tenants, the reports of devices and the health check
 * wait with them.
 */

/** Parallel calls of the attack that was found. */
const PARALLEL = 60;
/** One write runs and 100 wait. */
const MORE_THAN_MAY_WAIT = 101 + 20;
/** Most requests that an account has under way. */
const OF_ONE_ACCOUNT = 30;

const server = testServer();
let attacked: Tenant;
let target: User;
let holder: Client;

const allow = (tenant: Tenant, user: User, permission: string, client = server.client()): Promise<ApiAnswer> =>
  client.post('/api/v1/permission-assignments', {
    query: { tenantId: tenant.id },
    body: { principalKind: 'User', principalId: user.id, permissionName: permission, effect: 'Allow', scopeKind: 'Tenant' },
  });

/** Connections on which a statement waits for a lock. */
async function waitingConnections(): Promise<number> {
  // Not through the holder: within a transaction, PostgreSQL shows the same activity again and again.
  const [{ count }] = await server.dataSource.query<{ count: number }[]>(
    `SELECT count(*)::integer AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return count;
}

beforeEach(async () => {
  attacked = await createTenant(server);
  target = await createUser(server, { tenantId: attacked.id });
  holder = new Client(server.database.connection);
  await holder.connect();
  // The first write takes its turn and then waits for the row of the user.
  await holder.query('BEGIN');
  await holder.query('SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [target.id]);
});

afterEach(async () => {
  await holder.end();
});

describe('parallel writes of permissions in one tenant', () => {
  it('wait without connections, so that everybody else is served', async () => {
    const other = await createTenant(server);
    const { user, client } = await callingUser(server, other, [Permission.TenantPermissionsRead]);
    const device = await createKeyedDevice(server, other);
    const agent = server.alsoStop(await FakeAgent.online(server, device));

    // Two accounts, because no account has so many requests under way.
    const accounts = [1, 2].map(() => createServiceAccountWithKey(server, { accessMode: ServiceAccountAccessMode.Unrestricted }));
    const attackers = (await Promise.all(accounts)).map(({ key }) => server.client({ 'x-api-key': key }));
    const writes = Array.from({ length: PARALLEL }, (_, index) =>
      allow(attacked, target, Permission.TenantRead.name, attackers[index % attackers.length]),
    );
    expect(await settled('the number of waiting connections', waitingConnections)).toBe(1);

    await agent.heartbeat();
    expect((await server.client({}).get('/health')).status).toBe(200);
    const read = await client.get('/api/v1/permission-assignments', {
      query: { tenantId: other.id, principalKind: 'User', principalId: user.id },
    });
    expect(read.status).toBe(200);
    expect((await allow(other, user, Permission.TenantRead.name)).status).toBe(201);

    await holder.query('COMMIT');
    expect(statusesOf(await Promise.all(writes))).toEqual([201, ...Array.from({ length: PARALLEL - 1 }, () => 409)]);
  });

  it('are refused when too many wait', async () => {
    const refused: ApiAnswer[] = [];
    const accounts = await Promise.all(
      Array.from({ length: Math.ceil(MORE_THAN_MAY_WAIT / OF_ONE_ACCOUNT) }, () =>
        createServiceAccountWithKey(server, { accessMode: ServiceAccountAccessMode.Unrestricted }),
      ),
    );
    const clients = accounts.map(({ key }) => server.client({ 'x-api-key': key }));
    const writes = Array.from({ length: MORE_THAN_MAY_WAIT }, async (_, index) => {
      const answer = await allow(attacked, target, Permission.TenantRead.name, clients[Math.floor(index / OF_ONE_ACCOUNT)]);
      if (answer.status === 503) refused.push(answer);
      return answer;
    });
    await eventually('the surplus is refused', () => refused.length === 20);
    expect(refused[0].headers.get('retry-after')).toBe('1');
    expect(detailOf(refused[0])).toBe(
      'Too many changes of permissions, users and groups in this tenant are under way. Try again in a second.',
    );
    await holder.query('COMMIT');
    await Promise.all(writes);
  });
});
