import { Module } from '@nestjs/common';

import { PermissionAssignmentsModule } from '../permission-assignments/permission-assignments.module.js';
import { UsersModule } from '../users/users.module.js';
import { LogonTokenCleanup } from './logon-token-cleanup.js';
import { LogonTokensController } from './logon-tokens.controller.js';
import { LogonTokensRepository } from './logon-tokens.repository.js';
import { LogonTokensService } from './logon-tokens.service.js';

@Module({
  imports: [PermissionAssignmentsModule, UsersModule],
  controllers: [LogonTokensController],
  providers: [LogonTokenCleanup, LogonTokensRepository, LogonTokensService],
  exports: [LogonTokenCleanup],
})
export class LogonTokensModule {}
