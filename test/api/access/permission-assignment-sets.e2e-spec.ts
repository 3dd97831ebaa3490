import { describe, expect, it } from 'vitest';

import { SYSTEM } from '../../../src/access/authentication/principals/principal.js';
import { AuthorizationChangeLog } from '../../../src/access/authorization/change-log/change-log.entity.js';
import { AuthorizationService } from '../../../src/access/authorization/evaluation/authorization.service.js';
import { permissionPresets } from '../../../src/access/authorization/permissions/permission-presets.js';
import {
  Permission,
  permissionCatalog,
  PermissionEffect,
  PermissionScopeKind,
} from '../../../src/access/authorization/permissions/permission.js';
import { AssignmentLifecycle } from '../../../src/access/permission-assignments/assignment-lifecycle.js';
import type { DeleteManyPermissionAssignmentsResponseDto } from '../../../src/access/permission-assignments/permission-assignment.dto.js';
import { PermissionAssignment } from '../../../src/access/permission-assignments/permission-assignment.entity.js';
import { PermissionAssignmentsRepository } from '../../../src/access/permission-assignments/permission-assignments.repository.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { UnitOfWork } from '../../../src/platform/database/queries/unit-of-work.js';
import type { ProblemDetails } from '../../../src/platform/http/problems/problem-details.js';
import type { ApiAnswer } from '../../support/application/api-client.js';
import { wrongFieldsOf } from '../../support/callers/callers.js';
import {
  at,
  createDevice,
  createTenant,
  createUser,
  grant,
  holder,
  sessionOf,
  type Holder,
  type Scope,
} from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';
import { ASSIGNMENTS, assignment, assignmentCalls, termsOf } from './assignment-calls.js';

/* Writing many assignments in one call, and many calls at a time. */

const { Allow, Deny } = PermissionEffect;

const server = testServer();
const tenant = testTenant(server);
const { caller, create, freshUser, held, named } = assignmentCalls(server, tenant);

