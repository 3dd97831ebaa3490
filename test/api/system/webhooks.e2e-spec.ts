import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ServerResponse } from 'node:http';

import { Webhook as StandardWebhook } from 'standardwebhooks';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { PermissionAssignment } from '../../../src/access/permission-assignments/permission-assignment.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { DeliveryRetention } from '../../../src/system/webhooks/delivery-retention.js';
import {
  WebhookDeliveryState,
  type WebhookDeliveryDto,
  type WebhookDto,
  type WebhookWithSecretDto,
} from '../../../src/system/webhooks/webhook.dto.js';
import { WebhookPause } from '../../../src/system/webhooks/webhook.entity.js';
import { WebhookSenderLimits } from '../../../src/system/webhooks/webhook-sender.js';
import { WebhooksRepository } from '../../../src/system/webhooks/webhooks.repository.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import type { ApiAnswer, ApiClient } from '../../support/application/api-client.js';
import { callingUser, changesOf, detailOf, wrongFieldsOf } from '../../support/callers/callers.js';
import { whileWaiting } from '../../support/callers/while-waiting.js';
import { eventually } from '../../support/eventually.js';
import { createTenant } from '../../support/fixtures/factories.js';
import { testServer } from '../../support/setup/test-server.js';
import { WebhookReceiver } from '../../support/stand-ins/webhook-receiver.js';

const PATH = '/api/webhooks';

/** More time for an answer than the busiest machine needs. */
const LONG_MS = 60_000;

/** Statement that keeps changes of a webhook waiting. */
const lockOf = (id: string): string => `SELECT 1 FROM webhooks WHERE id = '${id}' FOR UPDATE`;

