import { Module } from '@nestjs/common';

import { PermissionAssignmentsModule } from '../../access/permission-assignments/permission-assignments.module.js';
import { UsersModule } from '../users/users.module.js';
import { PersonalAccessTokensController } from './personal-access-tokens.controller.js';
import { PersonalAccessTokensInternalController } from './personal-access-tokens.internal.js';
import { PersonalAccessTokensRepository } from './personal-access-tokens.repository.js';
import { PersonalAccessTokensService } from './personal-access-tokens.service.js';
import { UserPersonalAccessTokensController } from './user-personal-access-tokens.controller.js';
import { UserPersonalAccessTokensInternalController } from './user-personal-access-tokens.internal.js';

@Module({
  imports: [PermissionAssignmentsModule, UsersModule],
  controllers: [
    PersonalAccessTokensController,
    PersonalAccessTokensInternalController,
    UserPersonalAccessTokensController,
    UserPersonalAccessTokensInternalController,
  ],
  providers: [PersonalAccessTokensRepository, PersonalAccessTokensService],
  exports: [PersonalAccessTokensService],
})
export class PersonalAccessTokensModule {}
