import { Module } from '@nestjs/common';

import { NodeModule } from '../../platform/node/node.module.js';
import { AccountMails } from './account-mails.js';
import { Letterheads } from './letterheads.js';
import { MailAvailability } from './mail-availability.js';
import { MailDelivery } from './mail-delivery.js';
import { MailMetrics } from './mail-metrics.js';
import { MailQueue, MailQueueLimits } from './mail-queue.js';
import { MailService } from './mail.service.js';
import { OperatorMails } from './operator-mails.js';
import { RecipientLimit } from './recipient-limit.js';
import { RecipientsRepository } from './recipients.repository.js';
import { TestEmailController } from './test-email.controller.js';
import { TestEmailInternalController } from './test-email.internal.js';
import { TestEmailService } from './test-email.service.js';

@Module({
  imports: [NodeModule],
  controllers: [TestEmailController, TestEmailInternalController],
  providers: [
    AccountMails,
    Letterheads,
    MailAvailability,
    MailDelivery,
    MailMetrics,
    MailQueue,
    MailQueueLimits,
    MailService,
    OperatorMails,
    RecipientLimit,
    RecipientsRepository,
    TestEmailService,
  ],
  exports: [AccountMails, MailAvailability, MailService, OperatorMails],
})
export class MailModule {}
