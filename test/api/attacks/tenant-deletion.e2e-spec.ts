import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Client } from 'pg';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { ChangeLog } from '../../../src/access/authorization/change-log/change-log.js';
import type { InviteResponseDto } from '../../../src/people/invites/invite.dto.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { UnitOfWork } from '../../../src/platform/database/queries/unit-of-work.js';
import { TenantRemoval } from '../../../src/tenants/tenants/tenant-removal.js';
import { TenantsRepository } from '../../../src/tenants/tenants/tenants.repository.js';
import type { ApiAnswer } from '../../support/application/api-client.js';
import { Browser, createPerson, PASSWORD } from '../../support/callers/browser.js';
import { accountWith, callingUser, detailOf } from '../../support/callers/callers.js';
import { createKeyedDevice, FakeAgent } from '../../support/devices/agents.js';
import { enrol, ReportingDevice } from '../../support/devices/reporting-device.js';
import { eventually } from '../../support/eventually.js';
import { at, createDevice, createTenant } from '../../support/fixtures/factories.js';
import { testServer } from '../../support/setup/test-server.js';

/*
 * A tenant with many devices is deleted, which takes long: here another transaction holds a row of it. The attacker tries to go on
 * using the tenant during that time, by its keys, tokens, users and agents, to make others wait for the deletion, and to keep the rest
 * when the process ends in the middle of it.
 */

const server = testServer();
/** Number of devices: more than two steps remove. */
const DEVICES = 1_200;
/** Time-out of calls that take some milliseconds. A call that waits for the deletion never ends. */
const DEADLINE_MS = 20_000;
let holder: Client;

beforeEach(async () => {
  holder = new Client(server.database.connection);
  await holder.connect();
});

afterEach(async () => {
  await holder.end();
});

async function countOf(table: string, tenantId: string): Promise<number> {
  const { rows } = await holder.query<{ count: number }>(`SELECT count(*)::integer AS count FROM ${table} WHERE tenant_id = $1`, [
    tenantId,
  ]);
  return rows[0].count;
}

async function addDevices(tenantId: string): Promise<void> {
  await holder.query(
    `INSERT INTO devices (id, tenant_id, name) SELECT gen_random_uuid(), $1, 'device ' || n FROM generate_series(1, ${DEVICES}) n`,
    [tenantId],
  );
}

