import { Module } from '@nestjs/common';

import { AccountMails } from './account-mails.js';
import { Letterheads } from './letterheads.js';
import { MailDelivery } from './mail-delivery.js';
import { MailQueue, MailQueueLimits } from './mail-queue.js';
import { MailService } from './mail.service.js';
import { RecipientsRepository } from './recipients.repository.js';
import { TestEmailController } from './test-email.controller.js';
import { TestEmailInternalController } from './test-email.internal.js';
import { TestEmailService } from './test-email.service.js';

@Module({
  controllers: [TestEmailController, TestEmailInternalController],
  providers: [AccountMails, Letterheads, MailDelivery, MailQueue, MailQueueLimits, MailService, RecipientsRepository, TestEmailService],
  exports: [AccountMails, Letterheads, MailService],
})
export class MailModule {}
