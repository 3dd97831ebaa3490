import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { Letterheads } from './letterheads.js';
import { MailAvailability } from './mail-availability.js';
import { MailMetrics } from './mail-metrics.js';
import { MailService } from './mail.service.js';
import { RecipientsRepository } from './recipients.repository.js';
import { backupFailed, type FailedBackup } from './templates/backup-failed.js';

const BACKUPS_PAGE = '/server/backups';

/** Mails to the administrators of the server. Where no mail is sent, a line of the log says so. */
@Injectable()
export class OperatorMails {
  private readonly logger = new Logger('Mail');

  constructor(
    private readonly mail: MailService,
    private readonly letterheads: Letterheads,
    private readonly availability: MailAvailability,
    private readonly recipients: RecipientsRepository,
    private readonly metrics: MailMetrics,
  ) {}

  async backupFailed(manager: EntityManager, failure: Omit<FailedBackup, 'link'>): Promise<void> {
    const { obstacle } = this.availability;
    if (obstacle !== null) {
      this.logger.warn({ message: 'A mail was not sent.', kind: 'backupFailed', reason: obstacle });
      this.metrics.lost('unavailable');
      return;
    }
    const letterhead = this.letterheads.current();
    const content = backupFailed(letterhead, { ...failure, link: `${letterhead.serviceAddress}${BACKUPS_PAGE}` });
    for (const to of await this.recipients.serverAdministrators(manager)) this.mail.sendLater({ to, ...content });
  }
}
