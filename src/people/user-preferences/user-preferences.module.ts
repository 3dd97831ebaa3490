import { Module } from '@nestjs/common';

import { TenantSettingsModule } from '../../tenants/tenant-settings/tenant-settings.module.js';
import { EffectiveUserPreferencesController } from './effective-user-preferences.controller.js';
import { UserPreferencesController } from './user-preferences.controller.js';
import { EffectiveUserPreferencesInternalController, UserPreferencesInternalController } from './user-preferences.internal.js';
import { UserPreferencesService } from './user-preferences.service.js';

@Module({
  imports: [TenantSettingsModule],
  controllers: [
    EffectiveUserPreferencesController,
    EffectiveUserPreferencesInternalController,
    UserPreferencesController,
    UserPreferencesInternalController,
  ],
  providers: [UserPreferencesService],
  exports: [UserPreferencesService],
})
export class UserPreferencesModule {}
