import { Module } from '@nestjs/common';

import { SecurityLogController } from './security-log.controller.js';
import { SecurityLogRepository } from './security-log.repository.js';
import { SecurityLog } from './security-log.js';

@Module({
  controllers: [SecurityLogController],
  providers: [SecurityLog, SecurityLogRepository],
  exports: [SecurityLog],
})
export class SecurityLogModule {}
