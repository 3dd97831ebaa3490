import { once } from 'node:events';
import { request, type IncomingMessage, type ServerResponse } from 'node:http';

import { beforeAll, describe, expect, it, vi } from 'vitest';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { Device } from '../../../src/devices/devices/device.entity.js';
import type { DeviceResponseDto, DeviceSummaryDto } from '../../../src/devices/devices/device.dto.js';
import { DevicesRepository } from '../../../src/devices/devices/devices.repository.js';
import { poolOf } from '../../../src/platform/database/queries/read-rows.js';
import { accountWith } from '../../support/callers/callers.js';
import { settled } from '../../support/eventually.js';
import { at, createCustomer, createDevice, createServiceAccountWithKey, grant, holder } from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

describe('a large list of devices', () => {
  const server = testServer();
  const large = testTenant(server);
  const COUNT = 9_000;
  /** The first page has 100 devices, the others 160. */
  const PAGES = 57;
  let reader: string;

  beforeAll(async () => {
    // Nothing is searched here.
    await server.dataSource.query('ALTER TABLE devices DISABLE TRIGGER device_search_text_on_insert');
    await server.dataSource.query(
      `INSERT INTO devices (id, tenant_id, name, agent_version, os_description, current_users, mac_addresses, drives, created_at)
       SELECT gen_random_uuid(), $1, 'device ' || n, '1.2.3.4', repeat('long ', 50), '{ann,bob}', '{00AABBCCDDEE}',
              '[{"name":"/","driveType":"Fixed","rootDirectory":"/","driveFormat":"ext4","freeSpace":1,"totalSize":2,"volumeLabel":""}]',
              '2026-01-01T00:00:00Z'::timestamptz + (n / 3) * interval '1 microsecond'
       FROM generate_series(1, $2::integer) n`,
      [large.id, COUNT],
    );
    await server.dataSource.query('ANALYZE devices');
    const { account, key } = await createServiceAccountWithKey(server, { tenantId: large.id });
    await grant(server, { principal: holder.serviceAccount(account), permission: Permission.DeviceRead, scope: at.tenant(large) });
    reader = key;
  });

  /** Requests the list without reading it; returns both ends of the exchange. */
  async function open(key = reader): Promise<{ received: IncomingMessage; sent: ServerResponse }> {
    const sending = new Promise<ServerResponse>((resolve) => {
      server.app.getHttpServer().once('request', (_request: IncomingMessage, response: ServerResponse) => resolve(response));
    });
    const received = new Promise<IncomingMessage>((resolve, reject) => {
      request(new URL('/api/v1/devices', server.url), { headers: { 'x-api-key': key }, agent: false }, resolve)
        .on('error', reject)
        .end();
    });
    return { sent: await sending, received: await received };
  }

  /** Counts the pages that lists read, and can make one fail. */
  function watchPages(failAt = 0): { started: number; finished: number; readonly restore: () => void } {
    const repository = server.app.get(DevicesRepository);
    const page = repository.page.bind(repository);
    const watch = { started: 0, finished: 0, restore: () => void Reflect.deleteProperty(repository, 'page') };
    repository.page = async (manager, scope, after, limit) => {
      watch.started += 1;
      const failing = { sql: '1 / 0 = 1', parameters: [] };
      const rows = await page(manager, watch.started === failAt ? failing : scope, after, limit);
      watch.finished += 1;
      return rows;
    };
    return watch;
  }

  /** The number of pages read when the list waits for its reader and not for the database. */
  function pagesUntilHeld(sent: ServerResponse, pages: { readonly started: number; readonly finished: number }): Promise<number> {
    // NaN never equals itself, so the figure is not settled.
    const isHeld = (): boolean => sent.writableNeedDrain && pages.started === pages.finished;
    return settled('the number of pages', () => (isHeld() ? pages.finished : Number.NaN));
  }

  it('contains every device once, although many share their time of creation', async () => {
    const devices = (await server.client({ 'x-api-key': reader }).get('/api/v1/devices')).as<DeviceResponseDto[]>();
    expect(devices).toHaveLength(COUNT);
    expect(new Set(devices.map(({ id }) => id)).size).toBe(COUNT);
    const summaries = (await server.client({ 'x-api-key': reader }).get('/api/v1/devices/summary')).as<DeviceSummaryDto[]>();
    expect(summaries.map(({ id }) => id)).toEqual(devices.map(({ id }) => id));
  });

  it('waits for a slow reader without reading ahead, and then is complete', async () => {
    const pages = watchPages();
    try {
      const { sent, received } = await open();
      const before = await pagesUntilHeld(sent, pages);
      expect(before).toBeLessThan(PAGES);
      expect((await server.client().get('/api/v1/version/server')).status).toBe(200);
      expect(pages).toMatchObject({ started: before, finished: before });

      const text = (await received.setEncoding('utf8').toArray()).join('');
      expect(JSON.parse(text)).toHaveLength(COUNT);
      expect(pages.finished).toBe(PAGES);
    } finally {
      pages.restore();
    }
  });

  it('stops reading when its reader disconnects', async () => {
    const pages = watchPages();
    try {
      const { sent, received } = await open();
      await pagesUntilHeld(sent, pages);
      const gone = once(sent, 'close');
      received.destroy();
      await gone;
      const before = pages.started;
      expect((await server.client().get('/api/v1/version/server')).status).toBe(200);
      expect(pages).toMatchObject({ started: before, finished: before });
      expect(before).toBeLessThan(PAGES);
    } finally {
      pages.restore();
    }
  });

  it('cuts the connection when a page fails in the middle', async () => {
    const pages = watchPages(3);
    try {
      const { received } = await open();
      expect(received.statusCode).toBe(200);
      const read = async (): Promise<void> => {
        for await (const chunk of received) expect(chunk).toBeDefined();
      };
      await expect(read()).rejects.toMatchObject({ code: 'ECONNRESET' });
    } finally {
      pages.restore();
    }
  });

  it('leaves out what a slow reader may no longer read', async () => {
    const { account, key } = await createServiceAccountWithKey(server, { tenantId: large.id });
    const principal = holder.serviceAccount(account);
    const { id } = await grant(server, { principal, permission: Permission.DeviceRead, scope: at.tenant(large) });
    const device = await createDevice(server, { tenantId: large.id });
    await grant(server, { principal, permission: Permission.DeviceRead, scope: at.device(device) });
    const pages = watchPages();
    try {
      const { sent, received } = await open(key);
      await pagesUntilHeld(sent, pages);
      expect((await server.client().delete(`/api/v1/permission-assignments/${id}?tenantId=${large.id}`)).status).toBe(204);
      const devices = JSON.parse((await received.setEncoding('utf8').toArray()).join('')) as DeviceResponseDto[];
      expect(devices.length).toBeLessThan(COUNT);
      expect(devices.at(-1)?.id).toBe(device.id);
    } finally {
      pages.restore();
      await server.dataSource.manager.delete(Device, { id: device.id });
    }
  });

  it('is cut off when the credential of its slow reader is revoked', async () => {
    const { account, credential, key } = await createServiceAccountWithKey(server, { tenantId: large.id });
    await grant(server, { principal: holder.serviceAccount(account), permission: Permission.DeviceRead, scope: at.tenant(large) });
    const pages = watchPages();
    try {
      const { sent, received } = await open(key);
      const before = await pagesUntilHeld(sent, pages);
      const path = `/api/v1/tenant-service-accounts/${large.id}/${account.id}/credentials/${credential.id}`;
      expect((await server.client().delete(path)).status).toBe(204);
      await expect(received.toArray()).rejects.toMatchObject({ code: 'ECONNRESET' });
      expect(pages.started).toBeLessThan(before + 2);
    } finally {
      pages.restore();
    }
  });

  it('answers 500 when the first page fails', async () => {
    const pages = watchPages(1);
    try {
      const answer = await server.client().get('/api/v1/devices');
      expect(answer.status).toBe(500);
      expect(answer.headers.get('content-type')).toContain('application/problem+json');
    } finally {
      pages.restore();
    }
  });

  it('reads its pages with an index', async () => {
    const { manager } = server.dataSource;
    const query = vi.spyOn(poolOf(manager), 'query');
    await server.client({ 'x-api-key': reader }).get('/api/v1/devices');
    await server.client().get('/api/v1/devices');
    const queries = query.mock.calls as unknown as [string, unknown[]][];
    const pages = queries.filter(([sql]) => sql.includes('list_key'));
    query.mockRestore();
    expect(pages.length).toBeGreaterThan(2 * PAGES - 2);
    for (const [sql, parameters] of pages) {
      const plan = JSON.stringify(await manager.query(`EXPLAIN (FORMAT JSON) ${sql}`, parameters));
      expect(plan).toMatch(/"Index Name":"ix_devices_(tenant_id_)?created_at_id"/);
      expect(plan).not.toMatch(/"Sort Key":\["d\.created_at/);
    }
  });

  it('finds the devices of a customer with an index for a caller that may read no others', async () => {
    const customer = await createCustomer(server, { tenantId: large.id });
    const device = await createDevice(server, { tenantId: large.id, customerId: customer.id });
    await server.dataSource.query('ANALYZE devices');
    const client = await accountWith(server, large, [Permission.DeviceRead, at.customer(customer)]);
    const { manager } = server.dataSource;
    const query = vi.spyOn(poolOf(manager), 'query');
    const devices = (await client.get('/api/v1/devices')).as<DeviceResponseDto[]>();
    expect(devices.map(({ id }) => id)).toEqual([device.id]);
    const queries = query.mock.calls as unknown as [string, unknown[]][];
    const [sql, parameters] = queries.find(([text]) => text.includes('list_key')) ?? [];
    query.mockRestore();
    expect(JSON.stringify(await manager.query(`EXPLAIN (FORMAT JSON) ${sql}`, parameters))).toContain('ix_devices_customer_id');
  });
});
