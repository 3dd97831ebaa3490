import { Injectable } from '@nestjs/common';

import { newGuid } from '../../../platform/common/identifiers/guid.js';
import { insertRows } from '../../../platform/database/queries/insert-rows.js';
import type { InTransaction } from '../../../platform/database/queries/unit-of-work.js';
import { correlationOf, idOf, type Principal } from '../../authentication/principals/principal.js';
import type { RequestContext } from '../../authentication/principals/request-context.js';
import { eventActorOf, EventLog } from '../event-log/event-log.js';
import { eventsOfChanges } from '../event-log/events-of-changes.js';
import { AuthorizationChangeLog } from './change-log.entity.js';

/** The kinds of object that changes concern. */
export enum ChangeTarget {
  AgentBundle = 'AgentBundle',
  Customer = 'Customer',
  Device = 'Device',
  DeviceField = 'DeviceField',
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

/** One change of an object, with its state before and after. The states contain no secrets. */
export interface Change {
  /** The name of the action, such as `customer-created`. */
  readonly action: string;
  readonly target: ChangeTarget;
  readonly targetId: string | null;
  /** The tenant that the object belongs to; null for objects of the server. */
  readonly tenantId: string | null;
  readonly before?: object;
  readonly after?: object;
}

/**
 * Writes the authorization change log in the transaction of the change, so that no change is missing from it, and the events that changes
 * cause.
 */
@Injectable()
export class ChangeLog {
  constructor(private readonly events: EventLog) {}

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
      ...correlationOf(context.principal),
      beforeJson: snapshot(change.before),
      afterJson: snapshot(change.after),
    }));
    await insertRows(context.manager, AuthorizationChangeLog, rows);
    await this.events.write(context.manager, eventsOfChanges(changes, eventActorOf(context.principal)));
  }
}

/** The kind of a principal, as it is stored in the change log and in created rows. */
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

/** A state as JSON text, without null members. */
function snapshot(state: object | undefined): string | null {
  return state === undefined ? null : JSON.stringify(state, (_key, value: unknown) => (value === null ? undefined : value));
}
