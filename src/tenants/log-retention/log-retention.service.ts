import { Injectable } from '@nestjs/common';

import type { TenantContext } from '../../access/authentication/principals/request-context.js';
import { ChangeLog, ChangeTarget, LOG_RETENTION_UPDATED } from '../../access/authorization/change-log/change-log.js';
import { LogRetentions } from '../../access/log-retention/log-retentions.js';
import { FEWEST_DAYS, RETAINED_LOGS, RetainedLog, type TenantRetention } from '../../access/log-retention/retained-log.js';
import { DomainError, ErrorCode } from '../../platform/common/errors/errors.js';
import { TaggedState, type ExpectedTags } from '../../platform/common/resources/entity-tag.js';
import { UnitOfWork, type InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { TenantsService } from '../tenants/tenants.service.js';
import type { LogRetentionDto } from './log-retention.dto.js';
import { overServer } from './retention-limits.js';

/** The part that a tenant can change. */
function chosen({ changeLogDays, securityLogDays, deviceActivityDays, eventDays }: TenantRetention): TenantRetention {
  return { changeLogDays, securityLogDays, deviceActivityDays, eventDays };
}

export const logRetentionState = new TaggedState(chosen);

/** The time for which a tenant keeps its logs, within that of the server. */
@Injectable()
export class LogRetentionService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly tenants: TenantsService,
    private readonly retentions: LogRetentions,
    private readonly changeLog: ChangeLog,
  ) {}

  /** The days of the tenant and their limits; 404 when it does not exist. */
  async get(context: TenantContext): Promise<LogRetentionDto> {
    await this.tenants.get(context, context.tenantId);
    return this.describe(await this.retentions.read(context.manager, context.tenantId));
  }

  /** Changes the days. 400 when they are more than the server's, 412 when they are in no expected state. */
  async change(context: TenantContext, wanted: TenantRetention, expected: ExpectedTags | undefined): Promise<LogRetentionDto> {
    const errors = overServer(wanted, this.describe(wanted).server);
    if (Object.keys(errors).length > 0) throw new DomainError(ErrorCode.Invalid, 'One or more fields are invalid.', errors);
    const after = chosen(wanted);
    await this.unitOfWork.run(context, async (tx) => {
      await this.tenants.hold(tx, tx.tenantId);
      const before = await this.retentions.hold(tx.manager, tx.tenantId);
      logRetentionState.require(expected, before);
      if (RETAINED_LOGS.every((log) => before[log] === after[log])) return;
      await this.retentions.write(tx.manager, tx.tenantId, after);
      await this.log(tx, before, after);
    });
    return this.describe(after);
  }

  /**
   * Writes the change to the log of the tenant, and to that of the server with the present head of the tenant's: there it outlives what the
   * tenant removes, and proves until where its log went.
   */
  private async log(tx: InTransaction<TenantContext>, before: TenantRetention, after: TenantRetention): Promise<void> {
    const change = { action: LOG_RETENTION_UPDATED, target: ChangeTarget.Tenant, targetId: tx.tenantId };
    const { tenantName: name } = await this.tenants.get(tx, tx.tenantId);
    const head = await this.changeLog.headOf(tx, tx.tenantId);
    await this.changeLog.write(
      tx,
      { ...change, tenantId: tx.tenantId, before, after },
      { ...change, tenantId: null, before: { name, ...before }, after: { name, ...after, ...head } },
    );
  }

  private describe(days: TenantRetention): LogRetentionDto {
    const server = {
      changeLogDays: this.retentions.serverDays(RetainedLog.ChangeLog),
      securityLogDays: this.retentions.serverDays(RetainedLog.SecurityLog),
      deviceActivityDays: this.retentions.serverDays(RetainedLog.DeviceActivity),
      eventDays: this.retentions.serverDays(RetainedLog.Events),
    };
    return { ...days, server, fewest: FEWEST_DAYS };
  }
}
