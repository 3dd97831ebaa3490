import { Module } from '@nestjs/common';

import { InvitesModule } from '../invites/invites.module.js';
import { UsersModule } from '../users/users.module.js';
import { UserStandingsController } from './user-standings.controller.js';
import { UserStandingsRepository } from './user-standings.repository.js';
import { UserStandingsService } from './user-standings.service.js';
import { UserSuspension } from './user-suspension.js';

@Module({
  imports: [InvitesModule, UsersModule],
  controllers: [UserStandingsController],
  providers: [UserStandingsRepository, UserStandingsService, UserSuspension],
})
export class UserStandingModule {}
