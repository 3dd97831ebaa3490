import { beforeAll, describe, expect, it } from 'vitest';
import * as fc from 'fast-check';

import { AuthorizationService } from '../../src/authorization/authorization.service.js';
import { Escalation } from '../../src/authorization/escalation.js';
import {
  findPermission,
  Permission,
  PermissionEffect,
  PermissionPrincipalKind,
  PermissionScopeKind,
} from '../../src/authorization/permission.js';
import type { DeviceResource } from '../../src/authorization/rules.js';
import type { Principal } from '../../src/authentication/principal.js';
import { ErrorCode } from '../../src/common/errors.js';
import { newGuid } from '../../src/common/guid.js';
import { InvalidationBus } from '../../src/database/invalidation-bus.js';
import { PermissionAssignment } from '../../src/permission-assignments/permission-assignment.entity.js';
import { ServiceAccountAccessMode } from '../../src/service-accounts/service-account.entity.js';
import {
  authorizationCases,
  containers,
  devices,
  LOGON_DEVICE,
  principalOf,
  tenants,
  type CallerIds,
  type CaseCaller,
  type CaseRow,
  type DeviceName,
  type RowHolder,
} from '../support/authorization-cases.js';
import {
  addToUserGroup,
  createCustomer,
  createDevice,
  createDeviceGroup,
  createLogonToken,
  createPersonalAccessToken,
  createServiceAccountWithKey,
  createTenant,
  createUser,
  createUserGroup,
  holder,
  type Holder,
} from '../support/factories.js';
import { testServer } from '../support/test-server.js';

/** Random rule sets on which the evaluator, the SQL and a direct reading of the rules must agree. */
const RANDOM_RULE_SETS = 300;
const ROWS_AT_MOST = 8;
/** A fixed seed gives the same rule sets in every run. Other seeds might satisfy too few of the conditions that the tests need. */
const SEED = 7;
/** Random pairs of a caller and a user that it might take over, for each kind of caller. */
const TAKEOVERS = 300;

/** A stored caller of a case, with the holders of its assignments. */
interface StoredCaller extends CallerIds {
  readonly holders: Readonly<Partial<Record<RowHolder, Holder>>>;
}

const server = testServer();
let authorization: AuthorizationService;

beforeAll(async () => {
  authorization = server.app.get(AuthorizationService);
  for (const id of Object.values(tenants)) await createTenant(server, { id });
  for (const { kind, id, tenantId } of Object.values(containers)) {
    if (kind === PermissionScopeKind.CustomerTenant) await createCustomer(server, { id, tenantId });
    else if (kind === PermissionScopeKind.DeviceGroup) await createDeviceGroup(server, { id, tenantId });
    else await createUserGroup(server, { id, tenantId });
  }
  for (const { id, tenantId, customerId, deviceGroupIds } of Object.values(devices)) {
    await createDevice(server, { id, tenantId, customerId, groups: deviceGroupIds.map((groupId) => ({ id: groupId })) });
  }
});

/** Stores a caller: account or user, group memberships and token. */
async function store(caller: CaseCaller): Promise<StoredCaller> {
  if (caller === 'tenant account' || caller.endsWith('server account')) {
    const { account, credential } = await createServiceAccountWithKey(server, {
      tenantId: caller === 'tenant account' ? tenants.home : null,
      accessMode: caller.startsWith('unrestricted') ? ServiceAccountAccessMode.Unrestricted : ServiceAccountAccessMode.Restricted,
    });
    return { principal: account.id, credential: credential.id, holders: { self: holder.serviceAccount(account) } };
  }
  const user = await createUser(server, { tenantId: tenants.home });
  const group = await createUserGroup(server, { tenantId: tenants.home });
  await addToUserGroup(server, group, user);
  const strangeGroup = await createUserGroup(server, { tenantId: tenants.home });
  const token =
    caller === 'logon token'
      ? holder.logonToken(await createLogonToken(server, user, devices[LOGON_DEVICE]))
      : holder.personalAccessToken((await createPersonalAccessToken(server, user)).token);
  return {
    principal: user.id,
    credential: token.id,
    holders: { self: holder.user(user), group: holder.userGroup(group), 'strange group': holder.userGroup(strangeGroup), token },
  };
}

