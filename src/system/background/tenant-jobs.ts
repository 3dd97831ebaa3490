import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { ChangeLogBackfillJob } from '../../access/change-logs/acts/change-log-backfill.js';
import { ChangeLogRetention } from '../../access/change-logs/change-log-retention.js';
import { SecurityLog } from '../../access/security-log/security-log.js';
import { TenantRemoval } from '../../tenants/tenants/tenant-removal.js';
import { EventRetention } from '../events/event-retention.js';
import { ForwardingRetention } from '../forwarding/forwarding-retention.js';
import { DeliveryRetention } from '../webhooks/delivery-retention.js';
import { BackgroundJob } from './background-job.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './periods.js';

/** The jobs on the logs of all tenants, and on tenants that are being deleted. */
@Injectable()
export class TenantJobs {
  readonly all: readonly BackgroundJob[];

  constructor(
    dataSource: DataSource,
    changeLogs: ChangeLogRetention,
    changeLogIndex: ChangeLogBackfillJob,
    securityLog: SecurityLog,
    tenants: TenantRemoval,
    events: EventRetention,
    deliveries: DeliveryRetention,
    forwarding: ForwardingRetention,
  ) {
    this.all = [
      new BackgroundJob('change log', DAY_MS, (signal) => changeLogs.removeOld(signal)),
      new BackgroundJob('change log index', MINUTE_MS, (signal) => changeLogIndex.run(signal)),
      new BackgroundJob('security log', DAY_MS, (signal) => securityLog.removeOld(dataSource.manager, signal)),
      new BackgroundJob('deleted tenants', MINUTE_MS, (signal) => tenants.finishAll(signal)),
      new BackgroundJob('events', HOUR_MS, (signal) => events.removeOld(signal)),
      new BackgroundJob('webhook deliveries', HOUR_MS, (signal) => deliveries.removeOld(signal)),
      new BackgroundJob('forwarded rows', HOUR_MS, (signal) => forwarding.removeOld(signal)),
    ];
  }
}
