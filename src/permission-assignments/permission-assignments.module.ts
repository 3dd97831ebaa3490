import { Module } from '@nestjs/common';

import { AssignmentLifecycle } from './assignment-lifecycle.js';
import { AssignmentReferencesRepository } from './assignment-references.repository.js';
import { AssignmentWriter } from './assignment-writer.js';
import { EffectivePermissionsController } from './effective-permissions.controller.js';
import { EffectivePermissionsService } from './effective-permissions.service.js';
import { MadeByRepository } from './made-by.repository.js';
import { MadeTokensRepository } from './made-tokens.repository.js';
import { MadeTokens } from './made-tokens.js';
import { PermissionAssignmentsController } from './permission-assignments.controller.js';
import { PermissionAssignmentsRepository } from './permission-assignments.repository.js';
import { PermissionAssignmentsService } from './permission-assignments.service.js';
import { PermissionHoldersController } from './permission-holders.controller.js';
import { PermissionHoldersRepository } from './permission-holders.repository.js';
import { PermissionHoldersService } from './permission-holders.service.js';
import { SelfProtection } from './self-protection.js';
import { TokenScopeTrim } from './token-scope-trim.js';

@Module({
  controllers: [EffectivePermissionsController, PermissionAssignmentsController, PermissionHoldersController],
  providers: [
    AssignmentLifecycle,
    AssignmentReferencesRepository,
    AssignmentWriter,
    EffectivePermissionsService,
    MadeByRepository,
    MadeTokens,
    MadeTokensRepository,
    PermissionAssignmentsRepository,
    PermissionAssignmentsService,
    PermissionHoldersRepository,
    PermissionHoldersService,
    SelfProtection,
    TokenScopeTrim,
  ],
  exports: [AssignmentLifecycle, MadeTokens, TokenScopeTrim],
})
export class PermissionAssignmentsModule {}
