import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { Letterheads } from './letterheads.js';
import { MailAvailability } from './mail-availability.js';
import { MailMetrics } from './mail-metrics.js';
import { MailService } from './mail.service.js';
import { RecipientsRepository } from './recipients.repository.js';
import type { MailContent } from './mail-message.js';
import { backupFailed, type FailedBackup } from './templates/backup-failed.js';
import type { Letterhead } from './templates/layout/letter.js';
import { webhookPaused, type PausedWebhook } from './templates/webhook-paused.js';

const BACKUPS_PAGE = '/server/backups';
const WEBHOOKS_PAGE = '/webhooks';

/** Mails to the administrators of the server or of a tenant. Where no mail is sent, a line of the log says so. */
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

  /** Tells the administrators of the server. */
  backupFailed(manager: EntityManager, failure: Omit<FailedBackup, 'link'>): Promise<void> {
    return this.send(
      'backupFailed',
      () => this.recipients.serverAdministrators(manager),
      (letterhead) => backupFailed(letterhead, { ...failure, link: `${letterhead.serviceAddress}${BACKUPS_PAGE}` }),
    );
  }

  /** Tells the users of a tenant who may change its settings. */
  webhookPaused(manager: EntityManager, tenantId: string, webhookId: string, paused: Omit<PausedWebhook, 'link'>): Promise<void> {
    return this.send(
      'webhookPaused',
      () => this.recipients.tenantAdministrators(manager, tenantId),
      (letterhead) => webhookPaused(letterhead, { ...paused, link: `${letterhead.serviceAddress}${WEBHOOKS_PAGE}/${webhookId}` }),
    );
  }

  private async send(
    kind: string,
    recipients: () => Promise<readonly string[]>,
    contentOf: (letterhead: Letterhead) => MailContent,
  ): Promise<void> {
    const { obstacle } = this.availability;
    if (obstacle !== null) {
      this.logger.warn({ message: 'A mail was not sent.', kind, reason: obstacle });
      this.metrics.lost('unavailable');
      return;
    }
    const content = contentOf(this.letterheads.current());
    for (const to of await recipients()) this.mail.sendLater({ to, ...content });
  }
}
