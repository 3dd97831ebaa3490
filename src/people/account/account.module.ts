import { Module } from '@nestjs/common';

import { SecurityLogModule } from '../../access/security-log/security-log.module.js';
import { MailModule } from '../mail/mail.module.js';
import { RegistrationModule } from '../registration/registration.module.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { UserPreferencesModule } from '../user-preferences/user-preferences.module.js';
import { UsersModule } from '../users/users.module.js';
import { AccountDeletion } from './account-deletion.js';
import { AccountController } from './account.controller.js';
import { OwnSessionsController } from './own-sessions.controller.js';
import { OwnSessions } from './own-sessions.js';
import { PersonalData } from './personal-data.js';
import { Profile } from './profile.js';

@Module({
  imports: [MailModule, RegistrationModule, SecurityLogModule, SignInModule, UserPreferencesModule, UsersModule],
  controllers: [AccountController, OwnSessionsController],
  providers: [AccountDeletion, OwnSessions, PersonalData, Profile],
})
export class AccountModule {}
