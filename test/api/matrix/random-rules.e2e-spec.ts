import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import { Escalation } from '../../../src/access/authorization/escalation/escalation.js';
import { AuthorizationService } from '../../../src/access/authorization/evaluation/authorization.service.js';
import type { DeviceResource } from '../../../src/access/authorization/evaluation/rules.js';
import {
  findPermission,
  Permission,
  PermissionEffect,
  PermissionPrincipalKind,
  PermissionScopeKind,
} from '../../../src/access/authorization/permissions/permission.js';
import { ErrorCode } from '../../../src/platform/common/errors/errors.js';
import {
  containers,
  devices,
  LOGON_DEVICE,
  principalOf,
  tenants,
  type CaseCaller,
  type CaseRow,
  type RowHolder,
} from '../../support/fixtures/authorization-cases.js';
import { createDevice } from '../../support/fixtures/factories.js';
import { allowedByEvaluator, allowedBySql, assign, store, storeCases } from '../../support/fixtures/stored-cases.js';
import { testServer } from '../../support/setup/test-server.js';

/*
 * Random rule sets, beside the cases of test/api/access/authorization: whatever the rules are, all ways to evaluate them decide alike, and
 * no caller takes over a user who may do more.
 */

/** Random rule sets on which the evaluator, the SQL and a direct reading of the rules must agree. */
const RANDOM_RULE_SETS = 300;
const ROWS_AT_MOST = 8;
/** A fixed seed gives the same rule sets in every run. Other seeds might satisfy too few of the conditions that the tests need. */
const SEED = 7;
/** Random pairs of a caller and a user that it might take over, for each kind of caller. */
const TAKEOVERS = 300;

const server = testServer();
let authorization: AuthorizationService;

storeCases(server);

beforeAll(() => {
  authorization = server.app.get(AuthorizationService);
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
    const areAllowed = (holders: readonly RowHolder[]): boolean =>
      matching(holders, PermissionEffect.Allow) && !matching(holders, PermissionEffect.Deny);
    if (caller === 'logon token') {
      return device.id === devices[LOGON_DEVICE].id && areAllowed(['token']) && !matching(['self', 'group'], PermissionEffect.Deny);
    }
    return areAllowed(['self', 'group']) && (caller !== 'restricted token' || areAllowed(['token']));
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
    const stored = await store(server, caller);
    const principal = principalOf(caller, stored);
    const wanderer = await createDevice(server, { tenantId: tenants.home });
    let granted = 0;
    await fc.assert(
      fc.asyncProperty(rowsFor(holders), places, async (rows, place) => {
        await assign(server, stored, rows);
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
        expect(await allowedByEvaluator(server, principal, all)).toEqual(plainly);
        expect(await allowedBySql(server, principal)).toEqual(plainly);
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
  ] as const)('lets no %s take over a user who may do to any device what it may not', async (caller, holders) => {
    const escalation = server.app.get(Escalation);
    const [stored, other] = [await store(server, caller), await store(server, 'user')];
    const principal = principalOf(caller, stored);
    const context = { principal, tenantId: tenants.home, requestId: 'test', remoteAddress: null, manager: server.dataSource.manager };
    const target = { kind: PermissionPrincipalKind.User, id: other.principal, tenantId: tenants.home };
    const everybody = Object.values(devices);
    let takenOver = 0;
    await fc.assert(
      fc.asyncProperty(rowsFor(holders), rowsFor(['self', 'group']), async (own, theirs) => {
        await assign(server, stored, own);
        await assign(server, other, theirs);
        try {
          await escalation.requireAllRightsOf(context, target, 'No.');
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
