import { Module } from '@nestjs/common';

import { AgentUpdatesModule } from '../agent-updates/agent-updates.module.js';
import { ExternalSignInModule } from '../external-sign-in/external-sign-in.module.js';
import { MailModule } from '../mail/mail.module.js';
import { PasskeysModule } from '../passkeys/passkeys.module.js';
import { RegistrationModule } from '../registration/registration.module.js';
import { ServerModule } from '../server/server.module.js';
import { TenantsModule } from '../tenants/tenants.module.js';
import { UserPreferencesModule } from '../user-preferences/user-preferences.module.js';
import { UsersModule } from '../users/users.module.js';
import { CallerController } from './caller.controller.js';
import { CallerService } from './caller.service.js';
import { ServerOffer } from './server-offer.js';

@Module({
  imports: [
    AgentUpdatesModule,
    ExternalSignInModule,
    MailModule,
    PasskeysModule,
    RegistrationModule,
    ServerModule,
    TenantsModule,
    UserPreferencesModule,
    UsersModule,
  ],
  controllers: [CallerController],
  providers: [CallerService, ServerOffer],
})
export class CallerModule {}
