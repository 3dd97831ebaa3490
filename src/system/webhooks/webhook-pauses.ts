import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';

import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import { ChangeLog, ChangeTarget } from '../../access/authorization/change-log/change-log.js';
import { OperatorMails } from '../../people/mail/operator-mails.js';
import { messageOf } from '../../platform/common/errors/errors.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import type { InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { WebhookPause, type Webhook } from './webhook.entity.js';
import type { SendOutcome } from './webhook-sender.js';
import { WebhooksRepository } from './webhooks.repository.js';

/** Pauses webhooks whose receivers fail, and tells those who can mend it. */
@Injectable()
export class WebhookPauses {
  private readonly logger = new Logger('Webhooks');

  constructor(
    private readonly repository: WebhooksRepository,
    private readonly changeLog: ChangeLog,
    private readonly mails: OperatorMails,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Pauses a webhook, with an entry in the change log. Returns it as it was; null if it is paused already or gone. */
  async pause(tx: InTransaction<RequestContext>, id: string, pause: WebhookPause): Promise<Webhook | null> {
    const webhook = await this.repository.pause(tx.manager, id, pause);
    if (webhook === null) return null;
    await this.changeLog.write(tx, {
      action: 'webhook-paused',
      target: ChangeTarget.Webhook,
      targetId: id,
      tenantId: webhook.tenantId,
      before: { name: webhook.url },
      after: { name: webhook.url, pause },
    });
    return webhook;
  }

  /** Tells of a pause, once it is stored: the log, and by mail the users who may change the settings of the tenant. Never rejects. */
  async tell({ id, tenantId, url }: Webhook, pause: WebhookPause, { status, error }: SendOutcome): Promise<void> {
    this.logger.warn({ message: 'A webhook was paused, because its receiver failed.', webhook: id, pause, status, error });
    const reason = error ?? `The receiver answered ${status}.`;
    const paused = { host: new URL(url).host, reason, isGone: pause === WebhookPause.Gone, at: this.clock.now() };
    try {
      await this.mails.webhookPaused(this.dataSource.manager, tenantId, id, paused);
    } catch (failure) {
      this.logger.warn({
        message: 'The users of a tenant could not be told of a paused webhook.',
        webhook: id,
        reason: messageOf(failure),
      });
    }
  }
}
