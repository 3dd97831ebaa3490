import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { OperatorMails } from '../../../people/mail/operator-mails.js';
import { messageOf } from '../../../platform/common/errors/errors.js';
import { Clock } from '../../../platform/common/runtime/clock.js';
import { BackupRunsRepository } from './backup-runs.repository.js';
import type { BackupFailure } from './backups.js';

/** Tells the administrators of the server that nightly backups fail: once, until one succeeds. */
@Injectable()
export class BackupNotices {
  private readonly logger = new Logger('Backups');

  constructor(
    private readonly runs: BackupRunsRepository,
    private readonly mails: OperatorMails,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Never rejects. */
  async failed({ id, message }: BackupFailure): Promise<void> {
    // One that another backup held up is tried again in a minute.
    if (id === null) return;
    try {
      if (await this.runs.failedBefore(id)) return;
      await this.mails.backupFailed(this.dataSource.manager, { reason: message, at: this.clock.now() });
    } catch (error) {
      this.logger.warn({ message: 'The administrators could not be told of a failed backup.', reason: messageOf(error) });
    }
  }
}
