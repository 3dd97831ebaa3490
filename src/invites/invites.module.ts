import { Module } from '@nestjs/common';

import { UsersModule } from '../users/users.module.js';
import { InvitesController } from './invites.controller.js';
import { InvitesInternalController } from './invites.internal.js';
import { InvitesRepository } from './invites.repository.js';
import { InvitesService } from './invites.service.js';

@Module({
  imports: [UsersModule],
  controllers: [InvitesController, InvitesInternalController],
  providers: [InvitesRepository, InvitesService],
  exports: [InvitesService],
})
export class InvitesModule {}