/** Replaces the assignments of a caller. */
async function assign(caller: StoredCaller, rows: readonly CaseRow[]): Promise<void> {
  const { manager } = server.dataSource;
  const ids = Object.values(caller.holders).map(({ id }) => id);
  await manager.query('DELETE FROM permission_assignments WHERE principal_id = ANY($1::uuid[])', [ids]);
  const assignments = rows.map(({ holder: of, ...row }) => {
    const principal = caller.holders[of];
    if (principal === undefined) throw new Error(`The caller has no ${of}.`);
    return { id: newGuid(), principalKind: principal.kind, principalId: principal.id, ...row };
  });
  if (assignments.length > 0) await manager.insert(PermissionAssignment, assignments);
  server.app.get(InvalidationBus).forgetAll();
}

async function allowedByEvaluator(principal: Principal, among: readonly DeviceResource[]): Promise<string[]> {
  const allowed: string[] = [];
  for (const device of among) if (await authorization.isAllowed(principal, Permission.DeviceRead, device)) allowed.push(device.id);
  return allowed.sort();
}

async function allowedBySql(principal: Principal): Promise<string[]> {
  const { sql, parameters } = await authorization.deviceScope(principal, Permission.DeviceRead, 'd', 2);
  const rows = await server.dataSource.query<{ id: string }[]>(`SELECT d.id FROM devices d WHERE d.id <> $1 AND ${sql}`, [
    newGuid(),
    ...parameters,
  ]);
  return rows.map(({ id }) => id).sort();
}

const idsOf = (names: readonly DeviceName[]): string[] => names.map((name) => devices[name].id).sort();

describe('the table of cases, stored', () => {
  it.each(authorizationCases.map((given) => [`${given.caller}: ${given.name}`, given] as const))('%s', async (_name, given) => {
    const caller = await store(given.caller);
    await assign(caller, given.rows);
    const principal = principalOf(given.caller, caller);
    const loaded = await Promise.all(Object.values(devices).map(({ id }) => authorization.device(id)));
    const found = loaded.filter((device) => device !== null);
    expect(found).toHaveLength(loaded.length);
    expect(await allowedByEvaluator(principal, found)).toEqual(idsOf(given.allowed));
    expect(await allowedBySql(principal)).toEqual(idsOf(given.allowed));
    for (const [permission, resource, expected] of given.decisions ?? []) {
      expect([permission.name, resource, await authorization.isAllowed(principal, permission, resource)]).toEqual([
        permission.name,
        resource,
        expected,
      ]);
    }
  });
});

