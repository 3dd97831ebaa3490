import { Module } from '@nestjs/common';

import { TenantSettingsModule } from '../tenant-settings/tenant-settings.module.js';
import { EffectiveUserPreferencesController } from './effective-user-preferences.controller.js';
import { UserPreferencesController } from './user-preferences.controller.js';
import { UserPreferencesService } from './user-preferences.service.js';

@Module({
  imports: [TenantSettingsModule],
  controllers: [EffectiveUserPreferencesController, UserPreferencesController],
  providers: [UserPreferencesService],
  exports: [UserPreferencesService],
})
export class UserPreferencesModule {}
