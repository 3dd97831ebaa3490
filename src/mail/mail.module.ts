import { Module } from '@nestjs/common';

import { MailService } from './mail.service.js';
import { RecipientsRepository } from './recipients.repository.js';
import { TestEmailController } from './test-email.controller.js';
import { TestEmailService } from './test-email.service.js';

@Module({
  controllers: [TestEmailController],
  providers: [MailService, RecipientsRepository, TestEmailService],
  exports: [MailService],
})
export class MailModule {}
