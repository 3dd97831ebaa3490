import { Module } from '@nestjs/common';

import { PermissionAssignmentsModule } from '../../access/permission-assignments/permission-assignments.module.js';
import { NodeModule } from '../../platform/node/node.module.js';
import { Accounts } from './accounts.js';
import { ExternalUsersRepository } from './external-users.repository.js';
import { ExternalUsersService } from './external-users.service.js';
import { UserCreation } from './user-creation.js';
import { UserPresence } from './user-presence.js';
import { UsersController } from './users.controller.js';
import { UsersInternalController } from './users.internal.js';
import { UsersRepository } from './users.repository.js';
import { UsersService } from './users.service.js';

@Module({
  imports: [NodeModule, PermissionAssignmentsModule],
  controllers: [UsersController, UsersInternalController],
  providers: [Accounts, ExternalUsersRepository, ExternalUsersService, UserCreation, UserPresence, UsersRepository, UsersService],
  exports: [Accounts, ExternalUsersService, UserCreation, UserPresence, UsersService],
})
export class UsersModule {}
