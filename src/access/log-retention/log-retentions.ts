import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { readRows } from '../../platform/database/queries/read-rows.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { Settings } from '../../platform/config/settings.js';
import { AS_THE_SERVER, RetainedLog, type TenantRetention } from './retained-log.js';

/** Tenants that one query reads. */
const PAGE = 1_000;

const COLUMNS: Readonly<Record<RetainedLog, string>> = {
  [RetainedLog.ChangeLog]: 'change_log_days',
  [RetainedLog.SecurityLog]: 'security_log_days',
  [RetainedLog.DeviceActivity]: 'device_activity_days',
  [RetainedLog.Events]: 'event_days',
};

const READ = `
  SELECT ${Object.entries(COLUMNS)
    .map(([log, column]) => `${column} AS "${log}"`)
    .join(', ')}
  FROM log_retentions WHERE tenant_id = $1`;

const ADD = 'INSERT INTO log_retentions (tenant_id) VALUES ($1) ON CONFLICT DO NOTHING';

const WRITE = `
  UPDATE log_retentions SET ${Object.values(COLUMNS)
    .map((column, place) => `${column} = $${place + 2}`)
    .join(', ')}
  WHERE tenant_id = $1`;

/** The tenants that keep a log for fewer days than `$1`, which null does not limit. */
const shorter = (column: string): string => `
  SELECT tenant_id AS "tenantId", ${column} AS days FROM log_retentions
  WHERE ${column} < coalesce($1::bigint, ${column} + 1) AND ($2::uuid IS NULL OR tenant_id > $2)
  ORDER BY tenant_id LIMIT ${PAGE}`;

/** A tenant and the instant before which its entries of a log expire. */
export interface TenantExpiry {
  readonly tenantId: string;
  readonly before: Date;
}

/** Times for which logs are kept: by the server, and by tenants that keep them for a shorter time. */
@Injectable()
export class LogRetentions {
  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** Days for which the server keeps a log now; null for ever. */
  serverDays(log: RetainedLog): number | null {
    const days = this.optionOf(log);
    return days > 0 ? days : null;
  }

  /** The instant before which entries of a log expire on the whole server; null when none do. */
  serverExpiry(log: RetainedLog): Date | null {
    const days = this.serverDays(log);
    return days === null ? null : this.clock.daysAgo(days);
  }

  /** The tenants whose entries of a log expire earlier than the server's, those that were deleted included; none after the signal. */
  async *tenantExpiries(manager: EntityManager, log: RetainedLog, signal: AbortSignal): AsyncGenerator<TenantExpiry> {
    const statement = shorter(COLUMNS[log]);
    for (let last: string | null = null, isLast = false; !isLast;) {
      const parameters: readonly unknown[] = [this.serverDays(log), last];
      const rows: readonly { readonly tenantId: string; readonly days: number }[] = await readRows(manager, statement, parameters);
      for (const { tenantId, days } of rows) {
        if (signal.aborted) return;
        yield { tenantId, before: this.clock.daysAgo(days) };
        last = tenantId;
      }
      isLast = rows.length < PAGE;
    }
  }

  /** The days that a tenant chose. */
  async read(manager: EntityManager, tenantId: string): Promise<TenantRetention> {
    const [row] = await readRows<TenantRetention>(manager, READ, [tenantId]);
    return row ?? AS_THE_SERVER;
  }

  /** The same, held until the transaction ends. */
  async hold(manager: EntityManager, tenantId: string): Promise<TenantRetention> {
    await manager.query(ADD, [tenantId]);
    const [row] = await readRows<TenantRetention>(manager, `${READ} FOR UPDATE`, [tenantId]);
    return row;
  }

  /** Writes the days of a tenant that is held. */
  async write(manager: EntityManager, tenantId: string, days: TenantRetention): Promise<void> {
    await manager.query(WRITE, [tenantId, ...Object.keys(COLUMNS).map((log) => days[log as RetainedLog])]);
  }

  private optionOf(log: RetainedLog): number {
    const { appOptions, events } = this.settings;
    switch (log) {
      case RetainedLog.ChangeLog:
        return appOptions.authorizationChangeLogRetentionDays;
      case RetainedLog.SecurityLog:
        return appOptions.securityLogRetentionDays;
      case RetainedLog.DeviceActivity:
        return appOptions.deviceActivityRetentionDays;
      case RetainedLog.Events:
        return events.retentionDays;
    }
  }
}
