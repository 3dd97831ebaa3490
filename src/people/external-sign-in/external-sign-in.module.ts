import { Module } from '@nestjs/common';

import { SecurityLogModule } from '../../access/security-log/security-log.module.js';
import { RegistrationModule } from '../registration/registration.module.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { UsersModule } from '../users/users.module.js';
import { ExternalLoginsController } from './external-logins.controller.js';
import { ExternalLogins } from './external-logins.js';
import { ExternalProviders } from './external-providers.js';
import { ExternalSignInController } from './external-sign-in.controller.js';
import { ExternalSignIn } from './external-sign-in.js';
import { ExternalSignUp } from './external-sign-up.js';
import { Passages } from './passages.js';
import { PassagesRepository } from './passages.repository.js';

@Module({
  imports: [RegistrationModule, SecurityLogModule, SignInModule, UsersModule],
  controllers: [ExternalSignInController, ExternalLoginsController],
  providers: [ExternalLogins, ExternalProviders, ExternalSignIn, ExternalSignUp, Passages, PassagesRepository],
  exports: [ExternalProviders],
})
export class ExternalSignInModule {}
