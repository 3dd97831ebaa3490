import { Module } from '@nestjs/common';

import { AssignmentLifecycle } from './assignment-lifecycle.js';
import { AssignmentReferencesRepository } from './assignment-references.repository.js';
import { AssignmentWriter } from './assignment-writer.js';
import { EffectivePermissionsController } from './effective/effective-permissions.controller.js';
import { EffectivePermissionsService } from './effective/effective-permissions.service.js';
import { HeldPermissionsController } from './held/held-permissions.controller.js';
import { HeldPermissionsRepository } from './held/held-permissions.repository.js';
import { HeldPermissionsService } from './held/held-permissions.service.js';
import { ReadableNames } from './held/readable-names.js';
import { PermissionHoldersController } from './holders/permission-holders.controller.js';
import { PermissionHoldersRepository } from './holders/permission-holders.repository.js';
import { PermissionHoldersService } from './holders/permission-holders.service.js';
import { CreatedObjectsRepository } from './created-objects/created-objects.repository.js';
import { IssuedTokens } from './tokens/issued-tokens.js';
import { IssuedTokensRepository } from './tokens/issued-tokens.repository.js';
import { TokenScopeTrim } from './tokens/token-scope-trim.js';
import { PermissionAssignmentsController } from './permission-assignments.controller.js';
import { PermissionAssignmentsRepository } from './permission-assignments.repository.js';
import { PermissionAssignmentsService } from './permission-assignments.service.js';
import { SelfProtection } from './self-protection.js';

@Module({
  controllers: [EffectivePermissionsController, HeldPermissionsController, PermissionAssignmentsController, PermissionHoldersController],
  providers: [
    AssignmentLifecycle,
    AssignmentReferencesRepository,
    AssignmentWriter,
    EffectivePermissionsService,
    CreatedObjectsRepository,
    HeldPermissionsRepository,
    HeldPermissionsService,
    IssuedTokens,
    IssuedTokensRepository,
    PermissionAssignmentsRepository,
    PermissionAssignmentsService,
    PermissionHoldersRepository,
    PermissionHoldersService,
    ReadableNames,
    SelfProtection,
    TokenScopeTrim,
  ],
  exports: [AssignmentLifecycle, IssuedTokens, TokenScopeTrim],
})
export class PermissionAssignmentsModule {}
