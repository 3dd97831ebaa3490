import { Injectable } from '@nestjs/common';

import { idOf, type Principal } from '../authentication/principal.js';
import type { RequestContext } from '../authentication/request-context.js';
import { newGuid } from '../common/guid.js';
import { insertRows } from '../database/insert-rows.js';
import type { InTransaction } from '../database/unit-of-work.js';
import { AuthorizationChangeLog } from './change-log.entity.js';

/** What kind of object a change concerns. */
export enum ChangeTarget {
  Customer = 'Customer',
  Device = 'Device',
  DeviceGroup = 'DeviceGroup',
  InstallerKey = 'InstallerKey',
  Invite = 'Invite',
  LogonToken = 'LogonToken',
  PermissionAssignment = 'PermissionAssignment',
  PersonalAccessToken = 'PersonalAccessToken',
  ServerAlert = 'ServerAlert',
  ServiceAccount = 'ServiceAccount',
  ServiceAccountCredential = 'ServiceAccountCredential',
  Tag = 'Tag',
  Tenant = 'Tenant',
  TenantSetting = 'TenantSetting',
  User = 'User',
  UserGroup = 'UserGroup',
}

/** One change: what was done to which object, and its state before and after. Secrets never stand in either. */
export interface Change {
  /** The action's name, such as `customer-created`. */
  readonly action: string;
  readonly target: ChangeTarget;
  readonly targetId: string | null;
  /** The tenant that the object belongs to; null for objects of the server. */
  readonly tenantId: string | null;
  readonly before?: object;
  readonly after?: object;
}

/** Writes the authorization change log. It takes a transaction only: a log that can miss is no log. */
@Injectable()
export class ChangeLog {
  /** Writes the changes in the transaction that makes them. */
  async write(context: InTransaction<RequestContext>, ...changes: readonly Change[]): Promise<void> {
    const rows = changes.map((change) => ({
      id: newGuid(),
      actionType: change.action,
      actorPrincipalType: actorTypeOf(context.principal),
      actorPrincipalId: idOf(context.principal),
      targetType: change.target,
      targetId: change.targetId,
      owningTenantId: change.tenantId,
      ipAddress: context.remoteAddress,
      correlationId: context.requestId,
      beforeJson: snapshot(change.before),
      afterJson: snapshot(change.after),
    }));
    await insertRows(context.manager, AuthorizationChangeLog, rows);
  }
}

/** The kind of a principal, as the change log and the rows that it made name it. */
export function actorTypeOf(principal: Principal): string {
  switch (principal.type) {
    case 'User':
      return 'user';
    case 'TenantServiceAccount':
    case 'ServerServiceAccount':
      return 'service-account';
    case 'System':
      return 'system';
  }
}

/** The state as JSON text, members without a value left out. */
function snapshot(state: object | undefined): string | null {
  return state === undefined ? null : JSON.stringify(state, (_key, value: unknown) => (value === null ? undefined : value));
}
