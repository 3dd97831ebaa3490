import { Module } from '@nestjs/common';

import { SecurityLogModule } from '../security-log/security-log.module.js';
import { UsersModule } from '../users/users.module.js';
import { SecondFactor } from './second-factor.js';
import { TwoFactorController } from './two-factor.controller.js';
import { TwoFactorService } from './two-factor.service.js';

@Module({
  imports: [SecurityLogModule, UsersModule],
  controllers: [TwoFactorController],
  providers: [SecondFactor, TwoFactorService],
  exports: [SecondFactor, TwoFactorService],
})
export class TwoFactorModule {}