describe('any rule set', () => {
  const scopes: readonly Pick<CaseRow, 'scopeKind' | 'scopeId' | 'owningTenantId'>[] = [
    { scopeKind: PermissionScopeKind.Server, scopeId: null, owningTenantId: null },
    ...Object.values(tenants).map((id) => ({ scopeKind: PermissionScopeKind.Tenant, scopeId: id, owningTenantId: id })),
    ...Object.values(containers).map(({ kind, id, tenantId }) => ({ scopeKind: kind, scopeId: id, owningTenantId: tenantId })),
    ...Object.values(devices).map(({ id, tenantId }) => ({
      scopeKind: PermissionScopeKind.Device,
      scopeId: id,
      owningTenantId: tenantId,
    })),
  ];

  const rowsFor = (holders: readonly RowHolder[]): fc.Arbitrary<CaseRow[]> =>
    fc
      .uniqueArray(
        fc.record({
          holder: fc.constantFrom(...holders),
          permissionName: fc.constantFrom(Permission.DeviceRead.name, Permission.DeviceRead.name, Permission.DeviceDelete.name),
          effect: fc.oneof(
            { weight: 3, arbitrary: fc.constant(PermissionEffect.Allow) },
            { weight: 1, arbitrary: fc.constant(PermissionEffect.Deny) },
          ),
          scope: fc.constantFrom(...scopes),
          isEnabled: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
        }),
        { maxLength: ROWS_AT_MOST, selector: (row) => JSON.stringify({ ...row, isEnabled: null }) },
      )
      .map((rows) => rows.map(({ scope, ...row }) => ({ ...row, ...scope })));

  const groups = Object.values(containers).filter(({ kind }) => kind === PermissionScopeKind.DeviceGroup);
  const customers = Object.values(containers).filter(({ kind }) => kind === PermissionScopeKind.CustomerTenant);
  /** The containers of its tenant that a random device is in. */
  const places = fc.record({
    tenantId: fc.constantFrom(...Object.values(tenants)),
    customer: fc.nat(customers.length),
    groups: fc.subarray(groups),
  });

  /** Decides by reading the rules directly, without an index and without SQL. */
  function isAllowedPlainly(caller: CaseCaller, rows: readonly CaseRow[], device: DeviceResource): boolean {
    if (caller === 'unrestricted server account') return true;
    const isBound = caller !== 'restricted server account';
    if (isBound && device.tenantId !== tenants.home) return false;
    const matching = (holders: readonly RowHolder[], effect: PermissionEffect): boolean =>
      rows.some(
        (row) =>
          row.isEnabled &&
          holders.includes(row.holder) &&
          row.permissionName === Permission.DeviceRead.name &&
          row.effect === effect &&
          (!isBound || row.owningTenantId === null || row.owningTenantId === tenants.home) &&
          !(isBound && effect === PermissionEffect.Allow && row.scopeKind === PermissionScopeKind.Server) &&
          (effect === PermissionEffect.Deny || (findPermission(row.permissionName)?.scopeKinds.includes(row.scopeKind) ?? false)) &&
          (row.scopeKind === PermissionScopeKind.Server ||
            [device.id, device.tenantId, device.customerId, ...device.deviceGroupIds].includes(row.scopeId)),
      );
    const holds = (holders: readonly RowHolder[]): boolean =>
      matching(holders, PermissionEffect.Allow) && !matching(holders, PermissionEffect.Deny);
    if (caller === 'logon token') {
      return device.id === devices[LOGON_DEVICE].id && holds(['token']) && !matching(['self', 'group'], PermissionEffect.Deny);
    }
    return holds(['self', 'group']) && (caller !== 'restricted token' || holds(['token']));
  }

  const callers: readonly (readonly [CaseCaller, readonly RowHolder[]])[] = [
    ['user', ['self', 'group', 'strange group']],
    ['restricted token', ['self', 'group', 'token', 'token']],
    ['inheriting token', ['self', 'token']],
    ['logon token', ['self', 'group', 'token', 'token']],
    ['tenant account', ['self']],
    ['restricted server account', ['self']],
  ];

  it.each(callers)('gives the same decision for a %s in memory, in SQL and by direct reading', async (caller, holders) => {
    const stored = await store(caller);
    const principal = principalOf(caller, stored);
    const wanderer = await createDevice(server, { tenantId: tenants.home });
    let granted = 0;
    await fc.assert(
      fc.asyncProperty(rowsFor(holders), places, async (rows, place) => {
        await assign(stored, rows);
        const own = customers.filter(({ tenantId }) => tenantId === place.tenantId);
        const customerId = own[place.customer]?.id ?? null;
        const groupIds = place.groups.filter(({ tenantId }) => tenantId === place.tenantId).map(({ id }) => id);
        await server.dataSource.query('UPDATE devices SET tenant_id = $2, customer_id = $3 WHERE id = $1', [
          wanderer.id,
          place.tenantId,
          customerId,
        ]);
        await server.dataSource.query('DELETE FROM device_group_members WHERE device_id = $1', [wanderer.id]);
        await server.dataSource.query('INSERT INTO device_group_members (device_group_id, device_id) SELECT unnest($2::uuid[]), $1::uuid', [
          wanderer.id,
          groupIds,
        ]);
        const wandering: DeviceResource = {
          kind: 'Device',
          id: wanderer.id,
          tenantId: place.tenantId,
          customerId,
          deviceGroupIds: groupIds,
        };
        const all = [...Object.values(devices), wandering];
        const plainly = all.flatMap((device) => (isAllowedPlainly(caller, rows, device) ? [device.id] : [])).sort();
        granted += plainly.length;
        expect(await allowedByEvaluator(principal, all)).toEqual(plainly);
        expect(await allowedBySql(principal)).toEqual(plainly);
      }),
      { numRuns: RANDOM_RULE_SETS / callers.length, seed: SEED },
    );
    await server.dataSource.query('DELETE FROM devices WHERE id = $1', [wanderer.id]);
    // A property that no case satisfies proves nothing.
    expect(granted).toBeGreaterThan(0);
  });

  it.each([
    ['user', ['self', 'group']],
    ['restricted token', ['self', 'group', 'token', 'token']],
    ['restricted server account', ['self']],
  ] as const)('lets no %s take over somebody who may do to any device what it may not', async (caller, holders) => {
    const escalation = server.app.get(Escalation);
    const [stored, other] = [await store(caller), await store('user')];
    const principal = principalOf(caller, stored);
    const context = { principal, tenantId: tenants.home, requestId: 'test', remoteAddress: null, manager: server.dataSource.manager };
    const target = { kind: PermissionPrincipalKind.User, id: other.principal, tenantId: tenants.home };
    const everybody = Object.values(devices);
    let takenOver = 0;
    await fc.assert(
      fc.asyncProperty(rowsFor(holders), rowsFor(['self', 'group']), async (own, theirs) => {
        await assign(stored, own);
        await assign(other, theirs);
        try {
          await escalation.requireHoldsAll(context, target, 'No.');
        } catch (error) {
          expect(error).toMatchObject({ code: ErrorCode.Forbidden });
          return;
        }
        for (const permission of [Permission.DeviceRead, Permission.DeviceDelete]) {
          for (const device of everybody) {
            if (!(await authorization.isAllowed(principalOf('user', other), permission, device))) continue;
            takenOver += 1;
            expect([permission.name, device, await authorization.isAllowed(principal, permission, device)]).toEqual([
              permission.name,
              device,
              true,
            ]);
          }
        }
      }),
      { numRuns: TAKEOVERS, seed: SEED },
    );
    expect(takenOver).toBeGreaterThan(0);
  });
});

