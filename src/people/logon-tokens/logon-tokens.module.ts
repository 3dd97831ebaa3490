import { Module } from '@nestjs/common';

import { PermissionAssignmentsModule } from '../../access/permission-assignments/permission-assignments.module.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { UsersModule } from '../users/users.module.js';
import { DeviceAccessController } from './device-access.controller.js';
import { LogonTokenCleanup } from './logon-token-cleanup.js';
import { LogonTokenRedemption } from './logon-token-redemption.js';
import { LogonTokensController } from './logon-tokens.controller.js';
import { LogonTokensInternalController } from './logon-tokens.internal.js';
import { LogonTokensRepository } from './logon-tokens.repository.js';
import { LogonTokensService } from './logon-tokens.service.js';

@Module({
  imports: [PermissionAssignmentsModule, SignInModule, UsersModule],
  controllers: [DeviceAccessController, LogonTokensController, LogonTokensInternalController],
  providers: [LogonTokenCleanup, LogonTokenRedemption, LogonTokensRepository, LogonTokensService],
  exports: [LogonTokenCleanup],
})
export class LogonTokensModule {}
