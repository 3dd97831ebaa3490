import { Module } from '@nestjs/common';

import { PermissionAssignmentsModule } from '../permission-assignments/permission-assignments.module.js';
import { UsersModule } from '../users/users.module.js';
import { LogonTokensController } from './logon-tokens.controller.js';
import { LogonTokensRepository } from './logon-tokens.repository.js';
import { LogonTokensService } from './logon-tokens.service.js';

@Module({
  imports: [PermissionAssignmentsModule, UsersModule],
  controllers: [LogonTokensController],
  providers: [LogonTokensRepository, LogonTokensService],
  exports: [LogonTokensService],
})
export class LogonTokensModule {}
