import { Module } from '@nestjs/common';

import { MailModule } from '../../people/mail/mail.module.js';
import { RegistrationModule } from '../../people/registration/registration.module.js';
import { UsersModule } from '../../people/users/users.module.js';
import { BackupsModule } from '../backups/running/backups.module.js';
import { ServerSettingsController } from './server-settings.controller.js';
import { ServerSettingsService } from './server-settings.service.js';

/** The configuration, for a page that says what is missing. */
@Module({
  imports: [BackupsModule, MailModule, RegistrationModule, UsersModule],
  controllers: [ServerSettingsController],
  providers: [ServerSettingsService],
})
export class ServerSettingsModule {}
