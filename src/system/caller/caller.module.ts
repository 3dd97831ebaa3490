import { Module } from '@nestjs/common';

import { AgentUpdatesModule } from '../../devices/agent-updates/agent-updates.module.js';
import { ExternalSignInModule } from '../../people/external-sign-in/external-sign-in.module.js';
import { MailModule } from '../../people/mail/mail.module.js';
import { PasskeysModule } from '../../people/passkeys/passkeys.module.js';
import { RegistrationModule } from '../../people/registration/registration.module.js';
import { UserPreferencesModule } from '../../people/user-preferences/user-preferences.module.js';
import { UsersModule } from '../../people/users/users.module.js';
import { NodeModule } from '../../platform/node/node.module.js';
import { TenantsModule } from '../../tenants/tenants/tenants.module.js';
import { ServerModule } from '../server/server.module.js';
import { CallerFeatures } from './caller-features.js';
import { CallerController } from './caller.controller.js';
import { CallerService } from './caller.service.js';
import { HeldPermissions } from './held-permissions.js';
import { ServerOffer } from './server-offer.js';

@Module({
  imports: [
    AgentUpdatesModule,
    ExternalSignInModule,
    MailModule,
    NodeModule,
    PasskeysModule,
    RegistrationModule,
    ServerModule,
    TenantsModule,
    UserPreferencesModule,
    UsersModule,
  ],
  controllers: [CallerController],
  providers: [CallerFeatures, CallerService, HeldPermissions, ServerOffer],
})
export class CallerModule {}
