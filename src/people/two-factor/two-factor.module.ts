import { Module } from '@nestjs/common';

import { SecurityLogModule } from '../../access/security-log/security-log.module.js';
import { MailModule } from '../mail/mail.module.js';
import { UsersModule } from '../users/users.module.js';
import { SecondFactor } from './second-factor.js';
import { TwoFactorController } from './two-factor.controller.js';
import { TwoFactorService } from './two-factor.service.js';

@Module({
  imports: [MailModule, SecurityLogModule, UsersModule],
  controllers: [TwoFactorController],
  providers: [SecondFactor, TwoFactorService],
  exports: [SecondFactor, TwoFactorService],
})
export class TwoFactorModule {}
