import { Module, type DynamicModule } from '@nestjs/common';

import type { Settings } from '../platform/config/settings.js';
import { AccountModule } from './account/account.module.js';
import { ExternalSignInModule } from './external-sign-in/external-sign-in.module.js';
import { InteractiveLoginModule } from './interactive-login/interactive-login.module.js';
import { InvitesModule } from './invites/invites.module.js';
import { LogonTokensModule } from './logon-tokens/logon-tokens.module.js';
import { MailModule } from './mail/mail.module.js';
import { PasskeysModule } from './passkeys/passkeys.module.js';
import { PersonalAccessTokensModule } from './personal-access-tokens/personal-access-tokens.module.js';
import { RegistrationModule } from './registration/registration.module.js';
import { ServiceAccountsModule } from './service-accounts/service-accounts.module.js';
import { SignInModule } from './sign-in/sign-in.module.js';
import { TwoFactorModule } from './two-factor/two-factor.module.js';
import { UserGroupsModule } from './user-groups/user-groups.module.js';
import { UserPreferencesModule } from './user-preferences/user-preferences.module.js';
import { UserStandingModule } from './user-standing/user-standing.module.js';
import { UserStorageModule } from './user-storage/user-storage.module.js';
import { UsersModule } from './users/users.module.js';

/** Users, service accounts, their ways to sign in, and their belongings. */
@Module({})
export class PeopleWing {
  static forRoot(settings: Settings): DynamicModule {
    return {
      module: PeopleWing,
      imports: [
        AccountModule,
        ExternalSignInModule,
        InteractiveLoginModule.forRoot({ hasBearerTokens: settings.appOptions.enableInteractiveBearerLogin }),
        InvitesModule,
        LogonTokensModule,
        MailModule,
        PasskeysModule,
        PersonalAccessTokensModule,
        RegistrationModule,
        ServiceAccountsModule,
        SignInModule,
        TwoFactorModule,
        UserGroupsModule,
        UserPreferencesModule,
        UserStandingModule,
        UserStorageModule,
        UsersModule,
      ],
    };
  }
}