describe('webhooks that may lead to this machine', () => {
  const server = testServer({ Service_Webhooks__AllowPrivateAddresses: 'true' });
  let receiver: WebhookReceiver;
  let tenant: Tenant;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    waitFor(LONG_MS);
  });
  afterAll(() => receiver.stop());
  beforeEach(async () => {
    tenant = await createTenant(server);
  });

  const query = () => ({ tenantId: tenant.id });
  const create = async (path: string, kinds: readonly string[] = []): Promise<WebhookWithSecretDto> =>
    (await server.client().post(PATH, { query: query(), body: { url: `${receiver.url}${path}`, kinds } })).as<WebhookWithSecretDto>();
  const get = async ({ id }: Pick<WebhookDto, 'id'>): Promise<WebhookDto> =>
    (await server.client().get(`${PATH}/${id}`, { query: query() })).as<WebhookDto>();
  const act = (webhook: Pick<WebhookDto, 'id'>, action: string) =>
    server.client().post(`${PATH}/${webhook.id}/${action}`, { query: query() });
  const deliveries = async ({ id }: Pick<WebhookDto, 'id'>): Promise<readonly WebhookDeliveryDto[]> =>
    (await server.client().get(`${PATH}/${id}/deliveries`, { query: query() })).as<{ items: readonly WebhookDeliveryDto[] }>().items;
  /** Writes an event as a transaction of the service does. */
  const write = (data: object = {}, kind = 'installer-key.used', tenantId = tenant.id) =>
    server.dataSource.query('INSERT INTO events (id, tenant_id, kind, data) VALUES ($1, $2, $3, $4)', [
      newGuid(),
      tenantId,
      kind,
      JSON.stringify(data),
    ]);
  /** Waits until the newest delivery has had so many attempts and its last one is over. */
  async function attempted(webhook: Pick<WebhookDto, 'id'>, attempts = 1): Promise<WebhookDeliveryDto> {
    let newest: WebhookDeliveryDto | undefined;
    await eventually(`attempt ${attempts} is over`, async () => {
      [newest] = await deliveries(webhook);
      return newest !== undefined && newest.attempts >= attempts && newest.lastMilliseconds !== null;
    });
    if (newest === undefined) throw new Error('There is no delivery.');
    return newest;
  }
  const makeDue = (webhook: Pick<WebhookDto, 'id'>) =>
    server.dataSource.query(
      'UPDATE webhook_deliveries SET next_attempt_at = now(), last_milliseconds = NULL WHERE webhook_id = $1 AND next_attempt_at IS NOT NULL',
      [webhook.id],
    );

  /** Lets receivers take so long for an answer. */
  function waitFor(timeoutMs: number): void {
    for (const { app } of server.nodes) Object.assign(app.get(WebhookSenderLimits), { timeoutMs });
  }

  it('get the events of the wanted kinds from now on, signed as Standard Webhooks says', async () => {
    await write({ count: 1 });
    await eventually(
      'the event is there',
      async () => ((await server.client().get('/api/events', { query: query() })).body as { items: object[] }).items.length === 1,
    );
    const { secret, id } = await create('/good', ['installer-key.used']);
    await write({}, 'device.online');
    await write({ count: 2 });
    await write({ count: 3 });
    const received = await receiver.gets('/good', 2);
    const bodies = received.map(
      ({ headers, body }) =>
        new StandardWebhook(secret).verify(body, headers as Record<string, string>) as {
          type: string;
          data: { id: string; data: { count: number } };
        },
    );
    expect(bodies.map(({ type }) => type)).toEqual(['installer-key.used', 'installer-key.used']);
    expect(new Set(bodies.map(({ data }) => data.data.count))).toEqual(new Set([2, 3]));
    expect(received.map(({ headers }) => headers['webhook-id'])).toEqual(bodies.map(({ data }) => data.id));
    expect(received[0].headers['content-type']).toBe('application/json');
    await eventually('both are delivered', async () =>
      (await deliveries({ id })).every(({ state }) => state === WebhookDeliveryState.Delivered),
    );
    const stored = await server.dataSource.query<object[]>('SELECT * FROM webhooks WHERE id = $1', [id]);
    expect(JSON.stringify(stored)).not.toContain(secret.slice('whsec_'.length));
    expect(() => new StandardWebhook(secret).verify(`${received[0].body} `, received[0].headers as Record<string, string>)).toThrow();
  });

  it('are signed with both secrets while one is replaced', async () => {
    const webhook = await create('/replaced');
    const { secret } = (await act(webhook, 'secret')).as<WebhookWithSecretDto>();
    expect(secret).not.toBe(webhook.secret);
    await act(webhook, 'test');
    const [{ headers, body }] = await receiver.gets('/replaced', 1);
    for (const valid of [secret, webhook.secret]) new StandardWebhook(valid).verify(body, headers as Record<string, string>);
    await server.dataSource.query(`UPDATE webhooks SET former_secret_until = now() - interval '1 second' WHERE id = $1`, [webhook.id]);
    await act(webhook, 'test');
    const [, later] = await receiver.gets('/replaced', 2);
    new StandardWebhook(secret).verify(later.body, later.headers as Record<string, string>);
    expect(() => new StandardWebhook(webhook.secret).verify(later.body, later.headers as Record<string, string>)).toThrow();
  });

  it('are tried again after a failure, with the same id, and can be sent again', async () => {
    const webhook = await create('/failing');
    receiver.answers.set('/failing', (response) => response.writeHead(500).end('broken'));
    await write();
    expect(await attempted(webhook)).toMatchObject({ state: 'Waiting', lastStatus: 500, lastError: 'The receiver answered 500.' });
    expect((await get(webhook)).lastDelivery).toMatchObject({ state: 'Waiting', lastStatus: 500, lastError: 'The receiver answered 500.' });
    receiver.answers.delete('/failing');
    await makeDue(webhook);
    expect(await attempted(webhook, 2)).toMatchObject({ state: 'Delivered', lastStatus: 204, lastError: null, attempts: 2 });
    const [delivery] = await deliveries(webhook);
    const again = await server.client().post(`${PATH}/${webhook.id}/deliveries/${delivery.id}/redeliver`, { query: query() });
    expect(again.status).toBe(202);
    const received = await receiver.gets('/failing', 3);
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
  });

  it('are paused with an entry in the change log when attempts have failed for a day, and go on when they are resumed', async () => {
    const webhook = await create('/dead');
    receiver.answers.set('/dead', (response) => response.writeHead(503).end());
    await write({ count: 1 });
    for (let attempt = 1; attempt <= 11; attempt += 1) {
      await attempted(webhook, attempt);
      await makeDue(webhook);
    }
    expect(await get(webhook)).toMatchObject({ pause: 'Failing', pausedAt: expect.any(String) });
    expect((await deliveries(webhook))[0]).toMatchObject({ state: 'Failed', attempts: 11 });
    expect((await changesOf(server, webhook.id)).at(-1)).toMatchObject({ action: 'webhook-paused' });
    expect(detailOf(await act(webhook, 'test'))).toBe('The webhook is paused. Resume it first.');
    await write({ count: 2 });
    receiver.answers.delete('/dead');
    expect((await act(webhook, 'resume')).as<WebhookDto>().pause).toBeNull();
    const received = await receiver.gets('/dead', 12);
    expect((JSON.parse(received[11].body) as { data: { data: object } }).data.data).toMatchObject({ count: 2 });
  });

  it('are paused at once by 410', async () => {
    const webhook = await create('/gone');
    receiver.answers.set('/gone', (response) => response.writeHead(410).end());
    await write();
    await eventually('it is paused', async () => (await get(webhook)).pause === WebhookPause.Gone);
    expect((await deliveries(webhook))[0]).toMatchObject({ state: 'Failed', lastStatus: 410, attempts: 1 });
  });

  it('are not paused by an address that they no longer have, and send what it did not take to the new one', async () => {
    const held: ServerResponse[] = [];
    receiver.answers.set('/former', (response) => void held.push(response));
    const webhook = await create('/former');
    await write();
    await receiver.gets('/former', 1);
    await server.client().put(`${PATH}/${webhook.id}`, { query: query(), body: { url: `${receiver.url}/new-address` } });
    for (const response of held) response.writeHead(410).end();
    await receiver.gets('/new-address', 1);
    expect((await get(webhook)).pause).toBeNull();
  });

  it('keep the outcome of an attempt when an earlier one, which was taken for lost, ends with a failure', async () => {
    const webhook = await create('/taken');
    receiver.answers.set('/taken', (response) => response.writeHead(500).end());
    await write();
    await attempted(webhook);
    receiver.answers.delete('/taken');
    await makeDue(webhook);
    const { id } = await attempted(webhook, 2);
    const failure = { status: 500, error: null, milliseconds: 1, isDelivered: false, retryInMs: 0 };
    await server.app.get(WebhooksRepository, { strict: false }).finish(server.dataSource.manager, { id, attempts: 1 }, failure);
    expect((await deliveries(webhook))[0]).toMatchObject({ state: 'Delivered', lastStatus: 204 });
  });

  it.each<[string, (receiver: WebhookReceiver) => void, object]>([
    [
      'redirects',
      ({ answers }) => answers.set('/bad', (response) => response.writeHead(302, { location: '/elsewhere' }).end()),
      { lastStatus: 302, lastError: 'The receiver answered 302: redirects are not followed.' },
    ],
    [
      'never answers',
      ({ answers }) => {
        waitFor(1_000);
        answers.set('/bad', () => undefined);
      },
      { lastStatus: null, lastError: 'No complete answer within 1 s.' },
    ],
    [
      'never ends its answer',
      ({ answers }) => {
        waitFor(1_000);
        answers.set('/bad', (response) => response.writeHead(200).write('x'));
      },
      { lastError: 'No complete answer within 1 s.' },
    ],
    [
      'floods',
      ({ answers }) =>
        answers.set('/bad', (response) => {
          const flood = (): void => {
            while (!response.destroyed && response.write(Buffer.alloc(16_384)));
          };
          response.writeHead(200).on('drain', flood);
          flood();
        }),
      { lastStatus: 200, lastError: 'The answer is longer than 64 KiB.' },
    ],
    [
      'cuts the connection',
      ({ answers }) => answers.set('/bad', (response) => response.destroy()),
      { lastStatus: null, lastError: 'socket hang up' },
    ],
    [
      'lies about its length',
      ({ answers }) =>
        answers.set('/bad', (response) => response.writeHead(200, { 'content-length': '10' }).end('x', () => response.destroy())),
      { state: 'Waiting' },
    ],
  ])('count as failed when the receiver %s', async (_what, behave, outcome) => {
    const webhook = await create('/bad');
    behave(receiver);
    await write();
    expect(await attempted(webhook)).toMatchObject({ state: 'Waiting', ...outcome });
    expect(receiver.at('/elsewhere')).toEqual([]);
    await server.client().delete(`${PATH}/${webhook.id}`, { query: query() });
    receiver.answers.delete('/bad');
    waitFor(LONG_MS);
  });

  it('of slow receivers keep no other waiting', async () => {
    waitFor(1_000);
    const slow = await create('/slow');
    receiver.answers.set('/slow', () => undefined);
    for (let number = 0; number < 20; number += 1) await write();
    await receiver.gets('/slow', 2);
    const other = await createTenant(server);
    const url = `${receiver.url}/quick`;
    await server.client().post(PATH, { query: { tenantId: other.id }, body: { url } });
    const begun = receiver.at('/slow').length;
    await write({}, 'installer-key.used', other.id);
    await receiver.gets('/quick', 1);
    // Few of the slow ones were sent by then: each takes a second, and few are sent at once.
    expect(receiver.at('/slow').length - begun).toBeLessThan(15);
    receiver.answers.delete('/slow');
    await server.client().delete(`${PATH}/${slow.id}`, { query: query() });
    waitFor(LONG_MS);
  });

  it('of a tenant whose receivers are slow, and have all attempts, leave the next one to other tenants', async () => {
    const held: ServerResponse[] = [];
    receiver.answers.set('/tarpit', (response) => void held.push(response));
    const slow: WebhookDto[] = [];
    for (let number = 0; number < 17; number += 1) slow.push(await create('/tarpit'));
    const attempts = 32 * server.nodes.length;
    for (let number = 0; number < 4 * server.nodes.length; number += 1) await write();
    await eventually('every attempt is one of the tenant', () => held.length === attempts);
    const other = await createTenant(server);
    const body = { url: `${receiver.url}/in-turn` };
    const { id } = (await server.client().post(PATH, { query: { tenantId: other.id }, body })).as<WebhookDto>();
    await write({}, 'installer-key.used', other.id);
    const waiting = 'SELECT FROM webhook_deliveries WHERE webhook_id = $1';
    await eventually('a delivery waits', async () => (await server.dataSource.query<unknown[]>(waiting, [id])).length > 0);
    held.pop()?.writeHead(204).end();
    await receiver.gets('/in-turn', 1);
    const paths = receiver.received.map(({ path }) => path).filter((path) => ['/tarpit', '/in-turn'].includes(path));
    expect(paths.indexOf('/in-turn')).toBe(attempts);
    for (const webhook of slow) await server.client().delete(`${PATH}/${webhook.id}`, { query: query() });
    receiver.answers.delete('/tarpit');
    for (const response of held) response.writeHead(204).end();
  });

  it('are at most 20 in a tenant', async () => {
    for (let number = 0; number < 20; number += 1) await create(`/many-${number}`);
    const refused = await server.client().post(PATH, { query: query(), body: { url: `${receiver.url}/more` } });
    expect([refused.status, detailOf(refused)]).toEqual([400, 'A tenant can have at most 20 webhooks. Delete one first.']);
  });

  it('are at most 20 in a tenant when several are created at the same time', async () => {
    for (let number = 0; number < 19; number += 1) await create(`/many-${number}`);
    const post = (number: number) => server.client().post(PATH, { query: query(), body: { url: `${receiver.url}/more-${number}` } });
    const statuses = (await Promise.all([0, 1, 2, 3, 4, 5].map(post))).map(({ status }) => status);
    expect(statuses.sort((one, other) => one - other)).toEqual([201, 400, 400, 400, 400, 400]);
  });

  it('refuse kinds that there are not', async () => {
    const refused = await server.client().post(PATH, { query: query(), body: { url: receiver.url, kinds: ['device.exploded'] } });
    expect(wrongFieldsOf(refused)).toEqual(['kinds']);
  });

  it('are for callers who may read all events', async () => {
    const { client } = await callingUser(server, tenant, [Permission.TenantSettingsWrite, Permission.TenantEventsRead]);
    const refused = await client.post(PATH, { body: { url: receiver.url } });
    expect([refused.status, detailOf(refused)]).toEqual([403, expect.stringContaining('device.read')]);
    // Deliveries contain the events.
    const { id } = await create('/read');
    const list = await client.get(`${PATH}/${id}/deliveries`);
    expect([list.status, detailOf(list)]).toEqual([403, expect.stringContaining('device.read')]);
  });

  it.each<[what: string, lock: (id: string) => string, change: (client: ApiClient, id: string) => Promise<ApiAnswer>]>([
    [
      'created',
      () => `SELECT 1 FROM tenants WHERE id = '${tenant.id}' FOR UPDATE`,
      (client) => client.post(PATH, { body: { url: receiver.url } }),
    ],
    ['changed', lockOf, (client, id) => client.put(`${PATH}/${id}`, { body: { url: `${receiver.url}/other` } })],
    ['given another secret', lockOf, (client, id) => client.post(`${PATH}/${id}/secret`)],
    ['resumed', lockOf, (client, id) => client.post(`${PATH}/${id}/resume`)],
  ])('are not %s by a caller who may no longer read all events when it is their turn', async (_what, lock, change) => {
    const permissions = [Permission.TenantSettingsWrite, Permission.TenantEventsRead, Permission.DeviceRead];
    const { user, client } = await callingUser(server, tenant, permissions);
    const { id } = await create('/late');
    const answer = await whileWaiting(
      server,
      lock(id),
      () => change(client, id),
      () => server.dataSource.manager.delete(PermissionAssignment, { principalId: user.id, permissionName: Permission.DeviceRead.name }),
    );
    expect([answer.status, detailOf(answer)]).toEqual([403, expect.stringContaining('device.read')]);
  });

  it('keep their deliveries for seven days', async () => {
    const webhook = await create('/kept');
    await act(webhook, 'test');
    await attempted(webhook);
    await server.dataSource.query(`UPDATE webhook_deliveries SET created_at = created_at - interval '8 days' WHERE webhook_id = $1`, [
      webhook.id,
    ]);
    await act(webhook, 'test');
    expect(await server.app.get(DeliveryRetention).removeOld(new AbortController().signal)).toBe(1);
    expect(await deliveries(webhook)).toHaveLength(1);
  });
});

