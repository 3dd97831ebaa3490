import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { systemContext, type RequestContext } from '../../access/authentication/principals/request-context.js';
import { ChangeLog, ChangeTarget } from '../../access/authorization/change-log/change-log.js';
import { PermissionPrincipalKind } from '../../access/authorization/permissions/permission.js';
import { IssuedTokens } from '../../access/permission-assignments/tokens/issued-tokens.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { Settings } from '../../platform/config/settings.js';
import { UnitOfWork, type InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { LogonTokensRepository, type SpentToken } from './logon-tokens.repository.js';

/** Tokens that one transaction removes. */
const BATCH = 500;

/** Removes logon tokens some time after their last possible use. */
@Injectable()
export class LogonTokenCleanup {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly repository: LogonTokensRepository,
    private readonly issuedTokens: IssuedTokens,
    private readonly changeLog: ChangeLog,
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly dataSource: DataSource,
  ) {}

  /**
   * Removes tokens that have been unusable for `LogonTokenGrantCleanupAfterDays` (less than 1 keeps all), and assignments of tokens
   * that no longer exist. Returns the number of these tokens.
   */
  async removeSpent(signal: AbortSignal): Promise<number> {
    const days = this.settings.appOptions.logonTokenGrantCleanupAfterDays;
    if (days < 1) return 0;
    const before = this.clock.daysAgo(days);
    const expired = await this.removeAll(signal, (tx) => this.repository.lockExpired(tx.manager, before, BATCH));
    return expired + (await this.removeAll(signal, (tx) => this.repository.orphaned(tx.manager, before, BATCH)));
  }

  private async removeAll(signal: AbortSignal, find: (tx: InTransaction<RequestContext>) => Promise<SpentToken[]>): Promise<number> {
    let removed = 0;
    for (let batch = BATCH; batch === BATCH && !signal.aborted; removed += batch) batch = await this.removeBatch(find);
    return removed;
  }

  private removeBatch(find: (tx: InTransaction<RequestContext>) => Promise<SpentToken[]>): Promise<number> {
    return this.unitOfWork.run(systemContext('logon-tokens', this.dataSource.manager), async (tx) => {
      const tokens = await find(tx);
      const ids = tokens.map(({ id }) => id);
      await this.issuedTokens.logEnded(tx, ids);
      await this.repository.remove(tx.manager, ids);
      for (const { id } of tokens) tx.transaction.touch(PermissionPrincipalKind.LogonToken, id);
      await this.changeLog.write(
        tx,
        ...tokens.map(({ id, tenantId, scopeCount }) => ({
          action: 'credential-scope-removed',
          target: ChangeTarget.LogonToken,
          targetId: id,
          tenantId,
          before: { scopeCount },
        })),
      );
      return tokens.length;
    });
  }
}
