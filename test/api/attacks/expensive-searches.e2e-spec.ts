import { request } from 'node:http';

import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Client } from 'pg';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import type { ApiAnswer, ApiClient } from '../../support/application/api-client.js';
import { ROOT_KEY } from '../../support/application/app.js';
import { accountWith, detailOf, wrongFieldsOf } from '../../support/callers/callers.js';
import { eventually, settled } from '../../support/eventually.js';
import { at, createDevice } from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

/*
 * Searches that cost as much as possible: with many filters and orders, without an end, many at a time, and by callers who leave
 * before the answer. The attacker tries to keep the database busy, and to take all connections to it. A table that is locked stands in for
 * the long work of a search.
 */

const PATH = '/api/v1/devices/search';
/** Searches of one caller that run at a time. */
const RUNNING = 4;

const server = testServer();
const tenant = testTenant(server);
let reader: ApiClient;
let holder: Client;

const search = (body: object, client = reader): Promise<ApiAnswer> => client.post(PATH, { body });

/** Statements that wait for the locked table. */
async function stuckSearches(): Promise<number> {
  // Not through the holder: within a transaction, PostgreSQL shows the same activity again and again.
  const [{ count }] = await server.dataSource.query<{ count: number }[]>(
    `SELECT count(*)::integer AS count FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%device_search_texts%' AND pid <> pg_backend_pid()`,
  );
  return count;
}

beforeAll(async () => {
  reader = await accountWith(server, tenant, [Permission.DeviceRead, at.tenant(tenant)]);
  await createDevice(server, { tenantId: tenant.id, name: 'front desk' });
});

beforeEach(async () => {
  holder = new Client(server.database.connection);
  await holder.connect();
});

afterEach(async () => {
  await holder.end();
});

async function lockSearchTexts(): Promise<void> {
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE device_search_texts');
}

describe('a search', () => {
  it('with more filters or orders than anybody needs is refused', async () => {
    const filter = { propertyName: 'customerName', operator: 'not contains', value: 'x' };
    const many = await search({ filterDefinitions: Array.from({ length: 50 }, () => filter) });
    expect([many.status, wrongFieldsOf(many)]).toEqual([400, ['filterDefinitions']]);
    expect(JSON.stringify(many.body)).toContain('at most 20 items');
    const sorted = await search({ sortDefinitions: Array.from({ length: 20 }, () => ({ propertyName: 'customerName' })) });
    expect([sorted.status, wrongFieldsOf(sorted)]).toEqual([400, ['sortDefinitions']]);
    expect(JSON.stringify(sorted.body)).toContain('at most 5 items');
  });

  it('that takes too long is given up, and says what to change', async () => {
    await lockSearchTexts();
    const answer = await search({ searchText: 'desk' });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(detailOf(answer)).toBe('The search took longer than 5 seconds. Use fewer filters and orders, or a longer text to look for.');
    expect(await stuckSearches()).toBe(0);
    await holder.query('ROLLBACK');
    expect((await search({ searchText: 'desk' })).body).toMatchObject({ totalItems: 1 });
  });

  it('ends when its caller leaves', async () => {
    await lockSearchTexts();
    const call = request(`${server.url}${PATH}`, {
      method: 'POST',
      headers: { 'x-api-key': ROOT_KEY, 'content-type': 'application/json' },
    });
    call.on('error', () => undefined);
    call.end(JSON.stringify({ searchText: 'desk' }));
    await eventually('the search is under way', async () => (await stuckSearches()) === 1);
    call.destroy();
    // Long before its time-out.
    await eventually('the search is cancelled', async () => (await stuckSearches()) === 0, 4_000);
  });

  it('waits for those of its caller, and for no others', async () => {
    await lockSearchTexts();
    const searches = Array.from({ length: 30 }, () => search({ searchText: 'desk' }));
    expect(await settled('the number of searches under way', stuckSearches)).toBe(RUNNING);
    expect((await server.client().post(PATH, { body: {} })).status).toBe(200);
    await holder.query('ROLLBACK');
    expect((await Promise.all(searches)).some(({ status }) => status === 200)).toBe(true);
  });
});
