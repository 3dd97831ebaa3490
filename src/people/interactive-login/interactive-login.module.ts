import { Module, type DynamicModule } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import { DataSource } from 'typeorm';

import { REQUESTS_PER_WINDOW, WINDOW_MS } from '../../access/authentication/visitors/address-rate-limit.js';
import { SecurityLogModule } from '../../access/security-log/security-log.module.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { RegistrationModule } from '../registration/registration.module.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { TwoFactorModule } from '../two-factor/two-factor.module.js';
import { UsersModule } from '../users/users.module.js';
import { IdentityController } from './identity.controller.js';
import { Identity } from './identity.js';
import { InteractiveLoginController } from './interactive-login.controller.js';
import { InteractiveLogin } from './interactive-login.js';
import { OwnAccountController } from './own-account.controller.js';
import { OwnAccount } from './own-account.js';
import { RequestWindows } from './request-windows.js';

/** The routes under `/api/auth`. While bearer tokens are switched off, those that give or need them do not exist. */
@Module({})
export class InteractiveLoginModule {
  static forRoot({ hasBearerTokens }: { readonly hasBearerTokens: boolean }): DynamicModule {
    return {
      module: InteractiveLoginModule,
      imports: [
        RegistrationModule,
        SecurityLogModule,
        SignInModule,
        ThrottlerModule.forRootAsync({
          inject: [Clock, DataSource],
          useFactory: (clock: Clock, dataSource: DataSource) => ({
            throttlers: [{ limit: REQUESTS_PER_WINDOW, ttl: WINDOW_MS }],
            storage: new RequestWindows(clock, dataSource),
            setHeaders: false,
          }),
        }),
        TwoFactorModule,
        UsersModule,
      ],
      controllers: [OwnAccountController, ...(hasBearerTokens ? [InteractiveLoginController, IdentityController] : [])],
      providers: [Identity, InteractiveLogin, OwnAccount],
    };
  }
}
