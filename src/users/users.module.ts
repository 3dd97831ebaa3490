import { Module } from '@nestjs/common';

import { PermissionAssignmentsModule } from '../permission-assignments/permission-assignments.module.js';
import { UsersController } from './users.controller.js';
import { UsersRepository } from './users.repository.js';
import { UsersService } from './users.service.js';

@Module({
  imports: [PermissionAssignmentsModule],
  controllers: [UsersController],
  providers: [UsersRepository, UsersService],
  exports: [UsersService],
})
export class UsersModule {}
