import { beforeAll } from 'vitest';

import type { Principal } from '../../src/access/authentication/principal.js';
import { AuthorizationService } from '../../src/access/authorization/authorization.service.js';
import { Permission, PermissionScopeKind } from '../../src/access/authorization/permission.js';
import type { DeviceResource } from '../../src/access/authorization/rules.js';
import { PermissionAssignment } from '../../src/access/permission-assignments/permission-assignment.entity.js';
import { ServiceAccountAccessMode } from '../../src/people/service-accounts/service-account.entity.js';
import { newGuid } from '../../src/platform/common/guid.js';
import { InvalidationBus } from '../../src/platform/database/invalidation-bus.js';
import type { TestApp } from './app.js';
import {
  containers,
  devices,
  LOGON_DEVICE,
  tenants,
  type CallerIds,
  type CaseCaller,
  type CaseRow,
  type RowHolder,
} from './authorization-cases.js';
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
} from './factories.js';

/** A stored caller of a case, with the holders of its assignments. */
export interface StoredCaller extends CallerIds {
  readonly holders: Readonly<Partial<Record<RowHolder, Holder>>>;
}

/** Stores the tenants, containers and devices of the cases before the first test. */
export function storeCases(server: TestApp): void {
  beforeAll(async () => {
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
}

/** Stores a caller: account or user, group memberships and token. */
export async function store(server: TestApp, caller: CaseCaller): Promise<StoredCaller> {
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
export async function assign(server: TestApp, caller: StoredCaller, rows: readonly CaseRow[]): Promise<void> {
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

/** The ids of the devices that the principal may read, as the evaluator decides. */
export async function allowedByEvaluator(server: TestApp, principal: Principal, among: readonly DeviceResource[]): Promise<string[]> {
  const authorization = server.app.get(AuthorizationService);
  const allowed: string[] = [];
  for (const device of among) if (await authorization.isAllowed(principal, Permission.DeviceRead, device)) allowed.push(device.id);
  return allowed.sort();
}

/** The ids of the devices that the principal may read, as SQL decides. */
export async function allowedBySql(server: TestApp, principal: Principal): Promise<string[]> {
  const { sql, parameters } = await server.app.get(AuthorizationService).deviceScope(principal, Permission.DeviceRead, 'd', 2);
  const rows = await server.dataSource.query<{ id: string }[]>(`SELECT d.id FROM devices d WHERE d.id <> $1 AND ${sql}`, [
    newGuid(),
    ...parameters,
  ]);
  return rows.map(({ id }) => id).sort();
}
