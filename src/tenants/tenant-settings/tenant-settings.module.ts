import { Module } from '@nestjs/common';

import { TenantsModule } from '../tenants/tenants.module.js';
import { TenantSettingsController } from './tenant-settings.controller.js';
import { TenantSettingsInternalController } from './tenant-settings.internal.js';
import { TenantSettingsService } from './tenant-settings.service.js';

@Module({
  imports: [TenantsModule],
  controllers: [TenantSettingsController, TenantSettingsInternalController],
  providers: [TenantSettingsService],
  exports: [TenantSettingsService],
})
export class TenantSettingsModule {}
