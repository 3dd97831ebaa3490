import { Module } from '@nestjs/common';

import { EffectivePermissionsController } from './effective-permissions.controller.js';
import { EffectivePermissionsService } from './effective-permissions.service.js';
import { PermissionAssignmentsController } from './permission-assignments.controller.js';
import { PermissionAssignmentsRepository } from './permission-assignments.repository.js';
import { PermissionAssignmentsService } from './permission-assignments.service.js';
import { TokenScopeTrim } from './token-scope-trim.js';

@Module({
  controllers: [EffectivePermissionsController, PermissionAssignmentsController],
  providers: [EffectivePermissionsService, PermissionAssignmentsRepository, PermissionAssignmentsService, TokenScopeTrim],
  exports: [PermissionAssignmentsService, TokenScopeTrim],
})
export class PermissionAssignmentsModule {}
