import { Injectable } from '@nestjs/common';

import { newGuid } from '../../../platform/common/identifiers/guid.js';
import { insertionOf } from '../../../platform/database/queries/insert-rows.js';
import type { InTransaction } from '../../../platform/database/queries/unit-of-work.js';
import { correlationOf, idOf, type Principal } from '../../authentication/principals/principal.js';
import type { RequestContext } from '../../authentication/principals/request-context.js';
import { eventActorOf, EventLog } from '../event-log/event-log.js';
import { eventsOfChanges } from '../event-log/events-of-changes.js';
import { AuthorizationChangeLog } from './change-log.entity.js';
import { SERVER_LOG } from './server-log.js';

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
  ServerBackup = 'ServerBackup',
  ServiceAccount = 'ServiceAccount',
  ServiceAccountCredential = 'ServiceAccountCredential',
  Tag = 'Tag',
  Tenant = 'Tenant',
  TenantSetting = 'TenantSetting',
  User = 'User',
  UserGroup = 'UserGroup',
  Webhook = 'Webhook',
}

/** The action of the entry of the server's log with the last head of a deleted tenant's log. */
const LOG_CLOSED = 'tenant-log-closed';

/** The action of entries about the time for which a tenant keeps its logs. */
export const LOG_RETENTION_UPDATED = 'log-retention-updated';

/** The actions of entries of the server's log that may have a head of the log of the tenant that they concern. */
export const KEEPING_HEADS: readonly string[] = [LOG_CLOSED, LOG_RETENTION_UPDATED];

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

/** The last entry of a log, and its hash in hexadecimal. */
export interface LogHead {
  readonly position: number;
  readonly hash: string;
}

/** Entries that one statement writes. */
const BATCH = 5_000;

/**
 * Announces a log once for each entry that the transaction writes to it; twice stands for many. When the transaction ends, the database
 * chains these entries, and only these: this is the one writer of the change log (`src/platform/database/triggers/change-log-chain.ts`).
 */
const ANNOUNCE = `
  SELECT set_config('change_log.announced', CASE WHEN strpos(former, ',') > 0 AND strpos(former, $logs) > 0 THEN former
    ELSE concat_ws(',', former, $logs) END, true) AS logs
  FROM nullif(current_setting('change_log.announced', true), '') AS former`;

const HEAD = `SELECT position::float8 AS position, encode(hash, 'hex') AS hash FROM change_log_chains WHERE log_id = $1`;

/**
 * Writes the authorization change log in the transaction of the change, so that no change is missing from it, and the events that changes
 * cause.
 */
@Injectable()
export class ChangeLog {
  constructor(private readonly events: EventLog) {}

  async write(context: InTransaction<RequestContext>, ...changes: readonly Change[]): Promise<void> {
    await this.writeMany(context, changes);
  }

  /** The same for any number of changes. A call takes some 100,000 arguments at most. */
  async writeMany(context: InTransaction<RequestContext>, changes: readonly Change[]): Promise<void> {
    for (let from = 0; from < changes.length; from += BATCH) await this.insert(context, changes.slice(from, from + BATCH));
    await this.events.write(context.manager, eventsOfChanges(changes, eventActorOf(context.principal)));
  }

  private async insert(context: InTransaction<RequestContext>, changes: readonly Change[]): Promise<void> {
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
    const { sql, parameters } = insertionOf(context.manager, AuthorizationChangeLog, rows);
    const announced = ANNOUNCE.replaceAll('$logs', `$${parameters.length + 1}`);
    await context.manager.query(`WITH announced AS MATERIALIZED (${announced}) ${sql} WHERE (SELECT logs FROM announced) IS NOT NULL`, [
      ...parameters,
      announcedOf(changes),
    ]);
  }

  /** Returns the present head of a tenant's log, for an entry of the server's log; null for a log without entries. */
  async headOf(context: InTransaction<RequestContext>, tenantId: string): Promise<LogHead | null> {
    const [head] = await context.manager.query<LogHead[]>(HEAD, [tenantId]);
    return head ?? null;
  }

  /** Keeps the last head of a deleted tenant's log in the log of the server, so that the end of that log cannot be removed unseen. */
  async close(context: InTransaction<RequestContext>, { id, name }: { readonly id: string; readonly name: string }): Promise<void> {
    const head = await this.headOf(context, id);
    if (head === null) return;
    await this.write(context, {
      action: LOG_CLOSED,
      target: ChangeTarget.Tenant,
      targetId: id,
      tenantId: null,
      before: { name },
      after: head,
    });
  }
}

/** The logs of changes, as a transaction announces them. */
function announcedOf(changes: readonly Change[]): string {
  const logs = changes.map(({ tenantId }) => tenantId ?? SERVER_LOG);
  const different = [...new Set(logs)];
  return (different.length === 1 ? logs.slice(0, 2) : different).join(',');
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
