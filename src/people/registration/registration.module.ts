import { Module } from '@nestjs/common';

import { SecurityLogModule } from '../../access/security-log/security-log.module.js';
import { TenantsModule } from '../../tenants/tenants/tenants.module.js';
import { InvitesModule } from '../invites/invites.module.js';
import { MailModule } from '../mail/mail.module.js';
import { PersonalAccessTokensModule } from '../personal-access-tokens/personal-access-tokens.module.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { UsersModule } from '../users/users.module.js';
import { AccountCodes } from './account-codes.js';
import { AccountCreation } from './account-creation.js';
import { AdministratorBootstrap } from './administrator-bootstrap.js';
import { EmailAddresses } from './email-addresses.js';
import { InvitationsController } from './invitations.controller.js';
import { Invitations } from './invitations.js';
import { PasswordResets } from './password-resets.js';
import { PasswordsController } from './passwords.controller.js';
import { Passwords } from './passwords.js';
import { RegistrationController } from './registration.controller.js';
import { Registration } from './registration.js';

@Module({
  imports: [InvitesModule, MailModule, PersonalAccessTokensModule, SecurityLogModule, SignInModule, TenantsModule, UsersModule],
  controllers: [InvitationsController, PasswordsController, RegistrationController],
  providers: [AccountCodes, AccountCreation, AdministratorBootstrap, EmailAddresses, Invitations, PasswordResets, Passwords, Registration],
  exports: [AdministratorBootstrap, EmailAddresses, PasswordResets, Passwords, Registration],
})
export class RegistrationModule {}