describe('webhooks of a server that allows public addresses only', () => {
  const server = testServer();

  it.each([
    ['http://8.8.8.8/', 'https://'],
    ['ftp://8.8.8.8/', 'https://'],
    ['no address', 'https://'],
    ['https://user:secret@8.8.8.8/', 'no user name'],
    ['https://127.0.0.1/', 'private network'],
    ['https://2130706433/', 'private network'],
    ['https://0x7f.1/', 'private network'],
    ['https://[::1]/', 'private network'],
    ['https://[::ffff:127.0.0.1]/', 'private network'],
    ['https://[64:ff9b::7f00:1]/', 'private network'],
    ['https://169.254.169.254/latest/meta-data', 'private network'],
    ['https://100.64.0.1/', 'private network'],
    ['https://localhost/', 'private network'],
  ])('refuse %s', async (url, reason) => {
    const tenant = await createTenant(server);
    const refused = await server.client().post(PATH, { query: { tenantId: tenant.id }, body: { url } });
    expect([refused.status, wrongFieldsOf(refused)]).toEqual([400, ['url']]);
    expect(refused.text).toContain(reason);
  });

  it.each(['https://127.0.0.1:1/', 'https://localhost:1/', 'https://[::ffff:127.0.0.1]:1/'])(
    'connect to no private address that they lead to after they were saved: %s',
    async (url) => {
      const tenant = await createTenant(server);
      const id = newGuid();
      // As when the name of a saved webhook resolves otherwise the second time.
      await server.dataSource.query(
        `INSERT INTO webhooks (id, tenant_id, url, kinds, secret_version, last_number) VALUES ($1, $2, $3, '{}', 1, 0)`,
        [id, tenant.id, url],
      );
      const query = { tenantId: tenant.id };
      await server.client().post(`${PATH}/${id}/test`, { query });
      let items: readonly WebhookDeliveryDto[] = [];
      await eventually('the attempt is over', async () => {
        ({ items } = (await server.client().get(`${PATH}/${id}/deliveries`, { query })).as<{ items: readonly WebhookDeliveryDto[] }>());
        return items[0]?.lastMilliseconds !== null;
      });
      expect(items[0]).toMatchObject({
        state: 'Waiting',
        lastStatus: null,
        lastError: expect.stringContaining('not of the public internet'),
      });
    },
  );
});