describe('Restricted server accounts without assignments', () => {
  it('are refused everywhere until they get a first assignment', async () => {
    const { account, principal, key } = await createServiceAccountWithKey(server);
    expect(await authorization.hasNothing(principal)).toBe(true);
    const call = () => server.client({ 'x-api-key': key }).get('/api/v1/tenants');
    expect((await call()).status).toBe(403);
    const stored: StoredCaller = { principal: account.id, credential: principal.id, holders: { self: holder.serviceAccount(account) } };
    const row: CaseRow = {
      holder: 'self',
      permissionName: Permission.ServerTenantsRead.name,
      effect: PermissionEffect.Allow,
      scopeKind: PermissionScopeKind.Server,
      scopeId: null,
      owningTenantId: null,
      isEnabled: true,
    };
    await assign(stored, [row]);
    expect(await authorization.hasNothing(principal)).toBe(false);
    expect((await call()).status).toBe(200);
    await assign(stored, [{ ...row, isEnabled: false }]);
    expect((await call()).status).toBe(403);
  });
});

describe('a user who moves to another tenant', () => {
  it('loses the assignments of the former tenant at once', async () => {
    const user = await createUser(server, { tenantId: tenants.home });
    const row = { scopeKind: PermissionScopeKind.Tenant, scopeId: tenants.home, owningTenantId: tenants.home };
    await server.dataSource.manager.insert(PermissionAssignment, {
      id: newGuid(),
      principalKind: PermissionPrincipalKind.User,
      principalId: user.id,
      permissionName: Permission.DeviceRead.name,
      effect: PermissionEffect.Allow,
      ...row,
    });
    server.app.get(InvalidationBus).forgetAll();
    const rules = (tenantId: string) => authorization.rules(PermissionPrincipalKind.User, user.id, tenantId);
    expect((await rules(tenants.home)).isEmpty).toBe(false);
    expect((await rules(tenants.other)).isEmpty).toBe(true);
    expect((await rules(tenants.home)).isEmpty).toBe(false);
  });
});