describe('batches', () => {
  const batch = (assignments: readonly object[], client = server.client()): Promise<ApiAnswer> =>
    client.post(`${ASSIGNMENTS}/batch`, { query: named(), body: { Assignments: assignments } });

  it('adds up to 1000 assignments of one principal, and no more', async () => {
    const principal = await freshUser();
    await server.dataSource.query(
      `INSERT INTO devices (id, tenant_id) SELECT ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, $1 FROM generate_series(1, 1000) n`,
      [tenant.id],
    );
    const device = (n: number): Scope => at.device({ id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`, tenantId: tenant.id });
    const thousand = Array.from({ length: 1000 }, (_, n) => assignment(principal, Permission.DeviceRead, device(n + 1)));
    expect((await batch([...thousand, assignment(principal, Permission.TenantRead, at.tenant(tenant))])).status).toBe(400);
    expect((await batch([])).status).toBe(400);
    const answer = await batch(thousand);
    expect([answer.status, answer.text]).toEqual([204, '']);
    const rows = await held(principal);
    expect(rows).toHaveLength(1000);
    const removed = await server
      .client()
      .post(`${ASSIGNMENTS}/batch-delete`, { query: named(), body: { assignmentIds: rows.map(({ id }) => id) } });
    expect(removed.as<DeleteManyPermissionAssignmentsResponseDto>().successIds).toHaveLength(1000);
    expect(await held(principal)).toEqual([]);
  });

  it('refuses a batch as a whole: mixed principals and wrong rows 400, duplicates 409', async () => {
    const principal = await freshUser();
    const good = assignment(principal, Permission.TenantRead, at.tenant(tenant));
    const mixed = await batch([good, assignment(await freshUser(), Permission.TenantRead, at.tenant(tenant))]);
    expect([mixed.status, wrongFieldsOf(mixed)]).toEqual([400, ['assignments[1].principalId']]);
    const wrong = await batch([good, assignment(principal, { name: 'no.such' }, at.tenant(tenant))]);
    expect([wrong.status, wrongFieldsOf(wrong)]).toEqual([400, ['assignments[1].permissionName']]);
    expect((await batch([good, { ...good, scopeId: null }])).status).toBe(409);
    await grant(server, { principal, permission: Permission.TenantTagsWrite, scope: at.tenant(tenant) });
    expect((await batch([good, assignment(principal, Permission.TenantTagsWrite, at.tenant(tenant))])).status).toBe(409);
    expect(termsOf(await held(principal))).toEqual(['Allow tenant.tags.write Tenant']);
  });

  it('deletes what is visible and names the rest; a row without authority fails the whole', async () => {
    const principal = await freshUser();
    const other = await createTenant(server);
    const allow = await grant(server, { principal, permission: Permission.TenantRead, scope: at.tenant(tenant) });
    const deny = await grant(server, { principal, permission: Permission.TenantRead, effect: Deny, scope: at.tenant(tenant) });
    const foreign = await grant(server, { principal: await freshUser(other), permission: Permission.TenantRead, scope: at.tenant(other) });
    const unknown = newGuid();
    const { client } = await caller([Permission.TenantPermissionsWrite]);
    const remove = (assignmentIds: readonly string[]): Promise<ApiAnswer> =>
      client.post(`${ASSIGNMENTS}/batch-delete`, { query: named(), body: { AssignmentIds: assignmentIds } });
    expect((await remove([allow.id, deny.id])).status).toBe(403);
    expect((await remove([allow.id, foreign.id, unknown, allow.id])).body).toEqual({
      successIds: [allow.id],
      failureIds: [foreign.id, unknown],
    });
    expect((await remove([])).body).toEqual({ successIds: [], failureIds: [] });
    expect((await remove(['x'])).status).toBe(400);
    expect((await remove(Array.from({ length: 1001 }, () => newGuid()))).status).toBe(400);
    expect(termsOf(await held(principal))).toEqual(['Deny tenant.read Tenant']);
  });
});

describe('replacing', () => {
  it('replaces any number of rows: more than a statement takes parameters', async () => {
    const { manager } = server.dataSource;
    const rows = Array.from({ length: 65_536 }, () => manager.create(PermissionAssignment, { id: newGuid() }));
    await expect(server.app.get(PermissionAssignmentsRepository, { strict: false }).remove(manager, rows)).resolves.toBeUndefined();
  });

  it('replaces the rows at the scope kinds that it names, and keeps the others', async () => {
    const principal = await freshUser();
    const device = await createDevice(server, { tenantId: tenant.id });
    await grant(server, { principal, permission: Permission.TenantRead, scope: at.tenant(tenant) });
    await grant(server, { principal, permission: Permission.TenantTagsWrite, effect: Deny, scope: at.tenant(tenant) });
    await grant(server, { principal, permission: Permission.DeviceRead, scope: at.device(device) });
    await grant(server, { principal, permission: Permission.ServerTenantsRead, scope: at.server });
    const assignments = [
      assignment(principal, Permission.TenantRead, at.tenant(tenant), { notes: 'kept' }),
      assignment(principal, Permission.TenantUsersRead, at.tenant(tenant)),
    ];
    const body = { principalKind: 'User', principalId: principal.id, assignments };
    const answer = await server.client().post(`${ASSIGNMENTS}/replace`, { query: named(), body });
    expect([answer.status, answer.text]).toEqual([204, '']);
    const rows = await held(principal);
    expect(termsOf(rows)).toEqual([
      'Allow device.read Device',
      'Allow server.tenants.read Server',
      'Allow tenant.read Tenant',
      'Allow tenant.users.read Tenant',
    ]);
    expect(rows.find(({ permissionName }) => permissionName === 'tenant.read')?.notes).toBe('kept');
  });

  it('changes nothing when one new row is wrong', async () => {
    const principal = await freshUser();
    await grant(server, { principal, permission: Permission.TenantRead, scope: at.tenant(tenant) });
    const wrong = assignment(principal, Permission.DeviceRead, { ...at.tenant(tenant), scopeKind: PermissionScopeKind.Device });
    const good = assignment(principal, Permission.TenantTagsWrite, at.tenant(tenant));
    const stranger = assignment(await freshUser(), Permission.TenantTagsWrite, at.tenant(tenant));
    for (const assignments of [[good, wrong], [good, stranger], []]) {
      const body = { principalKind: 'User', principalId: principal.id, assignments };
      expect((await server.client().post(`${ASSIGNMENTS}/replace`, { query: named(), body })).status).toBe(400);
    }
    expect(termsOf(await held(principal))).toEqual(['Allow tenant.read Tenant']);
  });
});

describe('applying presets', () => {
  const apply = (
    principal: Holder,
    presetNames: readonly string[],
    replaceExisting = false,
    client = server.client(),
  ): Promise<ApiAnswer> =>
    client.post(`${ASSIGNMENTS}/presets/apply`, {
      query: named(),
      body: { principalKind: principal.kind, principalId: principal.id, presetNames, replaceExisting },
    });

  it('grants each permission once at its broadest scope, and answers a bare number', async () => {
    const principal = await freshUser();
    const answer = await apply(principal, ['agent installer', 'Installer Key Manager', 'No such preset']);
    expect([answer.status, answer.headers.get('content-type'), answer.text]).toEqual([200, 'application/json; charset=utf-8', '3']);
    expect(termsOf(await held(principal))).toEqual([
      'Allow agent.install Tenant',
      'Allow installer-key.read Tenant',
      'Allow installer-key.write Tenant',
    ]);
    expect((await apply(principal, ['Agent Installer'])).body).toBe(0);
    // The contract's 13, and `tenant.events.read`.
    expect((await apply(principal, ['Server Administrator'])).body).toBe(14);
    expect(await held(principal)).toHaveLength(17);
  });

  it('keeps what is there when the body does not say whether to replace it', async () => {
    const principal = await freshUser();
    await grant(server, { principal, permission: Permission.TenantTagsWrite, scope: at.tenant(tenant) });
    const body = { principalKind: principal.kind, principalId: principal.id, presetNames: ['Agent Installer'] };
    const answer = await server.client().post(`${ASSIGNMENTS}/presets/apply`, { query: named(), body });
    expect([answer.status, answer.body]).toEqual([200, 3]);
    expect(termsOf(await held(principal))).toEqual([
      'Allow agent.install Tenant',
      'Allow installer-key.read Tenant',
      'Allow installer-key.write Tenant',
      'Allow tenant.tags.write Tenant',
    ]);
  });

  it('enables a disabled row, and puts the Allow beside a Deny that keeps winning', async () => {
    const principal = await freshUser();
    await grant(server, { principal, permission: Permission.AgentInstall, scope: at.tenant(tenant), isEnabled: false });
    await grant(server, { principal, permission: Permission.InstallerKeyRead, effect: Deny, scope: at.tenant(tenant) });
    await grant(server, { principal, permission: Permission.InstallerKeyWrite, scope: at.tenant(tenant) });
    expect((await apply(principal, ['Agent Installer'])).body).toBe(2);
    const rows = await held(principal);
    expect(termsOf(rows).sort()).toEqual([
      'Allow agent.install Tenant',
      'Allow installer-key.read Tenant',
      'Allow installer-key.write Tenant',
      'Deny installer-key.read Tenant',
    ]);
    expect(rows.every(({ isEnabled }) => isEnabled)).toBe(true);
  });

  it('replaces what stands at the same scope kinds when asked to', async () => {
    const principal = await freshUser();
    await grant(server, { principal, permission: Permission.TenantRead, scope: at.tenant(tenant) });
    await grant(server, { principal, permission: Permission.AgentInstall, effect: Deny, scope: at.tenant(tenant) });
    expect((await apply(principal, ['Agent Installer'], true)).body).toBe(3);
    expect((await apply(principal, ['Agent Installer'], true)).body).toBe(3);
    expect(await held(principal)).toHaveLength(3);
  });

  it('refuses names of which none is a preset, and presets beyond the rights of the caller', async () => {
    const principal = await freshUser();
    const unknown = await apply(principal, ['Emperor']);
    const sentence =
      'There is no preset "Emperor". The presets are Agent Installer, Device Superuser, Installer Key Manager, Self Service, ' +
      'Server Administrator, Service Account Manager, Tenant Administrator.';
    expect([unknown.status, (unknown.body as ProblemDetails).errors]).toEqual([400, { presetNames: [sentence] }]);
    expect((await apply(principal, [])).status).toBe(400);
    const { client } = await caller([Permission.TenantPermissionsWrite]);
    expect((await apply(principal, ['Server Administrator'], false, client)).status).toBe(403);
    expect(await held(principal)).toEqual([]);
    expect((await apply(principal, ['Device Superuser'], false, client)).body).toBe(27);
  });
});

describe('seeding a new principal', () => {
  const presets = permissionPresets.filter(({ name }) => name === 'Self Service' || name === 'Agent Installer');

  const seed = (principal: Holder): Promise<void> => {
    const context = { principal: SYSTEM, tenantId: tenant.id, requestId: 'seed', remoteAddress: null, manager: server.dataSource.manager };
    const reference = { principalKind: principal.kind, principalId: principal.id };
    return server.app.get(UnitOfWork).run(context, (tx) => server.app.get(AssignmentLifecycle).seed(tx, tenant.id, reference, presets));
  };

  it('grants presets in the name of the system, with one entry in the change log', async () => {
    const principal = await freshUser();
    await seed(principal);
    expect(await held(principal)).toHaveLength(5);
    const rows = await server.dataSource.manager.findBy(PermissionAssignment, { principalId: principal.id });
    for (const row of rows)
      expect(row).toMatchObject({ createdByPrincipalType: 'system', createdByPrincipalId: null, owningTenantId: tenant.id });
    const entries = await server.dataSource.manager.findBy(AuthorizationChangeLog, { targetId: principal.id });
    expect(entries).toMatchObject([
      { actionType: 'permission-assignments-seeded', actorPrincipalType: 'system', owningTenantId: tenant.id },
    ]);
    expect(JSON.parse(entries[0].afterJson ?? '')).toEqual({
      principalKind: 'User',
      count: 5,
      presets: ['Agent Installer', 'Self Service'],
    });
  });

  it('may be repeated, and acts at once', async () => {
    const user = await createUser(server, { tenantId: tenant.id });
    const principal = holder.user(user);
    const authorization = server.app.get(AuthorizationService);
    const mayInstall = (): Promise<boolean> =>
      authorization.isAllowed(sessionOf(user), Permission.AgentInstall, { kind: 'Tenant', tenantId: tenant.id });
    expect(await mayInstall()).toBe(false);
    await seed(principal);
    expect(await mayInstall()).toBe(true);
    await seed(principal);
    expect(await held(principal)).toHaveLength(5);
  });
});

describe('parallel writers', () => {
  const count = (answers: readonly ApiAnswer[], status: number): number => answers.filter((answer) => answer.status === status).length;

  it('lets exactly one of many equal creations win', async () => {
    const principal = await freshUser();
    const body = assignment(principal, Permission.TenantRead, at.tenant(tenant));
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(server.client(), body)));
    expect([count(answers, 201), count(answers, 409)]).toEqual([1, 19]);
  });

  it('lets exactly one of many deletions and changes to the same terms win', async () => {
    const principal = await freshUser();
    const row = await grant(server, { principal, permission: Permission.TenantRead, scope: at.tenant(tenant) });
    const deletions = await Promise.all(
      Array.from({ length: 20 }, () => server.client().delete(`${ASSIGNMENTS}/${row.id}`, { query: named() })),
    );
    expect([count(deletions, 204), count(deletions, 404)]).toEqual([1, 19]);

    const catalog = permissionCatalog.filter(({ name }) => name.startsWith('device.')).slice(0, 10);
    const rows = await Promise.all(catalog.map((permission) => grant(server, { principal, permission, scope: at.tenant(tenant) })));
    const body = { permissionName: 'tenant.read', effect: Allow, scopeKind: 'Tenant', isEnabled: true };
    const changes = await Promise.all(rows.map(({ id }) => server.client().put(`${ASSIGNMENTS}/${id}`, { query: named(), body })));
    expect([count(changes, 200), count(changes, 409)]).toEqual([1, 9]);
  });

  it('ends in one of the replacements, never in a mixture', async () => {
    const principal = await freshUser();
    const sets = [
      [Permission.TenantRead, Permission.TenantTagsWrite],
      [Permission.TenantRead, Permission.TenantUsersRead],
      [Permission.TenantSettingsRead, Permission.TenantTagsWrite],
    ];
    const replacements = Array.from({ length: 12 }, (_, n) => sets[n % sets.length]);
    const answers = await Promise.all(
      replacements.map((permissions) => {
        const assignments = permissions.map((permission) => assignment(principal, permission, at.tenant(tenant)));
        return server
          .client()
          .post(`${ASSIGNMENTS}/replace`, { query: named(), body: { principalKind: 'User', principalId: principal.id, assignments } });
      }),
    );
    expect(count(answers, 204)).toBe(12);
    const names = (await held(principal)).map(({ permissionName }) => permissionName);
    expect(sets.map((permissions) => permissions.map(({ name }) => name).sort())).toContainEqual(names);
  });

  it('never fails when batches of several principals cross each other', async () => {
    const principals = await Promise.all(Array.from({ length: 6 }, () => freshUser()));
    const rows = await Promise.all(
      principals.flatMap((principal) =>
        [Permission.TenantRead, Permission.TenantTagsWrite].map((permission) =>
          grant(server, { principal, permission, scope: at.tenant(tenant) }),
        ),
      ),
    );
    const ids = rows.map(({ id }) => id);
    const orders = [ids, ids.toReversed(), [...ids.slice(6), ...ids.slice(0, 6)], ids.toReversed()];
    const answers = await Promise.all(
      orders.map((assignmentIds) => server.client().post(`${ASSIGNMENTS}/batch-delete`, { query: named(), body: { assignmentIds } })),
    );
    const deleted = answers.flatMap((answer) => answer.as<DeleteManyPermissionAssignmentsResponseDto>().successIds);
    expect(deleted.sort()).toEqual(ids.sort());
  });

  it('leaves nothing behind when a principal or scope is deleted at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const principal = await freshUser();
      const device = await createDevice(server, { tenantId: tenant.id });
      const [answers] = await Promise.all([
        Promise.all(
          [Permission.DeviceRead, Permission.DeviceDelete, Permission.DeviceChatSend].map((permission) =>
            create(server.client(), assignment(principal, permission, at.device(device))),
          ),
        ),
        server.dataSource.query('DELETE FROM devices WHERE id = $1', [device.id]),
        server.dataSource.query('DELETE FROM users WHERE id = $1', [principal.id]),
      ]);
      for (const { status } of answers) expect([201, 400]).toContain(status);
      expect(await server.dataSource.manager.countBy(PermissionAssignment, { scopeId: device.id })).toBe(0);
      expect(await server.dataSource.manager.countBy(PermissionAssignment, { principalId: principal.id })).toBe(0);
    }
  });
});
