import { Module } from '@nestjs/common';

import { SecurityLogModule } from '../../access/security-log/security-log.module.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { Settings } from '../../platform/config/settings.js';
import { RegistrationModule } from '../registration/registration.module.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { UsersModule } from '../users/users.module.js';
import { ExternalLoginsController } from './external-logins.controller.js';
import { ExternalLogins } from './external-logins.js';
import { ExternalProviders } from './external-providers.js';
import { ExternalSignInController } from './external-sign-in.controller.js';
import { ExternalSignIn } from './external-sign-in.js';
import { ExternalSignUp } from './external-sign-up.js';
import { SignInFlows } from './sign-in-flows.js';
import { SignInFlowsRepository } from './sign-in-flows.repository.js';

@Module({
  imports: [RegistrationModule, SecurityLogModule, SignInModule, UsersModule],
  controllers: [ExternalSignInController, ExternalLoginsController],
  providers: [
    ExternalLogins,
    {
      provide: ExternalProviders,
      inject: [Settings, Clock],
      useFactory: (settings: Settings, clock: Clock) => ExternalProviders.configured(settings, clock),
    },
    ExternalSignIn,
    ExternalSignUp,
    SignInFlows,
    SignInFlowsRepository,
  ],
  exports: [ExternalProviders],
})
export class ExternalSignInModule {}
