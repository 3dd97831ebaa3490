import { Module } from '@nestjs/common';

import { PermissionAssignmentsController } from './permission-assignments.controller.js';
import { PermissionAssignmentsRepository } from './permission-assignments.repository.js';
import { PermissionAssignmentsService } from './permission-assignments.service.js';

@Module({
  controllers: [PermissionAssignmentsController],
  providers: [PermissionAssignmentsRepository, PermissionAssignmentsService],
  exports: [PermissionAssignmentsService],
})
export class PermissionAssignmentsModule {}
