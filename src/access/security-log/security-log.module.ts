import { Module } from '@nestjs/common';

import { LogRetentionModule } from '../log-retention/log-retention.module.js';
import { SecurityLogController } from './security-log.controller.js';
import { SecurityLogRepository } from './security-log.repository.js';
import { SecurityLog } from './security-log.js';

@Module({
  imports: [LogRetentionModule],
  controllers: [SecurityLogController],
  providers: [SecurityLog, SecurityLogRepository],
  exports: [SecurityLog],
})
export class SecurityLogModule {}
