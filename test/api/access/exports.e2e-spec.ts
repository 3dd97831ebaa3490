import { beforeAll, describe, expect, it, vi } from 'vitest';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { ActsRepository } from '../../../src/access/change-logs/acts/acts.repository.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { ROOT_KEY } from '../../support/application/app.js';
import { settled } from '../../support/eventually.js';
import { callingUser } from '../../support/callers/callers.js';
import { createDevice, createUser } from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

const LONG = 240_000;
const MANY = 100_000;
/** Items of a page of an export. */
const PAGE = 500;
/** Received bytes after which memory is measured. */
const SAMPLE = 10_000_000;
/** Growth of held memory while a file of some 70 MB is sent, in bytes: what is on its way at one time. */
const MAXIMUM_GROWTH = 40 * 1024 * 1024;

const server = testServer();
const tenant = testTenant(server);
const large = testTenant(server);

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Memory that is in use after garbage was collected, in bytes. */
function heldMemory(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Opens an export without reading it. */
async function open(path: string): Promise<IncomingMessage> {
  const asking = get(new URL(path, server.url), { headers: { 'x-api-key': ROOT_KEY }, agent: false });
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  return response;
}

const linesOf = (text: string): object[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as object);

describe('the change log as a file', () => {
  const query = (values: Record<string, string>) => ({ query: { tenantId: tenant.id, ...values } });

  beforeAll(async () => {
    for (const name of ['=1+1', 'Workshop, "old"', 'Garage']) {
      (
        await server.client().post('/api/v1/installer-keys', { body: { tenantId: tenant.id, keyType: 'Persistent', friendlyName: name } })
      ).as<unknown>();
    }
    await server.dataSource.query(
      `INSERT INTO authorization_change_logs (id, action_type, actor_principal_type, target_type, owning_tenant_id, before_json)
       VALUES (gen_random_uuid(), '=HYPERLINK("http://example.org")', 'user', 'Tag', $1, E'+1\n2')`,
      [tenant.id],
    );
  });

  it('has one entry of the list in each line', async () => {
    const answer = await server.client().get('/account/change-log/export', query({}));
    const { items } = (await server.client().get('/account/change-log/entries', query({}))).as<{ items: object[] }>();
    expect(items).toHaveLength(4);
    expect(linesOf(answer.text)).toEqual(items);
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="change-log-\d{4}-\d\d-\d\d\.jsonl"$/);
  });

  it('is a table that no spreadsheet takes for formulas', async () => {
    const { text, headers } = await server.client().get('/account/change-log/export', query({ format: 'Csv' }));
    expect(headers.get('content-disposition')).toMatch(/\.csv"$/);
    expect(text).toMatch(/^id,createdAt,actionType,/);
    expect(text).toContain(`,"'=HYPERLINK(""http://example.org"")",`);
    expect(text).toContain(`"'+1\n2"`);
    expect(text).toContain(`,'=1+1,`);
    expect(text).toContain(`,"Workshop, ""old""",`);
  });

  it('has only what the filters of the search let through', async () => {
    const answer = await server.client().get('/account/change-log/export', query({ actions: 'installer-key-created', search: 'Garage' }));
    expect(linesOf(answer.text)).toHaveLength(1);
  });

  it('is refused for a tenant that does not exist, as an answer and not as a file', async () => {
    const answer = await server.client().get('/account/change-log/export', { query: { tenantId: newGuid() } });
    expect([answer.status, answer.headers.get('content-disposition')]).toEqual([404, null]);
  });

  it('of the server has its entries', async () => {
    const answer = await server.client().get('/account/change-log/server/export');
    const { items } = (await server.client().get('/account/change-log/server/entries', { query: { pageSize: 200 } })).as<{
      items: object[];
    }>();
    expect(linesOf(answer.text)).toEqual(items);
  });

  describe('with 100,000 entries', () => {
    beforeAll(async () => {
      await server.dataSource.query(
        `INSERT INTO authorization_change_logs (id, created_at, action_type, actor_principal_type, target_type, target_id, owning_tenant_id, after_json)
         SELECT gen_random_uuid(), now() - n * interval '1 second', 'tag-created', 'user', 'Tag', gen_random_uuid(), $1, '{"name":"' || repeat('x', 200) || '"}'
         FROM generate_series(1, $2::integer) AS n`,
        [large.id, MANY],
      );
      await server.dataSource.query('ANALYZE authorization_change_logs, change_log_subjects');
    }, LONG);

    it(
      'is whole, and sent without being held',
      async () => {
        const response = await open(`/account/change-log/export?tenantId=${large.id}`);
        const before = heldMemory();
        let [lines, received, most] = [0, 0, 0];
        for await (const chunk of response as AsyncIterable<Buffer>) {
          for (const byte of chunk) if (byte === 0x0a) lines += 1;
          if (Math.floor(received / SAMPLE) < Math.floor((received += chunk.length) / SAMPLE)) most = Math.max(most, heldMemory());
        }
        expect(lines).toBe(MANY);
        expect(received).toBeGreaterThan(2 * SAMPLE);
        expect(most - before).toBeLessThan(MAXIMUM_GROWTH);
      },
      LONG,
    );

    it(
      'is read from the database only as fast as the client reads, and no more when the client leaves',
      async () => {
        const read = vi.spyOn(server.app.get(ActsRepository), 'entries');
        const response = await open(`/account/change-log/export?tenantId=${large.id}`);
        const waiting = await settled('the number of pages', () => read.mock.calls.length);
        expect(waiting).toBeLessThan(MANY / PAGE / 2);
        response.destroy();
        expect(await settled('the number of pages', () => read.mock.calls.length)).toBeLessThanOrEqual(waiting + 1);
        read.mockRestore();
      },
      LONG,
    );
  });
});

describe('the security log as a file', () => {
  it('has the entries of a tenant, of a user, or of the caller', async () => {
    const reader = await callingUser(server, tenant, []);
    const other = await createUser(server, { tenantId: tenant.id });
    for (const { id } of [reader.user, other]) {
      await server.dataSource.query(
        `INSERT INTO security_events (id, tenant_id, user_id, user_name, kind, user_agent) VALUES (gen_random_uuid(), $1, $2, '@anna', 'SignedIn', 'curl')`,
        [tenant.id, id],
      );
    }
    const ofTenant = await server.client().get('/account/security-log/tenant/export', { query: { tenantId: tenant.id, format: 'Csv' } });
    expect(ofTenant.text).toMatch(/^id,createdAt,userId,userName,kind,/);
    expect(ofTenant.text.match(/,'@anna,SignedIn,/g)).toHaveLength(2);
    const ofUser = await server
      .client()
      .get('/account/security-log/tenant/export', { query: { tenantId: tenant.id, userId: other.id, part: 'SignIns' } });
    expect(linesOf(ofUser.text)).toMatchObject([{ userId: other.id, kind: 'SignedIn' }]);
    const own = await reader.client.get('/account/security-log/export');
    expect(linesOf(own.text)).toMatchObject([{ userId: reader.user.id }]);
  });
});

describe('the activity on a device as a file', () => {
  it('has the records that match, over several pages', async () => {
    const device = await createDevice(server, { tenantId: tenant.id });
    await server.dataSource.query(
      `INSERT INTO device_activities (id, tenant_id, device_id, kind, principal_kind, principal_name, subject, started_at, node_id, correlation_id)
       SELECT gen_random_uuid(), $1, $2, CASE WHEN n = 1 THEN 'Upload' ELSE 'Download' END, 'User', 'anna', '-' || n, now() - n * interval '1 s', gen_random_uuid(), 'made-up'
       FROM generate_series(1, $3::integer) AS n`,
      [tenant.id, device.id, 2 * PAGE + 1],
    );
    const path = `/account/device-activity/${device.id}/export`;
    const all = linesOf((await server.client().get(path)).text) as { subject: string }[];
    expect(all.map(({ subject }) => subject)).toEqual(Array.from({ length: 2 * PAGE + 1 }, (_, index) => `-${index + 1}`));
    const uploads = await server.client().get(path, { query: { kind: 'Upload', format: 'Csv' } });
    expect(uploads.text.split('\r\n')).toHaveLength(3);
    expect(uploads.text).toContain(`,'-1,`);
  });
});
