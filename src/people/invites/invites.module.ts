import { Module } from '@nestjs/common';

import { SecurityLogModule } from '../../access/security-log/security-log.module.js';
import { TenantsModule } from '../../tenants/tenants/tenants.module.js';
import { MailModule } from '../mail/mail.module.js';
import { UsersModule } from '../users/users.module.js';
import { FirstAdministratorsController } from './first-administrators.controller.js';
import { FirstAdministrators } from './first-administrators.js';
import { FirstAdministratorsRepository } from './first-administrators.repository.js';
import { InviteCareController } from './invite-care.controller.js';
import { InviteCare } from './invite-care.js';
import { InviteMails } from './invite-mails.js';
import { InvitesController } from './invites.controller.js';
import { InvitesInternalController } from './invites.internal.js';
import { InvitesRepository } from './invites.repository.js';
import { InvitesService } from './invites.service.js';

@Module({
  imports: [MailModule, SecurityLogModule, TenantsModule, UsersModule],
  controllers: [FirstAdministratorsController, InviteCareController, InvitesController, InvitesInternalController],
  providers: [FirstAdministrators, FirstAdministratorsRepository, InviteCare, InviteMails, InvitesRepository, InvitesService],
  exports: [InvitesService],
})
export class InvitesModule {}