async function isWaitedFor(): Promise<boolean> {
  // Not through the holder: within a transaction, PostgreSQL shows the same activity again and again.
  const rows = await server.dataSource.query<unknown[]>(
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`,
  );
  return rows.length > 0;
}

/** Waits until no node removes anything: the one that answered the deletion does the rest. */
const untilRemoved = async (): Promise<void> => {
  await Promise.all(server.nodes.map(({ app }) => app.get(TenantRemoval).idle()));
};

describe('a tenant whose deletion has begun', () => {
  it('is as if it did not exist, and nobody else waits', async () => {
    const root = server.client();
    const enrolment = await enrol(root);
    const { tenantId } = enrolment;
    const tenant = { id: tenantId };
    const account = await accountWith(server, tenant, [Permission.DeviceRead, at.tenant(tenant)]);
    const { client: user } = await callingUser(server, Object.assign(await createTenant(server), tenant), [Permission.TenantRead]);
    const device = await createKeyedDevice(server, tenant);
    const agent = server.alsoStop(await FakeAgent.online(server, device));
    const read = (client = root): Promise<ApiAnswer> => client.get(`/api/v1/devices/${device.id}`);
    expect([(await read()).status, (await read(account)).status]).toEqual([200, 200]);

    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM devices WHERE id = $1 FOR KEY SHARE', [device.id]);
    const deleted = root.delete(`/api/v1/tenants/${tenantId}`);
    await eventually('the deletion waits for the row', isWaitedFor);

    expect((await root.get(`/api/v1/tenants/${tenantId}`)).status).toBe(404);
    expect((await root.get('/api/v1/tenants')).text).not.toContain(tenantId);
    expect((await root.get('/api/v1/tags', { query: { tenantId } })).status).toBe(404);
    expect((await root.delete(`/api/v1/tenants/${tenantId}`)).status).toBe(404);
    expect((await root.post('/api/v1/customers', { query: { tenantId }, body: { name: 'new' } })).status).toBe(404);
    expect((await read()).status).toBe(404);
    expect((await root.get('/api/v1/devices')).text).not.toContain(device.id);
    expect((await root.post('/api/v1/devices/search', { body: {} })).text).not.toContain(device.id);
    expect([(await read(account)).status, (await user.get('/api/v1/devices')).status]).toEqual([401, 401]);
    await expect(ReportingDevice.register(server.url, enrolment)).rejects.toThrow();
    expect((await agent.heartbeat()).isSuccess).toBe(false);

    const other = await createTenant(server);
    const neighbour = server.alsoStop(await FakeAgent.online(server, await createKeyedDevice(server, other)));
    expect((await neighbour.heartbeat()).isSuccess).toBe(true);
    expect((await root.delete(`/api/v1/tenants/${other.id}`)).status).toBe(204);

    // The answer does not wait for the row.
    expect((await deleted).status).toBe(204);
    const removals = async () => ((await root.get('/api/v1/tenants/removals')).body as { items: readonly unknown[] }).items;
    await eventually('the other one is removed', async () => (await removals()).length === 1);
    expect(await removals()).toEqual([expect.objectContaining({ tenantId, remainingDeviceCount: 1 })]);

    await holder.query('ROLLBACK');
    await untilRemoved();
    expect(await removals()).toEqual([]);
    expect([await countOf('devices', tenantId), await countOf('users', tenantId)]).toEqual([0, 0]);
    expect((await holder.query('SELECT 1 FROM tenants WHERE id = $1', [tenantId])).rowCount).toBe(0);
  });

  it('signs nobody in, and says no more of its users than of unknown ones', async () => {
    const tenant = await createTenant(server);
    const device = await createDevice(server, { tenantId: tenant.id });
    const person = await createPerson(server, { tenantId: tenant.id });
    const body = { tenantId: tenant.id, inviteeEmail: `${newGuid()}@example.org` };
    const { inviteUrl } = (await server.client().post('/api/v1/invites', { query: { tenantId: tenant.id }, body })).as<InviteResponseDto>();
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM devices WHERE id = $1 FOR KEY SHARE', [device.id]);
    expect((await server.client().delete(`/api/v1/tenants/${tenant.id}`)).status).toBe(204);

    const [known, unknown] = [
      await new Browser(server).signIn(person),
      await new Browser(server).signIn({ userName: 'nobody@example.org' }),
    ];
    expect([known.status, detailOf(known)]).toEqual([401, detailOf(unknown)]);
    expect(known.headers.getSetCookie()).toEqual([]);
    const accepted = await new Browser(server).post('/api/invites/accept', {
      activationCode: inviteUrl?.split('/').at(-1),
      email: body.inviteeEmail,
      password: PASSWORD,
    });
    expect([accepted.status, accepted.body]).toEqual([200, { isSuccessful: false, errorMessage: expect.any(String) }]);
    expect(accepted.headers.getSetCookie()).toEqual([]);

    await holder.query('ROLLBACK');
    await untilRemoved();
    expect(await countOf('users', tenant.id)).toBe(0);
  });

  describe('and that has more devices than one step removes', () => {
    let tenantId: string;
    let deviceIds: string[];
    let deleted: Promise<ApiAnswer>;

    beforeEach(async () => {
      ({ id: tenantId } = await createTenant(server));
      await addDevices(tenantId);
      const { rows } = await holder.query<{ id: string }>('SELECT id FROM devices WHERE tenant_id = $1 ORDER BY id', [tenantId]);
      deviceIds = rows.map(({ id }) => id);
      await holder.query('BEGIN');
      await holder.query('SELECT 1 FROM devices WHERE id = $1 FOR KEY SHARE', [deviceIds.at(-1)]);
      deleted = server.client().delete(`/api/v1/tenants/${tenantId}`);
      await eventually('the deletion waits for the last device', isWaitedFor, DEADLINE_MS);
    });

    afterEach(async () => {
      await holder.query('ROLLBACK');
      expect((await deleted).status).toBe(204);
      await untilRemoved();
      expect(await countOf('devices', tenantId)).toBe(0);
    });

    it('has finished its first steps while the last one is held up', async () => {
      expect(await countOf('devices', tenantId)).toBeLessThan(DEVICES);
    });

    it('holds up nobody who needs what a finished step has removed', async () => {
      const state = { isRegistered: false };
      const registration = enrol(server.client())
        .then((elsewhere) => ReportingDevice.register(server.url, elsewhere, deviceIds[0]))
        .then(() => (state.isRegistered = true));
      await Promise.race([
        registration,
        eventually('one of its devices is registered in another tenant', () => state.isRegistered, DEADLINE_MS),
      ]);
    });
  });

  it('is removed later when the process died before the end', async () => {
    const tenant = await createTenant(server);
    const kept = await createTenant(server);
    await createDevice(server, { tenantId: kept.id });
    await addDevices(tenant.id);
    // The state in which the first step leaves a tenant.
    await holder.query('UPDATE tenants SET deleted_at = now() WHERE id = $1', [tenant.id]);
    const removal = server.app.get(TenantRemoval);
    expect(await removal.finishAll(AbortSignal.abort())).toBe(0);
    expect(await countOf('devices', tenant.id)).toBe(DEVICES);
    expect(await removal.finishAll(new AbortController().signal)).toBe(1);
    expect([await countOf('devices', tenant.id), await countOf('devices', kept.id)]).toEqual([0, 1]);
    expect(await removal.finishAll(new AbortController().signal)).toBe(0);
  });

  it('is removed once when a job of another process removes it, too', async () => {
    const tenant = await createTenant(server);
    await addDevices(tenant.id);
    await holder.query('UPDATE tenants SET deleted_at = now() WHERE id = $1', [tenant.id]);
    const removal = server.app.get(TenantRemoval);
    const finished = await Promise.all([1, 2].map(() => removal.finishAll(new AbortController().signal)));
    expect(finished).toEqual([1, 1]);
    expect(await countOf('devices', tenant.id)).toBe(0);
  });

  it('does not hold up a stop, and is removed after the next start', async () => {
    const tenant = await createTenant(server);
    await addDevices(tenant.id);
    await holder.query('UPDATE tenants SET deleted_at = now() WHERE id = $1', [tenant.id]);
    const stopping = new TenantRemoval(server.dataSource, new TenantsRepository(), server.app.get(UnitOfWork), server.app.get(ChangeLog));
    const started = stopping.start(tenant.id);
    await stopping.beforeApplicationShutdown();
    await started;
    expect(await countOf('devices', tenant.id)).toBeGreaterThan(0);
    expect(await server.app.get(TenantRemoval).finishAll(new AbortController().signal)).toBe(1);
    expect(await countOf('devices', tenant.id)).toBe(0);
  });
});
