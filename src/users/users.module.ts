import { Module } from '@nestjs/common';

import { PermissionAssignmentsModule } from '../permission-assignments/permission-assignments.module.js';
import { ExternalUsersRepository } from './external-users.repository.js';
import { ExternalUsersService } from './external-users.service.js';
import { UsersController } from './users.controller.js';
import { UsersRepository } from './users.repository.js';
import { UsersService } from './users.service.js';

@Module({
  imports: [PermissionAssignmentsModule],
  controllers: [UsersController],
  providers: [ExternalUsersRepository, ExternalUsersService, UsersRepository, UsersService],
  exports: [ExternalUsersService, UsersService],
})
export class UsersModule {}
